// SPDX-License-Identifier: MIT
import ADALMigration
import MSALCache

/// Why a look-up found less than was asked for: what the cache knows of the account, beside what
/// MSAL asks of its entries.
struct MissExplanation {
  let request: AppRequest
  let inspection: CacheInspection
  /// The items that were asked; nil for a document.
  let items: LookupItems?

  /// Completes an answer.
  func explain(_ result: inout LookupRendering) {
    number(&result.accountCandidates)
    number(&result.refreshToken)
    number(&result.idToken)
    number(&result.accessToken)
    let isKnown = inspection.clients(in: items?.group).contains(where: isAsked)
    if !isKnown {
      result.knownClients = inspection.clients()
      result.otherGroups = inspection.groups(of: request.clientID)
    }
    // Of a client in another group it is enough to say so.
    let isElsewhere = !result.otherGroups.isEmpty && !request.asksForAccount
    if !isElsewhere, result.accounts.isEmpty || result.refreshToken?.found == false {
      let own = ownEntries(result)
      if own.isEmpty && request.asksForAccount {
        result.people = inspection.report.accounts.map(person).filter { $0.isSomebody }
      }
      result.rows = unusable(own, result)
    }
    result.remedies = remedies(result)
  }

  private func number(_ candidates: inout [LookupRendering.Candidate]?) {
    candidates = candidates?.map { candidate in
      var numbered = candidate
      numbered.row = inspection.row(of: candidate.origin, in: items)
      return numbered
    }
  }

  private func number(_ token: inout LookupRendering.Token?) {
    guard var numbered = token else { return }
    number(&numbered.candidates)
    token = numbered
  }

  private func isAsked(_ client: String?) -> Bool {
    client?.identifier.isExactly(request.clientID.identifier) ?? false
  }

  private func person(_ account: Report.Account) -> LookupRendering.Person {
    LookupRendering.Person(
      username: request.shown(account.userID),
      identifier: account.homeAccountID.map(request.names.identifier),
      environment: account.environment, clients: account.clients)
  }

  // MARK: The account's own rows

  /// The rows of the account, else those of the client.
  private func ownEntries(_ result: LookupRendering) -> [Report.Entry] {
    guard request.asksForAccount else {
      return inspection.report.entries.filter { isAsked($0.clientID) }
    }
    var own = inspection.entries(username: request.username, accountID: request.accountID)
    // A row may be filed under another name than it holds.
    let known = Set(own.map(\.row))
    let filed = Set(failures(result).keys).subtracting(known)
    own += inspection.report.entries.filter { filed.contains($0.row) }
    return own.sorted { $0.row < $1.row }
  }

  /// What MSAL asks of the account's own rows, by row: the check that failed.
  private func failures(_ result: LookupRendering) -> [Int: LookupRendering.Candidate] {
    let candidates = (result.accountCandidates ?? []) + (result.refreshToken?.candidates ?? [])
    let own = candidates.filter { !$0.isOfOthers }
    return Dictionary(own.compactMap { candidate in candidate.row.map { ($0, candidate) } }) {
      first, _ in first
    }
  }

  /// Those that the look-up cannot use, the nearest first.
  private func unusable(
    _ own: [Report.Entry], _ result: LookupRendering
  ) -> [LookupRendering.Row] {
    let failures = failures(result)
    let hasRefreshToken = own.contains { Self.refreshTokens.contains($0.kind) }
    var rows: [(rank: Int, row: LookupRendering.Row)] = []
    for entry in own {
      let isAccess = [.accessToken, .unifiedAccessToken].contains(entry.kind)
      guard !(isAccess && hasRefreshToken), let problem = problem(entry, failures[entry.row])
      else { continue }
      rows.append(
        (
          problem.rank,
          LookupRendering.Row(
            row: entry.row, place: place(of: entry), kind: entry.kind.rawValue,
            clientId: entry.clientID, failed: problem.failed, why: problem.why,
            remedy: problem.remedy)
        ))
    }
    return rows.sorted { ($0.rank, $0.row.row) < ($1.rank, $1.row.row) }.map(\.row)
  }

  private static let refreshTokens: Set<Report.RowKind> = [
    .multiResourceRefreshToken, .singleResourceToken, .familyRefreshToken, .unifiedRefreshToken,
  ]

  private func isInGroup(_ entry: Report.Entry) -> Bool {
    guard let group = items?.group, let own = entry.place.accessGroup else { return true }
    return own == group
  }

  /// Why a row is not what was asked for, and what to do.
  private struct Problem {
    /// How far the row is from what was asked for.
    var rank: Int
    /// A check or a reason.
    var failed: String
    var why: String
    var remedy: LookupRendering.Remedy

    init(_ rank: Int, _ check: PredicatePage, _ why: String) {
      self.rank = rank
      failed = check.code
      self.why = why
      remedy = LookupRendering.Remedy(failed: check.code, remedy: check.remedy)
    }

