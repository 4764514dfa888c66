// SPDX-License-Identifier: MIT
import ADALMigration
import MSALCache

/// Comma-separated values as RFC 4180 has them, or with semicolons in place of commas.
enum CSV {
  /// The records of a text, without blank lines. Lines count from 1.
  ///
  /// Between fields are semicolons when the first line has some and no comma.
  static func records(of text: String) throws -> [(line: Int, fields: [String])] {
    let header = text.unicodeScalars.prefix { $0 != "\n" && $0 != "\r" }
    let separator: Unicode.Scalar = header.contains(";") && !header.contains(",") ? ";" : ","
    var records: [(line: Int, fields: [String])] = []
    var fields: [String] = []
    var field = ""
    var isQuoted = false
    var wasQuoted = false
    var line = 1
    var start = 1

    func endField() {
      fields.append(field)
      field = ""
      wasQuoted = false
    }
    func endRecord() {
      if fields.isEmpty, field.trimmed.isEmpty, !wasQuoted {
        field = ""
      } else {
        endField()
        records.append((start, fields))
        fields = []
      }
    }

    var characters = Array(text.unicodeScalars)[...]
    while let character = characters.popFirst() {
      if character == "\n" { line += 1 }
      if isQuoted {
        if character != "\"" {
          field.unicodeScalars.append(character)
        } else if characters.first == "\"" {
          characters.removeFirst()
          field.append("\"")
        } else {
          isQuoted = false
        }
        continue
      }
      switch character {
      case "\"" where field.trimmed.isEmpty && !wasQuoted:
        field = ""
        isQuoted = true
        wasQuoted = true
      case separator: endField()
      case "\r" where characters.first == "\n": break
      case "\n", "\r":
        endRecord()
        start = line
      default: field.unicodeScalars.append(character)
      }
    }
    guard !isQuoted else {
      throw MigrationError.invalidPolicy("line \(start): a quotation mark is not closed")
    }
    endRecord()
    return records
  }

  /// One line of a CSV file, quoted where it has to be, with nothing in it that a spreadsheet takes for a
  /// formula.
  static func line(_ fields: [String]) -> String {
    let quoted = fields.map(withGuard).map { text in
      // By scalars: as a character a line break of two is neither of them.
      text.unicodeScalars.contains(where: { ",;\"\r\n".unicodeScalars.contains($0) })
        ? "\"\(doubled(text))\"" : text
    }
    return quoted.joined(separator: ",") + "\n"
  }

  /// Text with each quotation mark twice.
  private static func doubled(_ text: String) -> String {
    text.unicodeScalars.split(separator: "\"", omittingEmptySubsequences: false)
      .map { String($0) }.joined(separator: "\"\"")
  }

  /// An apostrophe before text that a spreadsheet would run: a user name can be any text.
  private static let formulaGuard: Unicode.Scalar = "'"
  /// The first characters of formulas, including full-width forms.
  private static let formulaStarts = Set("=+-@\t\r＝＋－＠".unicodeScalars)
  /// The characters with which a spreadsheet can end a cell inside quotation marks. With `;` between cells, as in many
  /// languages, quotation marks inside a cell do not count.
  private static let cuts = Set(";\t\r\n".unicodeScalars)

  /// Whether a spreadsheet takes a text for a formula, also behind guards.
  private static func isFormula(_ text: Substring.UnicodeScalarView) -> Bool {
    text.first { $0 != formulaGuard }.map(formulaStarts.contains) ?? false
  }

  /// The text with each part between ``cuts`` changed.
  private static func mapParts(
    _ text: String, _ change: (Substring.UnicodeScalarView) -> String
  ) -> String {
    var result = ""
    var rest = text.unicodeScalars[...]
    while true {
      let part = rest.prefix { !cuts.contains($0) }
      result += change(part)
      rest = rest[part.endIndex...]
      guard let cut = rest.popFirst() else { return result }
      result.unicodeScalars.append(cut)
    }
  }

  private static func withGuard(_ text: String) -> String {
    let guarded = mapParts(text) { isFormula($0) ? "\(formulaGuard)\(String($0))" : String($0) }
    // A line break or a tab that begins the field is one itself.
    return startsWithCut(text.unicodeScalars[...]) ? "\(formulaGuard)\(guarded)" : guarded
  }

  /// The field without the guards that ``line(_:)`` put into it.
  static func withoutGuard(_ text: String) -> String {
    let hasOuter =
      text.unicodeScalars.first == formulaGuard && startsWithCut(text.unicodeScalars.dropFirst())
    let inner = hasOuter ? String(text.unicodeScalars.dropFirst()) : text
    return mapParts(inner) {
      $0.first == formulaGuard && isFormula($0) ? String($0.dropFirst()) : String($0)
    }
  }

  /// Whether a text begins, behind guards, with a character that is both a separator and the start of a formula.
  private static func startsWithCut(_ text: Substring.UnicodeScalarView) -> Bool {
    text.first { $0 != formulaGuard }.map { $0 == "\t" || $0 == "\r" } ?? false
  }
}
