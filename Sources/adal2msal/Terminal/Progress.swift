// SPDX-License-Identifier: MIT
import Foundation

extension Terminal {
  /// Does something that may take a while; once it takes over a second, a line on standard error says what
  /// is being worked on. On a terminal only, and the line goes away at the end.
  static func working<Result>(on name: String, _ body: () throws -> Result) rethrows -> Result {
    guard canShowProgress else { return try body() }
    let line = ProgressLine()
    DispatchQueue.global().asyncAfter(deadline: .now() + 1) { line.show("working on \(name)") }
    defer { line.end() }
    return try body()
  }
}

/// A line that is shown once and taken away again. Shared by the thread that works and the one that waits,
/// hence a class with a lock.
private final class ProgressLine: @unchecked Sendable {
  private let lock = NSLock()
  // Both guarded by `lock`; that is what makes the class Sendable.
  private var isShown = false
  private var isOver = false

  func show(_ words: String) {
    lock.withLock {
      guard !isOver else { return }
      isShown = true
      Terminal.tell("adal2msal: \(words) …")
    }
  }

  func end() {
    lock.withLock {
      isOver = true
      if isShown { Terminal.tell("\r\u{1B}[K") }
    }
  }
}
