// SPDX-License-Identifier: MIT
import Foundation
import Testing

/// Processes that die in the middle, and processes that meet.
@Suite(.serialized) struct InterruptionTests {
  private static let migrate =
    "adal2msal migrate source.items.json --now 1700000000 --format json --into"

  /// The content of a target of any kind, as another program reads it.
  private func content(_ name: String, _ workshop: Workshop) throws -> String {
    let script = """
      import json, os, shutil, sqlite3, sys, tempfile, zlib
      name = sys.argv[1]
      if name.endswith(".sqlite"):
          # SQLite itself rolls back what was not committed, here in a copy.
          folder = tempfile.mkdtemp()
          for suffix in ["", "-journal"]:
              if os.path.exists(name + suffix):
                  shutil.copy(name + suffix, folder + "/copy" + suffix)
          rows = sqlite3.connect(folder + "/copy").execute("select * from items order by agrp, acct, svce").fetchall()
          print(len(rows), zlib.crc32(repr(rows).encode()))
      else:
          text = open(name).read()
          json.loads(text)
          print(len(text), zlib.crc32(text.encode()))
      """
    let result = try workshop.run("python3 -c '\(script)' \(name)")
    #expect(result.status == 0, "\(result.errors)")
    return result.output
  }

  @Test(arguments: ["t.sqlite", "t.items.json", "t.json"])
  func aKilledMigrationLeavesTheOldOrTheNew(target: String) throws {
    let workshop = try Workshop()
    try BigCache.write(groups: 8, into: workshop)
    let whole = try workshop.run("\(Self.migrate) whole-\(target) >/dev/null")
    #expect(whole.status == 0, "\(whole.errors)")
    let new = try content("whole-\(target)", workshop)
    var generator = SystemRandomNumberGenerator()
    for trial in 0..<8 {
      for name in try workshop.files.keys
      where !name.contains("whole") && name != "source.items.json" {
        try FileManager.default.removeItem(atPath: "\(workshop.path)/\(name)")
      }
      // Half of the time there is a target already, with what another cache brought.
      var old: String?
      if trial.isMultiple(of: 2) {
        let first =
          "adal2msal migrate \"$SAMPLES/contoso.sqlite\" --now 1700000000 --into \(target)"
        #expect(try workshop.run(first).status == 0)
        old = try content(target, workshop)
      }
      let process = try workshop.start("exec \(Self.migrate) \(target)")
      // Most of the time passes before anything is written.
      while process.isRunning, trial > 1, try !isWriting(workshop) { usleep(200) }
      usleep(.random(in: 0..<(trial > 1 ? 20_000 : 400_000), using: &generator))
      process.terminate(with: SIGKILL)
      process.waitUntilExit()
      try expectOldOrNew(target, old: old, new: new, workshop)
      // The next run completes, and leaves nothing of the one that was killed.
      let again = try workshop.run("\(Self.migrate) \(target)")
      #expect(again.status == 0, "\(again.errors)")
      let last = try workshop.run("\(Self.migrate) \(target) | grep '\"written\"'")
      #expect(last.output == "    \"written\" : 0\n", "\(last.errors)")
      let left = try FileManager.default.contentsOfDirectory(atPath: workshop.path).sorted()
      #expect(left == ["source.items.json", target, "whole-\(target)"].sorted())
    }
  }

  private func expectOldOrNew(
    _ target: String, old: String?, new: String, _ workshop: Workshop
  ) throws {
    guard workshop.bytes(of: target) != nil else {
      #expect(old == nil)
      return
    }
    let found = try content(target, workshop)
    if let old, found == old { return }
    if old == nil { #expect(found == new) } else { #expect(found != old) }
  }

  /// Whether a temporary file, a journal or a lock is there.
  private func isWriting(_ workshop: Workshop) throws -> Bool {
    try FileManager.default.contentsOfDirectory(atPath: workshop.path).contains {
      $0.hasSuffix(".tmp") || $0.hasSuffix("-journal") || $0.hasSuffix(".lockfile")
    }
  }

  @Test(arguments: ["t.sqlite", "t.items.json", "t.json"])
  func twoAtOnceAddWhatOneAdds(target: String) throws {
    let workshop = try Workshop()
    try BigCache.write(groups: 3, into: workshop)
    #expect(try workshop.run("\(Self.migrate) one-\(target)").status == 0)
    for _ in 0..<3 {
      let names = ["first", "second", "third"]
      let processes = try names.map {
        try workshop.start("exec \(Self.migrate) \(target)", name: $0)
      }
      for (process, name) in zip(processes, names) {
        process.waitUntilExit()
        let result = try workshop.result(of: process, name: name)
        // Whoever comes too late for a new file adds to it.
        #expect(result.status == 0 && !result.wasKilled, "\(result.errors)")
      }
      #expect(try content(target, workshop) == content("one-\(target)", workshop))
      let left = try FileManager.default.contentsOfDirectory(atPath: workshop.path).sorted()
      #expect(left == ["one-\(target)", "source.items.json", target])
      try FileManager.default.removeItem(atPath: "\(workshop.path)/\(target)")
    }
  }
}

extension Process {
  fileprivate func terminate(with signal: Int32) {
    if isRunning { kill(processIdentifier, signal) }
  }
}
