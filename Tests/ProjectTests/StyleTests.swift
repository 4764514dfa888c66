// SPDX-License-Identifier: MIT
import Foundation
import Testing

/// The rules of style that hold in every file.
@Suite struct StyleTests {
  private static let all = ["Sources", "Tests", "Samples"]

  private func swiftFiles() throws -> [SourceFile] {
    try Self.all.flatMap { try SourceFile.all(in: $0) }
  }

  @Test func everyFileNamesItsLicense() throws {
    let files = try swiftFiles()
    #expect(files.count > 50)
    for file in files {
      let header = file.path.hasSuffix("Package.swift") ? 1 : 0
      #expect(
        file.lines.dropFirst(header).first == "// SPDX-License-Identifier: MIT", "\(file.path)")
    }
  }

  @Test func whatIsPublicIsDocumented() throws {
    for file in try SourceFile.all(in: "Sources") {
      #expect(file.undocumented == [], "\(file.path)")
    }
    let text = """
      /// Is.
      @frozen
      public struct A: Equatable {
        public var b = 1
        // Not the documentation.
        public init() {}
        public static func == (a: A, b: A) -> Bool { true }
        /// Is.
        // A remark.
        public let c = 2
      }
      """
    #expect(SourceFile(path: "", text: text).undocumented == [4, 6])
  }

  @Test func noFileIsLong() throws {
    for file in try swiftFiles() {
      #expect(file.lines.count <= 400, "\(file.path)")
    }
  }

  @Test func nothingInSourcesCrashesOnPurpose() throws {
    let words = ["fatalError", "try!", "unsafeBitCast", "unsafelyUnwrapped", "abort("]
    for file in try SourceFile.all(in: "Sources") {
      #expect(file.lines(with: words) == [], "\(file.path)")
    }
  }

  @Test func nothingIsLeftUndoneOrTellsOfOneMachine() throws {
    // Spelled so that this file does not have them.
    let words = ["TO" + "DO", "FIX" + "ME", "XX" + "X:", "/work" + "/shared", "/home" + "/"]
    let files =
      try Self.all.flatMap {
        try SourceFile.all(in: $0, extensions: ["swift", "py", "md", "sh", "yml", "txt"])
      } + SourceFile.all(in: "scripts", extensions: ["sh"])
    for file in files where words.contains(where: file.has) {
      for (number, line) in zip(1..., file.lines) where words.contains(where: line.contains) {
        Issue.record("\(file.path):\(number)")
      }
    }
  }

  @Test func noFileHasAVagueName() throws {
    let vague = ["Util", "Helper", "Common", "Manager", "Misc"]
    for file in try SourceFile.all(in: "Sources") {
      #expect(!vague.contains { file.path.contains($0) }, "\(file.path)")
    }
  }
}

/// The search for faults, tried on faults.
@Suite struct SourceFileTests {
  private func file(_ text: String) -> SourceFile {
    SourceFile(path: "Sources/Room/a.swift", text: text)
  }

  @Test func importsOfEveryFormAreSeen() {
    let text = """
      import A
      @testable import B
      public import C
      import struct D.E
      @_exported import F
        internal import G
      // import H
      let important = 1
      """
    #expect(file(text).imports == ["A", "B", "C", "D", "F", "G"])
    #expect(file("").room == "Room")
  }

  @Test func unexplainedRevealsAreSeen() {
    let text = """
      a.reveal()
      // Reveal: because
      b.reveal()
      c.revealText()  // Reveal: because
      // Reveal: because
      // of much more
      d.reveal()

      // no reason
      e.revealText()
      // f.reveal()
      g.map(TokenSecret.reveal)
      """
    #expect(file(text).unexplainedReveals == [1, 10, 12])
  }

  @Test func wordsAreSeenInCodeOnly() {
    let text = """
      var a = stat()
      // stat(
      status()
      let b = 1  // stat
      fstat(x)
      x.stat
      url.appending(path: "x")
      """
    #expect(file(text).lines(with: ["stat"]) == [1, 6])
    #expect(file(text).lines(with: ["appending(path:"]) == [7])
    #expect(file("a\n\nb\n").lines.count == 3)
  }
}