    init(_ rank: Int, _ reason: Reason) {
      self.rank = rank
      failed = reason.code
      why = reason.summary
      remedy = LookupRendering.Remedy(failed: reason.code, remedy: reason.remedy)
    }
  }

  /// Why a row of the account is not what was asked for; nil when it could be.
  private func problem(_ entry: Report.Entry, _ failure: LookupRendering.Candidate?) -> Problem? {
    if let reason = Self.reason(of: entry) {
      return Problem(isAsked(entry.clientID) ? 0 : 2, reason)
    }
    if [.unifiedIDToken, .unifiedAppMetadata].contains(entry.kind) { return nil }
    if !isInGroup(entry), let group = entry.place.accessGroup {
      let why = "is in the access group \(group), and \(items?.group ?? "another") is asked"
      return Problem(1, .accessGroup, why)
    }
    let isToken = entry.kind != .unifiedAccount && entry.kind != .familyRefreshToken
    if isToken, let client = entry.clientID, !isAsked(client) {
      return Problem(2, PredicatePage(.clientID), "is of the client \(client)")
    }
    if [.accessToken, .unifiedAccessToken].contains(entry.kind) {
      let why = "is an access token, and there is no refresh token"
      return Problem(3, PredicatePage(.refreshToken), why)
    }
    guard let failure, let check = PredicatePage(code: failure.failed) else { return nil }
    var problem = Problem(check == PredicatePage(.refreshToken) ? 3 : 0, check, failure.why)
    // Where a migration does not help, what keeps it from helping does.
    if entry.outcome == .notConverted, let reason = entry.reasons.first {
      var remedy = reason.remedy
      if check == PredicatePage(.authority), let authority = entry.authority {
        remedy = "use '--authority \(authority)' and that authority in the app, or \(remedy)"
      }
      problem.remedy = LookupRendering.Remedy(failed: reason.code, remedy: remedy)
    }
    return problem
  }

  /// What makes a row useless to MSAL, for every client.
  private static func reason(of entry: Report.Entry) -> Reason? {
    switch entry.kind {
    case .unreadable, .tombstone, .empty, .adfs, .b2c, .primaryRefreshToken, .appOnly, .onBehalfOf,
      .servicePrincipal:
      entry.reasons.first
    case _ where entry.library != nil && entry.homeAccountID == nil: entry.reasons.first
    default: entry.reasons.first { $0 == .targetCorrupt || $0 == .targetTypeClash }
    }
  }

  private func place(of entry: Report.Entry) -> LookupRendering.Candidate.Place {
    var place = LookupRendering.Candidate.Place(index: items == nil ? nil : entry.place.index)
    if items == nil {
      place.section = CacheInspection.section(of: entry.kind)
      place.key = entry.place.service.map(request.names.text)
    } else {
      place.svce = entry.place.service.map(request.names.text)
      if request.names.areReal { place.acct = entry.place.account }
    }
    return place
  }

  // MARK: What to do

  /// What to do, once for each thing that failed: the nearest rows first, then what is missing.
  private func remedies(_ result: LookupRendering) -> [LookupRendering.Remedy] {
    var remedies: [LookupRendering.Remedy] = []
    func add(_ remedy: LookupRendering.Remedy) {
      if !remedies.contains(remedy) { remedies.append(remedy) }
    }
    func add(_ check: PredicatePage) {
      add(LookupRendering.Remedy(failed: check.code, remedy: check.remedy))
    }
    let rows = result.rows ?? []
    let libraries =
      result.accounts.isEmpty ? Set(ownEntries(result).compactMap(\.library?.name)) : []
    if !libraries.isEmpty {
      let names = libraries.sorted().joined(separator: " and ")
      add(LookupRendering.Remedy(remedy: "migrate: these look-ups do not read what \(names) keeps"))
    }
    for row in rows { add(row.remedy) }
    if rows.isEmpty && !result.otherGroups.isEmpty { add(.accessGroup) }
    if !(result.people ?? []).isEmpty {
      let text = "use one of these names; '--username' also accepts them as shown"
      add(LookupRendering.Remedy(remedy: text))
    }
    if result.accounts.contains(where: { $0.identifier == nil }) {
      let own = ownEntries(result)
      if own.contains(where: { $0.outcome == .converted }) {
        let text = "migrate: MSAL then finds the account by identifier, with ADAL's tokens"
        add(LookupRendering.Remedy(remedy: text))
      }
      return remedies
    }
    guard !result.accounts.isEmpty else { return remedies }
    let told = Set(rows.map(\.row))
    for (token, missing) in [
      (result.refreshToken, PredicatePage(.refreshToken)),
      (result.idToken, PredicatePage(.idToken)),
      (result.accessToken, nil),
    ] where token?.found == false {
      let nearest = token?.nearest.first { candidate in
        candidate.row.map { !told.contains($0) } ?? true
      }
      if let check = nearest.flatMap({ PredicatePage(code: $0.failed) }) ?? missing { add(check) }
    }
    return remedies
  }
}
