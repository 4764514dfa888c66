// SPDX-License-Identifier: MIT
import ADALMigration
import MigrationReports
import Foundation

extension Terminal {
  /// Does something that may take a while; once it takes over a second, a line on standard error says what
  /// is being worked on. On a terminal only, and the line goes away at the end, be it a signal.
  static func working<Result>(on name: String, _ body: () throws -> Result) rethrows -> Result {
    guard let width = progressWidth else { return try body() }
    let line = ProgressLine()
    DispatchQueue.global().asyncAfter(deadline: .now() + 1) { line.show(name, width: width) }
    defer { line.end() }
    return try body()
  }
}

/// A line that is shown once and taken away again. Shared by the thread that works and the one that waits,
/// hence a class with a lock.
private final class ProgressLine: @unchecked Sendable {
  private static let start = "adal2msal: working on "
  private static let end = " …"

  private let lock = NSLock()
  // All guarded by `lock`; that is what makes the class Sendable.
  private var isOver = false
  private var interruption: Interruption?

  func show(_ name: String, width: Int) {
    lock.withLock {
      guard !isOver else { return }
      // A line that breaks could not be taken away.
      let room = width - Self.start.count - Self.end.count - 1
      interruption = Interruption()
      Terminal.tell(Self.start + TextTable.cut(PlainText.show(name), to: max(room, 2)) + Self.end)
    }
  }

  func end() {
    lock.withLock {
      isOver = true
      guard let interruption else { return }
      Terminal.clearLine()
      interruption.end()
    }
  }
}

/// While it lasts, a signal that ends the process takes the line away first.
private struct Interruption {
  /// Those that are caught: what the process was told to ignore, as by nohup, it goes on ignoring.
  private let signals: [Int32]

  init() {
    signals = [SIGINT, SIGTERM, SIGHUP, SIGQUIT].filter(Self.endsTheProcess)
    for number in signals {
      signal(number) { number in
        Terminal.clearLine()
        // It ends the process as soon as this handler returns.
        signal(number, SIG_DFL)
        raise(number)
      }
    }
  }

  func end() {
    for number in signals { signal(number, SIG_DFL) }
  }

  private static func endsTheProcess(_ number: Int32) -> Bool {
    var current = sigaction()
    guard sigaction(number, nil, &current) == 0 else { return false }
    #if canImport(Darwin)
      return current.__sigaction_u.__sa_handler == nil
    #else
      return current.__sigaction_handler.sa_handler == nil
    #endif
  }
}
