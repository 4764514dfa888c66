// SPDX-License-Identifier: MIT
import Foundation

/// The parts of a file that a person reads, each with the number of its line.
extension SourceFile {
  typealias ReadText = (line: Int, text: String)

  /// Data in place of text.
  private static let data: Set<String> = [
    "adalcache", "entitlements", "lock", "pbxproj", "plist", "png", "resolved", "sqlite", "svg",
    "txt",
  ]

  /// The files that are read in a place: a folder below the root, or the root itself.
  static func read(in place: String) throws -> [SourceFile] {
    let path = "\(root)/\(place)"
    let names =
      place == "."
      ? try FileManager.default.contentsOfDirectory(atPath: path)
      : FileManager.default.enumerator(atPath: path)?.compactMap { $0 as? String } ?? []
    return try names.sorted().compactMap { name in
      let parts = name.split(separator: "/")
      let ending = name.split(separator: ".").last.map(String.init) ?? ""
      var isFolder: ObjCBool = false
      guard !parts.contains(where: { $0.hasPrefix(".") || $0 == "__pycache__" }),
        !data.contains(ending), ending != "json" || name.hasSuffix(".schema.json"),
        name != "LICENSE", place != "Sources" || ending != "swift" || name.contains(".docc/"),
        FileManager.default.fileExists(atPath: "\(path)/\(name)", isDirectory: &isFolder),
        !isFolder.boolValue
      else { return nil }
      let text = try String(contentsOfFile: "\(path)/\(name)", encoding: .utf8)
      return SourceFile(path: place == "." ? name : "\(place)/\(name)", text: text)
    }
  }

  /// Every folder of the root, and those for services that run the project.
  static func places() throws -> [String] {
    let names = try FileManager.default.contentsOfDirectory(atPath: root).sorted().filter { name in
      var isFolder: ObjCBool = false
      return FileManager.default.fileExists(atPath: "\(root)/\(name)", isDirectory: &isFolder)
        && isFolder.boolValue && !name.hasPrefix(".") && name != "Tests"
    }
    return [".", ".ci", ".github"] + names
  }

  /// The text of a page, of a schema, or of a script with its comments.
  var readTexts: [ReadText] {
    switch path.split(separator: ".").last {
    case "md", "tutorial": prose
    case "json": descriptions
    default: script
    }
  }

  /// The texts of a Swift file that have a space.
  var texts: [ReadText] {
    var isInBlock = false
    let inQuotes = /"((?:[^"\\]|\\.)*)"/
    return zip(1..., lines).flatMap { number, line -> [(Int, String)] in
      let trimmed = line.trimmingCharacters(in: .whitespaces)
      if trimmed.components(separatedBy: "\"\"\"").count == 2 {
        isInBlock.toggle()
        return []
      }
      if isInBlock { return [(number, trimmed)] }
      if trimmed.hasPrefix("//") { return [] }
      return line.matches(of: inQuotes).map { (number, String($0.1)) }
    }.filter { $0.1.contains(" ") }.map { (line: $0.0, text: $0.1) }
  }

  /// The comments of a Swift file.
  var commentLines: [ReadText] {
    let code = /`[^`]*`/
    return zip(1..., lines).filter { _, line in
      line.trimmingCharacters(in: .whitespaces).hasPrefix("//")
    }.map { (line: $0, text: $1.replacing(code, with: "")) }
  }

  /// The lines of a page without code and without the targets of links.
  private var prose: [ReadText] {
    var isInBlock = false
    let (heading, code, target) = (/### \S+/, /`[^`]*`/, /\]\([^)]*\)/)
    return zip(1..., lines).compactMap { number, line in
      if line.hasPrefix("```") {
        isInBlock.toggle()
        return nil
      }
      // The id of a reason or a rule never changes. It is a heading and an anchor.
      if isInBlock || line.wholeMatch(of: heading) != nil || line.hasPrefix("<a id=") {
        return nil
      }
      return (number, line.replacing(code, with: "").replacing(target, with: "]"))
    }
  }

  /// The descriptions of a schema.
  private var descriptions: [ReadText] {
    zip(1..., lines).flatMap { number, line in
      line.matches(of: /"(?:title|description)": "((?:[^"\\]|\\.)*)"/).map {
        (line: number, text: $0.1.replacing(/`[^`]*`/, with: ""))
      }
    }.map { (line: $0.line, text: String($0.text)) }
  }

  /// The lines of a script or a sample, names included, without texts of one word, which are data.
  private var script: [ReadText] {
    let data = /`[^`]*`|"[^" ]*"|'[^' ]*'/
    return zip(1..., lines).map { number, line in
      (number, line.replacing(data, with: ""))
    }
  }
}
