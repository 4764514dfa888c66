// SPDX-License-Identifier: MIT
import Foundation
import KeychainItems
import Testing

@testable import CacheFiles

/// The lock is the one of MSAL's extension library for Python, both of its implementations.
///
/// The package is looked for in `.venv`, which `scripts/test` makes, and in the system's Python.
@Suite struct ExtensionLibraryTests {
  private static let modules = ["filelock", "cache_lock"]

  private static func python(with module: String) -> String? {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let interpreter = ["\(root.path)/.venv/bin/python", "/usr/bin/python3"].first { path in
      let check = Process()
      check.executableURL = URL(fileURLWithPath: path)
      check.arguments = ["-c", "import msal_extensions.\(module)"]
      check.standardError = FileHandle.nullDevice
      guard (try? check.run()) != nil else { return false }
      check.waitUntilExit()
      return check.terminationStatus == 0
    }
    if interpreter == nil {
      print("not checked: msal_extensions.\(module) is not installed, run scripts/test")
    }
    return interpreter
  }

  /// A Python process that takes the lock, says so, and keeps it until its input ends.
  private func holder(_ interpreter: String, _ module: String, _ path: String) throws -> (
    process: Process, input: Pipe, output: Pipe
  ) {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: interpreter)
    process.arguments = [
      "-c",
      """
      import sys
      from msal_extensions.\(module) import CrossPlatLock
      with CrossPlatLock(sys.argv[1] + ".lockfile"):
        print("held", flush=True)
        sys.stdin.read()
      """, path,
    ]
    let (input, output) = (Pipe(), Pipe())
    process.standardInput = input
    process.standardOutput = output
    try process.run()
    return (process, input, output)
  }

  @Test(arguments: modules)
  func whatPythonHoldsIsLockedHere(module: String) throws {
    guard let interpreter = Self.python(with: module) else { return }
    let folder = try TemporaryFolder()
    let path = try folder.write("old", to: "cache.json")
    let python = try holder(interpreter, module, path)
    #expect(python.output.fileHandleForReading.readData(ofLength: 5) == Data("held\n".utf8))
    #expect(throws: StoreError(.locked, "")) {
      try DocumentFile(path: path, lockTimeout: 0.25).update { _ in Array("new".utf8) }
    }
    #expect(try folder.text("cache.json") == "old")
    try python.input.fileHandleForWriting.close()
    python.process.waitUntilExit()
    #expect(python.process.terminationStatus == 0)
    try DocumentFile(path: path, lockTimeout: 0).update { _ in Array("new".utf8) }
    #expect(try folder.text("cache.json") == "new")
  }

  @Test(arguments: modules)
  func whatIsHeldHereIsLockedForPython(module: String) throws {
    guard let interpreter = Self.python(with: module) else { return }
    let folder = try TemporaryFolder()
    let path = folder.path("cache.json")
    var python: (process: Process, input: Pipe, output: Pipe)?
    try Lock(for: FilePlace(path, for: .writing)).whileHeld {
      let waiting = try holder(interpreter, module, path)
      python = waiting
      usleep(1_000_000)
      var poll = pollfd(
        fd: waiting.output.fileHandleForReading.fileDescriptor, events: Int16(POLLIN), revents: 0)
      #expect(Foundation.poll(&poll, 1, 0) == 0, "Python did not wait")
    }
    let waiting = try #require(python)
    #expect(waiting.output.fileHandleForReading.readData(ofLength: 5) == Data("held\n".utf8))
    try waiting.input.fileHandleForWriting.close()
    waiting.process.waitUntilExit()
    #expect(waiting.process.terminationStatus == 0)
  }
}
