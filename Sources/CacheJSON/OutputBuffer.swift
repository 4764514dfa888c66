// SPDX-License-Identifier: MIT

/// Bytes that are written one after the other. Room is made for a whole text at once, so that a byte costs
/// a store and not a call.
struct OutputBuffer: Sendable {
  /// What is written, and behind it room that is zero or was written before.
  private var room: [UInt8] = []
  /// How many bytes are written.
  private(set) var count = 0

  /// What is written.
  var bytes: [UInt8] { Array(room[..<count]) }

  /// What is written after the first `start` bytes.
  func withBytes<Result>(
    from start: Int, _ body: (UnsafeBufferPointer<UInt8>) throws -> Result
  ) rethrows -> Result {
    try room.withUnsafeBufferPointer {
      try body(UnsafeBufferPointer(rebasing: $0[min(max(start, 0), count)..<count]))
    }
  }

  /// Forgets what was written after the first `count` bytes and keeps the room that it took.
  mutating func removeAll(after count: Int) {
    self.count = min(self.count, max(count, 0))
  }

  /// Adds what `write` writes.
  ///
  /// - Parameters:
  ///   - most: how much that may be.
  ///   - write: gets so much room, and says how many bytes of it are written.
  @inline(__always)
  mutating func append(atMost most: Int, _ write: (UnsafeMutableBufferPointer<UInt8>) -> Int) {
    let free = room.count - count
    if free < most {
      room.append(contentsOf: repeatElement(0, count: max(most - free, room.count)))
    }
    let start = count
    let written = room.withUnsafeMutableBufferPointer {
      write(UnsafeMutableBufferPointer(rebasing: $0[start..<start + most]))
    }
    count += min(written, most)
  }

  mutating func append(_ byte: UInt8) {
    append(atMost: 1) { room in
      room[0] = byte
      return 1
    }
  }

  mutating func append(_ bytes: UnsafeBufferPointer<UInt8>) {
    append(atMost: bytes.count) { room in
      _ = room.update(fromContentsOf: bytes)
      return bytes.count
    }
  }
}
