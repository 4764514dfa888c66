// SPDX-License-Identifier: MIT
import ADALMigration

/// The result of each file of a folder, as text.
struct FileLines {
  let report: Report
  let style: TextStyle
  private var words: ReportWords { ReportWords(report: report) }

  /// How many files a terminal shows in which all users stay signed in.
  private static let mostOfTheQuiet = 20
  /// How many names a line has, in a file and on a terminal.
  private static let mostNames = (inFile: 20, onTerminal: 3)

  /// A heading and some lines a file, after an empty line; nothing when one cache was read.
  var lines: [String] {
    guard !report.caches.isEmpty else { return [] }
    let quiet = report.caches.count { $0.status == 0 }
    let room = style.width == nil ? quiet : Self.mostOfTheQuiet
    var left = quiet <= room + 1 ? quiet : room
    let more = quiet - left
    let shown = report.caches.filter { cache in
      guard cache.status == 0 else { return true }
      left -= 1
      return left >= 0
    }
    return ["", "Files:"] + shown.flatMap(lines)
      + (more > 0 ? ["  … and \(more) more with exit status 0"] : [])
  }

  private func lines(of cache: Report.Cache) -> [String] {
    let name = "  \(PlainText.show(cache.file))"
    let status = cache.status == 0 ? "" : "  exit status \(cache.status)"
    let head = name + style.apply(.red, to: status)
    if let objection = cache.objection { return [head] + fill(PlainText.show(objection)) }
    if cache.rows == 0 {
      return [head] + fill("no \(words.rowNoun == "token" ? "tokens" : "entries")")
    }
    if report.kind == .inspection {
      let whose = names(cache) { _ in true }.map { " of \($0)" } ?? ""
      return [head] + fill(words.count(cache.rows, words.rowNoun) + whose)
    }
    let users = [
      names(cache) { $0 != .no }.map { "signed in: \($0)" },
      names(cache) { $0 == .no }.map { "must sign in: \($0)" },
    ].compactMap { $0 }
    return [head] + fill(cache.tally.sentence(words)) + users.flatMap(fill)
  }

  /// The names of the accounts with an answer; nil when there are none.
  private func names(_ cache: Report.Cache, _ isMeant: (Report.SignedIn) -> Bool) -> String? {
    let room = style.width == nil ? Self.mostNames.inFile : Self.mostNames.onTerminal
    return report.names(of: cache, atMost: room, where: isMeant) { $0.shownName }
  }

  private func fill(_ text: String) -> [String] {
    TextLines.fill(text, width: style.width ?? .max, indent: 4, hanging: 6)
  }
}

extension Report.Cache {
  /// How many of its rows became what.
  var tally: Tally {
    Tally(converted: converted, alreadyThere: alreadyThere, notConverted: notConverted)
  }
}

extension Report {
  /// The accounts of a file with some answer, `a, b and 3 more`; nil when there are none.
  func names(
    of cache: Cache, atMost room: Int, where isMeant: (SignedIn) -> Bool,
    _ shown: (Account) -> String
  ) -> String? {
    let users = cache.accounts.compactMap { accounts.indices.contains($0) ? accounts[$0] : nil }
      .filter { isMeant($0.signedIn) }
    guard !users.isEmpty else { return nil }
    let count = users.count <= room + 1 ? users.count : room
    let more = count < users.count ? " and \(users.count - count) more" : ""
    return users.prefix(count).map(shown).joined(separator: ", ") + more
  }
}
