// SPDX-License-Identifier: MIT
import ADALMigration
import MigrationReports
import MSALCache
import MSALLookup

extension LookUpResult {
  /// The answers for a person: what was found, and of what was not, why.
  ///
  /// - Parameter width: the columns of the terminal; nil where lines may be as long as they are.
  func text(width: Int?) -> String {
    let width = width ?? .max
    var lines = TextLines.fill(headline, width: width) + [""]
    lines += title("accounts", accounts.isEmpty ? "none" : "\(accounts.count)")
    lines += accounts.flatMap { $0.lines(width: width) }
    lines += explained(accountCandidates, accountError, width)
    for (name, token) in [
      ("refresh token", refreshToken), ("ID token", idToken), ("access token", accessToken),
    ] {
      guard let token else { continue }
      lines += title(name, token.words)
      if let why = token.why { lines += TextLines.fill(why, width: width, indent: 2, hanging: 4) }
      lines += explained(token.candidates, token.error, width)
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private var headline: String {
    let parts = [
      ("account", !accounts.isEmpty), ("refresh token", refreshToken?.found),
      ("ID token", idToken?.found), ("access token", accessToken?.found),
    ]
    let missing = parts.filter { $0.1 == false }.map(\.0)
    return missing.isEmpty
      ? "Everything that was asked for is there." : "Not found: \(missing.joined(separator: ", "))."
  }

  private func title(_ name: String, _ words: String) -> [String] {
    [name.padding(to: 15) + words]
  }

  private func explained(
    _ candidates: [Candidate]?, _ error: String?, _ width: Int
  ) -> [String] {
    func fill(_ text: String, _ indent: Int = 2) -> [String] {
      // Quoted home account ids take 80 columns from there.
      TextLines.fill(text, width: width, indent: indent, hanging: 4)
    }
    let failure = error.map { fill("MSAL reports an error: \($0)") } ?? []
    guard let candidates else { return failure }
    if candidates.isEmpty {
      return failure.isEmpty ? fill("the cache has no entry of this kind") : failure
    }
    // What passed the most checks is what the person had in mind.
    let nearest = candidates.enumerated().sorted { a, b in
      (-a.element.depth, a.offset) < (-b.element.depth, b.offset)
    }
    let shown = 3
    let more = candidates.count > shown ? ["  and \(candidates.count - shown) more"] : []
    return failure
      + nearest.prefix(shown).map(\.element).flatMap { candidate in
        ["  " + TextTable.cut(candidate.place.words, to: max(20, width - 2))]
          + fill("\(candidate.failed): \(PlainText.show(candidate.why))", 4)
      } + more
  }
}

extension LookUpResult.Account {
  fileprivate func lines(width: Int) -> [String] {
    let name = username.map { PlainText.show($0) } ?? "(no name)"
    let host = PlainText.show(environment ?? "no environment")
    let id = identifier.map { PlainText.show($0) } ?? "no identifier before the first refresh"
    let line = "  \(name)  \(host)"
    let heading = TextLines.fits(line, in: width) ? [line] : ["  \(name)", "    \(host)"]
    return heading + ["    \(id)"]
      + tenantProfiles.map { profile in
        let tenant = PlainText.show(profile.tenantId ?? "no tenant")
        return "    tenant \(tenant)" + (profile.home ? ", home" : "")
      }
  }
}

extension LookUpResult.Token {
  fileprivate var words: String {
    guard found else { return "none" }
    let digest = secretSha256.map { "SHA-256 \($0)…" } ?? ""
    let family = (familyId ?? nil).map { ", of family \(PlainText.show($0))" } ?? ""
    return digest + family + (legacy ?? false ? ", from a row of ADAL's" : "")
  }
}

extension LookUpResult.Candidate {
  /// How far the entry came in the order of the checks.
  fileprivate var depth: Int {
    LookupCandidate.Predicate.allCases.firstIndex { $0.rawValue == failed } ?? 0
  }
}

extension LookUpResult.Candidate.Place {
  fileprivate var words: String {
    if let section, let key { return "\(section) \(PlainText.show(key))" }
    let item = index.map { "item \($0)" } ?? "a row"
    if let row { return "\(item): \(PlainText.show(row))" }
    return svce.map { $0.isEmpty ? item : "\(item) (\(PlainText.show($0)))" } ?? item
  }
}

extension String {
  fileprivate func padding(to width: Int) -> String {
    self + String(repeating: " ", count: max(1, width - count))
  }
}
