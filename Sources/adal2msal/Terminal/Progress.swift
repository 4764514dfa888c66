// SPDX-License-Identifier: MIT
import ADALMigration
import MigrationReports
import PlatformFoundation

extension Terminal {
  /// Runs work that may take a while. After a second, a line on standard error names the work. It appears only on a
  /// terminal, and disappears at the end, even after a signal.
  static func working<Result>(on name: String, _ body: () throws -> Result) rethrows -> Result {
    try counting(on: name) { _ in try body() }
  }

  /// The same for counted work: the line shows the number of rows and accounts so far.
  ///
  /// - Parameter body: gets the function that takes each step; nil without a terminal.
  static func counting<Result>(
    on name: String, _ body: ((@Sendable (Migration.Step) -> Void)?) throws -> Result
  ) rethrows -> Result {
    guard let width = progressWidth else { return try body(nil) }
    let line = ProgressLine(name: name, width: width)
    line.show(after: 1)
    defer { line.end() }
    return try body { line.count($0) }
  }
}

/// A line that is shown, changed and taken away again, and how far the work has come. Shared by the thread that works
/// and the one that waits, hence a class.
private final class ProgressLine: Sendable {
  private struct State {
    var rows = 0
    var accounts = 0
    var isOver = false
    var shown: String?
    var interruption: Interruption?

    /// `: 1200 rows, 30 accounts`, or nothing before the first row.
    var counts: String {
      let parts = [(rows, "row"), (accounts, "account")].filter { $0.0 > 0 }.map { $0.counted($1) }
      return parts.isEmpty ? "" : ": " + parts.joined(separator: ", ")
    }
  }

  private static let start = "adal2msal: working on "
  private static let end = " …"
  private static let pause = 0.2

  private let name: String
  private let width: Int
  private let state = Locked(State())

  init(name: String, width: Int) {
    self.name = PlainText.show(name)
    self.width = width
  }

  func count(_ step: Migration.Step) {
    state.withLock {
      switch step {
      case .reading: ($0.rows, $0.accounts) = (0, 0)
      case .rows(let number): $0.rows += number
      case .planning: $0.accounts = 0
      case .account: $0.accounts += 1
      }
    }
  }

  func show(after delay: Double) {
    Task.detached { [self] in
      var pause = delay
      repeat {
        try? await Task.sleep(nanoseconds: UInt64(pause * 1e9))
        pause = Self.pause
      } while isShown()
    }
  }

  /// Shows the line as it is now; false once it is over.
  private func isShown() -> Bool {
    state.withLock { state in
      guard !state.isOver else { return false }
      // A line that breaks could not be taken away.
      let end = state.counts + Self.end
      let room = width - Self.start.count - end.count - 1
      let line = Self.start + TextTable.cut(name, to: max(room, 2)) + end
      guard line != state.shown else { return true }
      if state.shown == nil { state.interruption = Interruption() } else { Terminal.clearLine() }
      state.shown = line
      Terminal.tell(line)
      return true
    }
  }

  func end() {
    state.withLock {
      $0.isOver = true
      guard let interruption = $0.interruption else { return }
      Terminal.clearLine()
      interruption.end()
    }
  }
}

/// While it lasts, a signal that ends the process takes the line away first.
private struct Interruption {
  /// The signals that are caught. A signal that the process was told to ignore, as by nohup, stays ignored.
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
