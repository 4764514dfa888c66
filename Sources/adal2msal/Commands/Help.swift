// SPDX-License-Identifier: MIT
import ArgumentParser
import CacheFiles

/// The help texts of commands, from Help.md.
enum Help {
  /// The text that stands for a mark; nil if there is no such mark.
  private static func value(of mark: String) -> String? {
    switch mark {
    case "places": PlaceScheme.all.map(\.example).joined(separator: ", ")
    case "files": PlaceScheme.ofFiles.map(\.example).joined(separator: ", ")
    case "extensions": PlaceScheme.all.flatMap(\.extensions).joined(separator: ", ")
    default: nil
    }
  }

  /// A line with the values in the place of their names in braces.
  private static func line(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) -> String {
    let brace = UInt8(ascii: "{")
    guard bytes.contains(brace) else { return String(decoding: bytes, as: UTF8.self) }
    let parts = bytes.split(omittingEmptySubsequences: false) {
      $0 == brace || $0 == UInt8(ascii: "}")
    }.map { String(decoding: $0, as: UTF8.self) }
    var line = ""
    for (number, part) in parts.enumerated() {
      // Every second part was in braces.
      let value = number.isMultiple(of: 2) ? part : value(of: part)
      line += value ?? "{\(part)}"
    }
    return line
  }

  /// The text after the usage: paragraphs with empty lines between them, and code below its paragraph. Empty for a
  /// command that the file has no heading for.
  ///
  /// ArgumentParser asks for it at every start.
  static func page(of command: String) -> String {
    var page = ""
    var isCode = false
    var separator = ""
    for line in lines(below: Array("### \(command)".utf8)) {
      if line == "```" {
        isCode.toggle()
      } else if isCode {
        page += "\n  " + line
      } else if !line.isEmpty {
        page += separator + line
        separator = " "
      } else if !separator.isEmpty {
        separator = "\n\n"
      }
    }
    return page
  }

  /// The lines from a heading to the next one.
  private static func lines(below heading: [UInt8]) -> [String] {
    PackageResources.Help_md.withUnsafeBufferPointer { file in
      var lines: [String] = []
      var isBelow = false
      var rest = file[...]
      while let end = rest.firstIndex(of: 0x0A) {
        let line = rest[..<end]
        rest = rest[(end + 1)...]
        if line.starts(with: "### ".utf8) {
          isBelow = line.elementsEqual(heading)
        } else if isBelow {
          lines.append(Self.line(line))
        }
      }
      return lines
    }
  }
}

extension CommandConfiguration {
  /// A command of the tool with its page of the help. It knows the tool's name, since it can read its words alone.
  init(_ name: String, abstract: String, usage: String? = nil) {
    self.init(
      commandName: name, _superCommandName: "adal2msal", abstract: abstract, usage: usage,
      discussion: Help.page(of: name))
  }
}
