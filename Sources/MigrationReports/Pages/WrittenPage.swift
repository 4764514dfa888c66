// SPDX-License-Identifier: MIT

/// A page of prose as it is written down: a line, then paragraphs that begin with a name and a colon, except the
/// first. Lines may be broken anywhere. Backquotes mark code, as in Markdown.
package struct WrittenPage {
  /// The first line.
  package let title: String
  /// Each paragraph on one line, by its name; the name of the first is empty.
  private(set) var paragraphs: [(name: String, text: String)] = []

  /// The pages of a text, which have empty lines between them.
  ///
  /// - Parameter names: What paragraphs can begin with.
  package static func pages(in text: String, _ names: [String]) -> [WrittenPage] {
    text.split(separator: "\n", omittingEmptySubsequences: false).split(whereSeparator: \.isEmpty)
      .map { WrittenPage($0, names) }
  }

  private init(_ lines: ArraySlice<Substring>, _ names: [String]) {
    title = lines.first.map { String($0) } ?? ""
    var paragraph = (name: "", text: "")
    for line in lines.dropFirst() {
      if let name = names.first(where: { line.hasPrefix("\($0): ") }) {
        if !paragraph.text.isEmpty { paragraphs.append(paragraph) }
        paragraph = (name, String(line.dropFirst(name.count + 2)))
      } else {
        paragraph.text += paragraph.text.isEmpty ? line : " " + line
      }
    }
    paragraphs.append(paragraph)
  }

  /// The paragraph of a name.
  package subscript(name: String) -> String? { paragraphs.first { $0.name == name }?.text }
}
