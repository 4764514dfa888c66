// SPDX-License-Identifier: MIT
import ADALMigration
import MigrationReports

/// The answer to a look-up as text: the most important first, then the results, then the misses with their reasons.
struct AnswerText {
  let result: LookupRendering
  let request: AppRequest
  let width: Int

  /// The most lines of each list. The JSON has all of them.
  private static let shown = (rows: 5, known: 10, candidates: 3, alternatives: 2)

  var text: String {
    var lines = unknownClient + fill(result.headline)
    lines += ownRows + knownAccounts + [""]
    lines += title("accounts", result.accounts.isEmpty ? "none" : "\(result.accounts.count)")
    lines += result.accounts.flatMap { $0.lines(width: width) } + alternatives
    lines += explained(result.accountCandidates, result.accountError, toldByRows: true)
    for (name, token) in result.tokens {
      lines += title(name, token.words)
      if let why = token.why { lines += fill(why, 2) }
      lines += explained(token.candidates, token.error, toldByRows: name == "refresh token")
    }
    lines += remedies
    return lines.joined(separator: "\n") + "\n"
  }

  private func fill(_ text: String, _ indent: Int = 0) -> [String] {
    TextLines.fill(text, width: width, indent: indent, hanging: indent == 0 ? 0 : 4)
  }

  private func title(_ name: String, _ words: String) -> [String] {
    [name + String.spaces(max(1, 15 - name.count)) + words]
  }

  /// The lines of the first elements, and how many more there are.
  private func lines<Element>(
    of elements: [Element], atMost shown: Int, _ lines: (Element) -> [String]
  ) -> [String] {
    elements.prefix(shown).flatMap(lines)
      + (elements.count > shown ? ["  and \(elements.count - shown) more"] : [])
  }

  /// That the client which asks is not in the cache, which explains all the rest.
  private var unknownClient: [String] {
    guard let known = result.knownClients else { return [] }
    let client = PlainText.show(request.clientID)
    guard result.otherGroups.isEmpty else {
      let groups = result.otherGroups.map { PlainText.show($0) }.joined(separator: ", ")
      return fill(
        "The selected access group has no entry of the client \(client). Its entries are in \(groups)."
      )
    }
    if known.isEmpty { return fill("The cache has no client.") }
    return fill("The cache knows no client \(client). It has:")
      + lines(of: known, atMost: Self.shown.known) { ["  \(PlainText.show($0))"] }
  }

  private var ownRows: [String] {
    guard let rows = result.rows, !rows.isEmpty else { return [] }
    return ["", "rows that cannot be used"]
      + lines(of: rows, atMost: Self.shown.rows) { row in
        let client = row.clientID.map { ", client \(PlainText.show($0))" } ?? ""
        return fill("row \(row.row): \(row.kind)\(client)", 2)
          + fill("\(row.failed): \(PlainText.show(row.why))", 4)
      }
  }

  private var knownAccounts: [String] {
    guard let known = result.knownAccounts else { return [] }
    if known.isEmpty { return fill("The cache has no account.") }
    let what = request.username == nil ? "identifier" : "name"
    return fill("No account in the cache has that \(what). There are:")
      + lines(of: known, atMost: Self.shown.known) { account in
        let name = account.username.map { PlainText.show($0) } ?? "(no name)"
        return ["  \(name)"] + (account.identifier.map { ["    \(PlainText.show($0))"] } ?? [])
          + account.clients.map { "    client \(PlainText.show($0))" }
      }
  }

  private var alternatives: [String] {
    let usual = Set(result.accounts)
    return lines(of: result.alternatives ?? [], atMost: Self.shown.alternatives) { accounts in
      fill("MSAL's result order is undefined; it may also return", 2)
        + accounts.filter { !usual.contains($0) }.flatMap { $0.lines(width: width) }
    }
  }

  /// The reasons why entries do not match.
  ///
  /// - Parameter toldByRows: whether the rows that are told first say all of it.
  private func explained(
    _ candidates: [LookupRendering.Candidate]?, _ error: String?, toldByRows: Bool
  ) -> [String] {
    if let error { return fill("MSAL reports an error: \(error)", 2) }
    guard let candidates else { return [] }
    if candidates.isEmpty { return fill("the cache has no entry of this kind", 2) }
    let nearest = request.asksForAccount ? candidates.nearest : candidates.inOrder
    if nearest.isEmpty { return fill("no entry in the cache matches this account", 2) }
    if toldByRows, !(result.rows ?? []).isEmpty { return fill("see the rows above", 2) }
    return lines(of: nearest, atMost: Self.shown.candidates) { candidate in
      ["  " + TextTable.cut(candidate.words, to: max(20, width - 2))]
        // Quoted home account ids take 80 columns from there.
        + fill("\(candidate.failed.rawValue): \(PlainText.show(candidate.why))", 4)
    }
  }

  private var remedies: [String] {
    guard let remedies = result.remedies, !remedies.isEmpty else { return [] }
    let shown = remedies.prefix(Self.shown.rows)
    var pages: [String] = []
    for page in shown.compactMap(\.failed) where !pages.contains(page) { pages.append(page) }
    let more = pages.map { "adal2msal explain \($0)" }.joined(separator: ", ")
    return ["", "what to do"]
      + shown.flatMap { remedy in
        fill((remedy.failed.map { "\($0): " } ?? "") + PlainText.show(remedy.remedy), 2)
      } + (pages.isEmpty ? [] : fill("more: \(more)", 2))
  }
}

extension LookupRendering.Account {
  fileprivate func lines(width: Int) -> [String] {
    let name = username.map { PlainText.show($0) } ?? "(no name)"
    let host = PlainText.show(environment ?? "no environment")
    let id = identifier.map { PlainText.show($0) } ?? "no identifier before the first refresh"
    let line = "  \(name)  \(host)"
    let heading = TextLines.fits(line, in: width) ? [line] : ["  \(name)", "    \(host)"]
    return heading + ["    \(id)"]
      + tenantProfiles.map { profile in
        let tenant = PlainText.show(profile.tenantID ?? "no tenant")
        return "    tenant \(tenant)" + (profile.isHome ? ", home" : "")
      }
  }
}

extension LookupRendering.Token {
  var words: String {
    guard isFound else { return "none" }
    let digest = digest.map { "SHA-256 \($0)…" } ?? ""
    let family = (familyID ?? nil).map { ", of family \(PlainText.show($0))" } ?? ""
    return digest + family + (isLegacy ?? false ? ", from a row of ADAL's" : "")
  }
}

extension LookupRendering.Candidate {
  var words: String {
    if let section = place.section, let key = place.key {
      let entry = "\(section) \(PlainText.show(key))"
      return row.map { "row \($0): \(entry)" } ?? entry
    }
    let name = row.map { "row \($0)" } ?? place.index.map { "item \($0)" } ?? "a row"
    if let words = place.words { return "\(name): \(PlainText.show(words))" }
    return place.service.map { $0.isEmpty ? name : "\(name) (\(PlainText.show($0)))" } ?? name
  }
}
