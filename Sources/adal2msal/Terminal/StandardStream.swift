// SPDX-License-Identifier: MIT
import ArgumentParser
import Foundation

/// The standard streams as bytes, blocking or not.
enum StandardStream {
  /// Reads into what follows `offset`, waiting until there is something.
  ///
  /// - Returns: how many bytes; 0 at the end.
  /// - Throws: ``Failure`` of status 74.
  static func read(into buffer: inout [UInt8], from offset: Int) throws -> Int {
    let name = "read standard input"
    return try buffer.withUnsafeMutableBytes { bytes in
      let room = UnsafeMutableRawBufferPointer(rebasing: bytes[offset...])
      return try retrying(STDIN_FILENO, POLLIN, name) {
        Foundation.read(STDIN_FILENO, room.baseAddress, room.count)
      }
    }
  }

  /// Writes all bytes to standard output, waiting until they are taken.
  ///
  /// - Throws: ``Failure`` of status 74; `ExitCode` of that status, without a message, when the
  ///   reader has closed the pipe.
  static func write(_ bytes: [UInt8]) throws {
    try bytes.withUnsafeBytes { bytes in
      var rest = bytes[...]
      while !rest.isEmpty {
        let part = UnsafeRawBufferPointer(rebasing: rest)
        let count = try retrying(STDOUT_FILENO, POLLOUT, "write to standard output") {
          Foundation.write(STDOUT_FILENO, part.baseAddress, part.count)
        }
        rest = rest.dropFirst(count)
      }
    }
  }

  /// Calls until it is not interrupted, and waits where a stream does not.
  private static func retrying(
    _ stream: Int32, _ event: Int32, _ what: String, _ body: () -> Int
  ) throws -> Int {
    while true {
      let count = body()
      if count >= 0 { return count }
      switch errno {
      case EINTR: continue
      case EAGAIN:
        var waiting = pollfd(fd: stream, events: Int16(event), revents: 0)
        _ = poll(&waiting, 1, -1)
      case EPIPE: throw ExitCode(ExitStatus.interrupted.rawValue)
      case let number:
        throw Failure(.interrupted, "cannot \(what): \(String(cString: strerror(number)))")
      }
    }
  }
}
