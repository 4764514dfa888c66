// SPDX-License-Identifier: MIT
import ArgumentParser
import CacheFiles

/// The help texts of commands, from Help.md.
enum Help {
  private static let values = [
    "places": PlaceScheme.all.map(\.example),
    "files": PlaceScheme.ofFiles.map(\.example),
    "extensions": PlaceScheme.all.flatMap(\.extensions),
  ]

  /// A line with the values in the place of their names in braces.
  private static func line(_ bytes: ArraySlice<UInt8>) -> String {
    let brace = UInt8(ascii: "{")
    guard bytes.contains(brace) else { return String(decoding: bytes, as: UTF8.self) }
    let parts = bytes.split(omittingEmptySubsequences: false) {
      $0 == brace || $0 == UInt8(ascii: "}")
    }.map { String(decoding: $0, as: UTF8.self) }
    var line = ""
    for (number, part) in parts.enumerated() {
      // Every second part was in braces.
      let value = number.isMultiple(of: 2) ? part : values[part]?.joined(separator: ", ")
      line += value ?? "{\(part)}"
    }
    return line
  }

  /// The text after the usage, by command: paragraphs with empty lines between them, and code below its paragraph.
  ///
  /// ArgumentParser asks for all of them at every start, so that they are made by bytes and at once.
  static let pages: [String: String] = {
    var pages: [String: String] = [:]
    var command = ""
    var isCode = false
    var separator = ""
    let bytes = PackageResources.Help_md
    for line in bytes.split(separator: 0x0A, omittingEmptySubsequences: false).map(line) {
      if line.hasPrefix("### ") {
        command = String(line.dropFirst(4))
        separator = ""
      } else if line == "```" {
        isCode.toggle()
      } else if isCode {
        pages[command, default: ""] += "\n  " + line
      } else if !line.isEmpty {
        pages[command, default: ""] += separator + line
        separator = " "
      } else if !separator.isEmpty {
        separator = "\n\n"
      }
    }
    // The text before the first heading is for the authors of the file.
    pages[""] = nil
    return pages
  }()
}

extension CommandConfiguration {
  /// A command of the tool with its page of the help. It knows the tool's name, since it can read its words alone.
  init(_ name: String, abstract: String, usage: String? = nil) {
    self.init(
      commandName: name, _superCommandName: "adal2msal", abstract: abstract, usage: usage,
      discussion: Help.pages[name] ?? "")
  }
}
