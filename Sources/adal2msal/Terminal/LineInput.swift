// SPDX-License-Identifier: MIT
import CacheJSON
import PlatformFoundation

/// Standard input, line by line. It keeps one line in memory, up to the longest allowed, and the rest of a read.
struct LineInput {
  enum Line {
    /// A line without its line feed.
    case text([UInt8])
    /// A line that is longer than is given out, and was skipped.
    case tooLong
  }

  /// The size of one read: the capacity of a pipe.
  private static let portion = 1 << 16
  /// The largest buffer that is kept for reuse, in bytes.
  private static let mostReused = 1 << 20

  private let longest: Int
  /// The bytes that were read. Those before `start` were returned, and those before `searched` contain no line feed.
  private var buffer: [UInt8] = []
  private var start = 0
  private var searched = 0
  /// Whether the beginning of a line that is too long is gone already.
  private var isSkipping = false

  /// - Parameter longest: how many bytes a line can have, without its line feed.
  init(longest: Int) {
    self.longest = longest
  }

  /// The next line; nil at the end. The text after the last line feed is a line if it is not empty.
  ///
  /// - Parameter beforeWaiting: is called before the process may wait for input.
  /// - Throws: ``Failure`` of status 74 if standard input cannot be read; the errors of `beforeWaiting`.
  mutating func next(beforeWaiting: () throws -> Void) throws -> Line? {
    while true {
      searched = buffer.withUnsafeBufferPointer { $0.index(of: 0x0A, from: searched) }
      if searched < buffer.count { return take(upTo: searched, next: searched + 1) }
      skipIfTooLong()
      try beforeWaiting()
      guard try read() else { break }
    }
    guard isSkipping || start < buffer.count else { return nil }
    return take(upTo: buffer.count, next: buffer.count)
  }

  private mutating func take(upTo end: Int, next: Int) -> Line {
    defer {
      start = next
      searched = next
      isSkipping = false
    }
    return isSkipping || end - start > longest ? .tooLong : .text(Array(buffer[start..<end]))
  }

  private mutating func skipIfTooLong() {
    guard isSkipping || buffer.count - start > longest else { return }
    isSkipping = true
    start = buffer.count
    searched = start
  }

  /// Reads the available bytes, or waits for some; false at the end.
  private mutating func read() throws -> Bool {
    let left = buffer.count - start
    if left == 0, buffer.capacity > Self.mostReused {
      buffer = []
    } else {
      buffer.removeFirst(start)
    }
    start = 0
    searched = left
    buffer.append(contentsOf: repeatElement(0, count: Self.portion))
    let count = try Self.read(into: &buffer, from: left)
    buffer.removeLast(Self.portion - count)
    return count > 0
  }

  /// - Returns: how many bytes follow `offset` now; 0 at the end.
  private static func read(into buffer: inout [UInt8], from offset: Int) throws -> Int {
    while true {
      let count = buffer.withUnsafeMutableBytes { bytes in
        let room = UnsafeMutableRawBufferPointer(rebasing: bytes[offset...])
        return PlatformFoundation.read(STDIN_FILENO, room.baseAddress, room.count)
      }
      if count >= 0 { return count }
      let number = errno
      guard Terminal.canTryAgain(number, STDIN_FILENO, POLLIN) else {
        throw Failure(
          .interrupted, "cannot read standard input: \(String(cString: strerror(number)))")
      }
    }
  }
}
