// SPDX-License-Identifier: MIT
import Foundation

/// A file of the project, and what is looked for in it.
struct SourceFile: Sendable {
  /// From the package's root, with `/`.
  var path: String
  var lines: [String]
  private let text: String

  init(path: String, text: String) {
    self.path = path
    self.text = text
    lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    if lines.last == "" { lines.removeLast() }
  }

  static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().path

  /// The files below a folder with one of these extensions, in the order of their paths; build folders
  /// vectors and the documentation's examples left out.
  static func all(in folder: String, extensions: Set<String> = ["swift"]) throws -> [SourceFile] {
    try folder == "Sources" && extensions == ["swift"]
      ? sources.get() : find(in: folder, extensions)
  }

  /// The files that most tests ask for.
  private static let sources = Result { try find(in: "Sources", ["swift"]) }

  private static func find(in folder: String, _ extensions: Set<String>) throws -> [SourceFile] {
    let names =
      FileManager.default.enumerator(atPath: "\(root)/\(folder)")?
      .compactMap { $0 as? String } ?? []
    return try names.sorted().compactMap { name in
      let parts = name.split(separator: "/")
      guard
        parts.allSatisfy({
          ![".build", "Vectors", "__pycache__"].contains($0) && !$0.hasSuffix(".docc")
        }),
        let ending = name.split(separator: ".").last, extensions.contains(String(ending))
      else { return nil }
      let text = try String(contentsOfFile: "\(root)/\(folder)/\(name)", encoding: .utf8)
      return SourceFile(path: "\(folder)/\(name)", text: text)
    }
  }

  /// The folder below `Sources` or `Tests`.
  var room: String {
    let parts = path.split(separator: "/")
    return parts.count > 1 ? String(parts[1]) : ""
  }

  /// The modules that the file imports.
  var imports: [String] {
    lines.compactMap { line in
      let words = line.split(separator: " ").drop {
        $0.hasPrefix("@")
          || ["public", "package", "internal", "fileprivate", "private"].contains($0)
      }
      guard words.first == "import" else { return nil }
      let kinds = ["struct", "class", "enum", "protocol", "typealias", "func", "let", "var"]
      return words.dropFirst().drop { kinds.contains(String($0)) }.first
        .map { String($0.prefix { $0 != "." }) }
    }
  }

  /// The numbers, from 1, of the lines whose code, comments left out, has one of `words` as a word.
  func lines(with words: [String]) -> [Int] {
    let words = words.filter(has)
    if words.isEmpty { return [] }
    return zip(1..., lines).filter { _, line in
      let code = Self.code(of: line)
      return words.contains { Self.has($0, in: code) }
    }.map(\.0)
  }

  /// Whether a line's code, comments left out, has this text.
  func hasCode(with text: String) -> Bool {
    has(text) && lines.contains { Self.code(of: $0).contains(text) }
  }

  /// Whether the file has this text, be it in a comment.
  func has(_ text: String) -> Bool { self.text.hasBytes(of: text) }

  /// The numbers, from 1, of the lines with a regular expression between slashes, which stand where no
  /// division can.
  var regexLiterals: [Int] {
    zip(1..., lines).filter { _, line in
      let code = Self.code(of: line)
      return code.contains("#/")
        || ["(/", "= /", ", /", "[/", ": /", "return /"].contains { start in
          code.range(of: start).map { found in
            let next = code[found.upperBound...].first ?? " "
            return !" /*".contains(next) && !Self.isInText(found.lowerBound, code)
          } ?? false
        }
    }.map(\.0)
  }

  private static func isInText(_ place: String.Index, _ code: Substring) -> Bool {
    code[..<place].count { $0 == "\"" } % 2 == 1
  }

  /// The members that a type has from a protocol, whose documentation they share.
  private static let inherited = [
    "static func ==", "static func <", "func hash(", "func encode(", "init(from ",
    "var description:", "var debugDescription", "var customMirror", "func forEachItem(",
    "func add(_ items: [KeychainItem])",
  ]

  /// The numbers, from 1, of the lines that begin something public without saying what it is.
  var undocumented: [Int] {
    let lines = lines.map { $0.drop { $0 == " " } }
    return lines.indices.filter { index in
      let line = lines[index]
      guard line.hasPrefix("public "), !line.hasPrefix("public extension"),
        !Self.inherited.contains(where: { line.dropFirst(7).hasPrefix($0) })
      else { return false }
      let above = lines[..<index].last { line in
        !line.hasPrefix("@") && !(line.hasPrefix("//") && !line.hasPrefix("///"))
      }
      return !(above?.hasPrefix("///") ?? false)
    }.map { $0 + 1 }
  }

  /// The line without its comment.
  static func code(of line: String) -> Substring {
    // A slash pair in a string is taken for a comment only if a space stands before it.
    if line.drop(while: { $0 == " " }).hasPrefix("//") { return "" }
    guard let comment = line.range(of: " //") else { return line[...] }
    return line[..<comment.lowerBound]
  }

  /// Whether `word` occurs and no letter, digit or underscore stands before or after it.
  private static func has(_ word: String, in code: Substring) -> Bool {
    func isPart(_ character: Character?) -> Bool {
      character.map { $0.isLetter || $0.isNumber || $0 == "_" } ?? false
    }
    var rest = code
    while let found = rest.range(of: word) {
      let before =
        found.lowerBound == code.startIndex ? nil : code[code.index(before: found.lowerBound)]
      let after = found.upperBound == code.endIndex ? nil : code[found.upperBound]
      let startsWithPart = isPart(word.first)
      if !(startsWithPart && isPart(before)), !(isPart(word.last) && isPart(after)) { return true }
      rest = code[found.upperBound...]
    }
    return false
  }

  /// The numbers, from 1, of the lines that reveal a secret and do not say why: in a comment on the
  /// line, or in the comment directly above.
  var unexplainedReveals: [Int] {
    lines.indices.filter { index in
      let code = Self.code(of: lines[index])
      guard
        code.contains(".reveal()") || code.contains(".revealText()")
          || code.contains(".reveal)") || code.contains(".revealText)")
      else { return false }
      let above = lines[..<index].reversed()
        .prefix { $0.drop(while: { $0 == " " }).hasPrefix("//") }
      return !([lines[index]] + above).contains { $0.contains("// Reveal: ") }
    }.map { $0 + 1 }
  }
}

extension String {
  /// Whether the bytes of another text are in this one. Foundation's search, which compares as Unicode does, takes a
  /// hundred times as long.
  func hasBytes(of text: String) -> Bool {
    withCString { strstr($0, text) != nil }
  }
}
