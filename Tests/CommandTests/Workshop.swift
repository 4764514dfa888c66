// SPDX-License-Identifier: MIT
import Foundation

/// A folder of its own to run commands in; it goes away with its last holder.
final class Workshop {
  struct Result {
    var status: Int32
    /// Whether a signal ended it.
    var wasKilled: Bool
    var output: String
    var errors: String
  }

  /// The state of a file, to see whether it changes.
  struct State: Equatable {
    var bytes: Data?
    var mode: Int
  }

  let path: String
  private let streams: String

  init() throws {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("adal2msal-\(UUID().uuidString)")
    path = folder.appendingPathComponent("work").path
    streams = folder.path
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit {
    try? FileManager.default.removeItem(atPath: streams)
  }

  /// Runs a line of bash and waits for its end.
  func run(_ command: String) throws -> Result {
    let process = try start(command)
    process.waitUntilExit()
    return try result(of: process)
  }

  /// Starts a line of bash; what it prints goes into files.
  func start(_ command: String, name: String = "last") throws -> Process {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/bash")
    process.arguments = ["-c", Self.tools + "\n" + command]
    process.currentDirectoryURL = URL(fileURLWithPath: path)
    process.environment = [
      "PATH":
        "\(Project.products):\(ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin")",
      "HOME": path, "LC_ALL": "C.UTF-8", "TMPDIR": streams,
      "SAMPLES": Project.root + "/Samples/Caches", "VECTORS": Project.root + "/Tests/Vectors",
      "PRODUCTS": Project.products, "TOOLS": Project.root + "/Tests/CommandTests/Scripts",
    ]
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = try file("\(name).out")
    process.standardError = try file("\(name).err")
    try process.run()
    return process
  }

  func result(of process: Process, name: String = "last") throws -> Result {
    func text(_ name: String) throws -> String {
      let bytes = try Data(contentsOf: URL(fileURLWithPath: "\(streams)/\(name)"))
      return String(decoding: bytes, as: UTF8.self)
    }
    return Result(
      status: process.terminationStatus, wasKilled: process.terminationReason == .uncaughtSignal,
      output: try text("\(name).out"), errors: try text("\(name).err"))
  }

  private func file(_ name: String) throws -> FileHandle {
    let url = URL(fileURLWithPath: "\(streams)/\(name)")
    try Data().write(to: url)
    return try FileHandle(forWritingTo: url)
  }

  /// Every file of the folder and its subfolders.
  var files: [String: State] {
    get throws {
      let names = FileManager.default.enumerator(atPath: path)?.compactMap { $0 as? String } ?? []
      return try names.reduce(into: [:]) { files, name in
        let attributes = try FileManager.default.attributesOfItem(atPath: "\(path)/\(name)")
        let isFile = attributes[.type] as? FileAttributeType == .typeRegular
        files[name] = State(
          bytes: isFile ? try Data(contentsOf: URL(fileURLWithPath: "\(path)/\(name)")) : nil,
          mode: (attributes[.posixPermissions] as? NSNumber)?.intValue ?? -1)
      }
    }
  }

  func bytes(of name: String) -> Data? {
    FileManager.default.contents(atPath: "\(path)/\(name)")
  }

  /// The functions that scripts can use beside bash and the command.
  private static let tools = """
    set -o pipefail
    # Runs the command as somebody whom permissions bind, by way of what OFFLINE names.
    unprivileged() {
      if [ "$(id -u)" -ne 0 ]; then ${OFFLINE-} "$@"; return; fi
      [ -e "$TMPDIR/$1" ] || ln "$PRODUCTS/$1" "$TMPDIR/$1" 2>/dev/null || cp "$PRODUCTS/$1" "$TMPDIR/$1"
      chmod 755 "$TMPDIR"
      ${OFFLINE-} python3 -c 'import os, sys
    os.setgroups([]); os.setgid(65534); os.setuid(65534)
    os.execv(sys.argv[1], sys.argv[1:])' "$TMPDIR/$1" "${@:2}"
    }
    # terminal COLUMNS COMMAND…: runs the command on a terminal of its own and prints what it showed.
    terminal() { python3 "$TOOLS/terminal.py" "$@"; }
    # interrupted COLUMNS COMMAND…: the same for a command that is interrupted once it shows something.
    interrupted() { python3 "$TOOLS/terminal.py" --interrupt "$@"; local status=$?; echo; return $status; }
    # wider COLUMNS: prints the lines of standard input that have more characters.
    wider() { python3 -c 'import sys
    [print(line) for line in sys.stdin.read().splitlines() if len(line) > int(sys.argv[1])]' "$1"; }
    """
}
