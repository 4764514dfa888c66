// SPDX-License-Identifier: MIT
import ADALMigration
import MSALCache

/// The reasons for a miss: the cache's facts about the account, and MSAL's checks of its entries.
struct MissExplanation {
  let request: AppRequest
  let inspection: CacheInspection
  let items: LookupItems?

  func explain(_ result: inout LookupRendering) {
    result.accountCandidates = numbered(result.accountCandidates)
    for token in [\LookupRendering.refreshToken, \.idToken, \.accessToken] {
      let candidates = numbered(result[keyPath: token]?.candidates)
      result[keyPath: token]?.candidates = candidates
    }
    let isKnown = inspection.clients(in: items?.group).contains(where: isAsked)
    if !isKnown {
      result.knownClients = inspection.clients()
      result.otherGroups = inspection.groups(of: request.clientID)
    }
    // For a client in another group, the group is reason enough.
    let isElsewhere = !result.otherGroups.isEmpty && !request.asksForAccount
    if !isElsewhere, result.accounts.isEmpty || result.refreshToken?.isFound == false {
      let own = ownEntries(result)
      if own.isEmpty && request.asksForAccount { result.knownAccounts = knownAccounts }
      result.rows = unusable(own, result)
    }
    result.remedies = remedies(result)
  }

  private func numbered(
    _ candidates: [LookupRendering.Candidate]?
  ) -> [LookupRendering.Candidate]? {
    candidates?.map { candidate in
      var numbered = candidate
      numbered.row = inspection.row(of: candidate.origin, in: items)
      return numbered
    }
  }

  private func isAsked(_ client: String?) -> Bool {
    client?.identifier.isExactly(request.clientID.identifier) ?? false
  }

  /// The accounts of the cache that can be identified.
  private var knownAccounts: [LookupRendering.KnownAccount] {
    inspection.report.accounts.filter { $0.userID != nil || $0.homeAccountID != nil }.map {
      LookupRendering.KnownAccount(
        username: request.shown($0.userID),
        identifier: $0.homeAccountID.map(request.names.identifier), environment: $0.environment,
        clients: $0.clients)
    }
  }

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

  /// The failed check of each row of the account.
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
    return own.compactMap { entry in
      let isAccess = Self.accessTokens.contains(entry.kind)
      return isAccess && hasRefreshToken ? nil : row(entry, failures[entry.row])
    }.sorted { ($0.rank, $0.row) < ($1.rank, $1.row) }
  }

  private static let accessTokens: Set<Report.RowKind> = [.accessToken, .unifiedAccessToken]
  private static let refreshTokens: Set<Report.RowKind> = [
    .multiResourceRefreshToken, .singleResourceToken, .familyRefreshToken, .unifiedRefreshToken,
  ]

  /// The reason why a row of the account does not match, with the remedy; nil if it could match.
  private func row(
    _ entry: Report.Entry, _ failure: LookupRendering.Candidate?
  ) -> LookupRendering.Row? {
    func row(
      _ rank: Int, _ failed: String, _ why: String, remedy: String
    ) -> LookupRendering.Row {
      LookupRendering.Row(
        rank: rank, row: entry.row, place: place(of: entry), kind: entry.kind.rawValue,
        clientID: entry.clientID, failed: failed, why: why,
        remedy: LookupRendering.Remedy(failed: failed, remedy: remedy))
    }
    func row(_ rank: Int, _ check: PredicatePage, _ why: String) -> LookupRendering.Row {
      row(rank, check.code, why, remedy: check.remedy)
    }
    if let reason = Self.reason(of: entry) {
      let rank = isAsked(entry.clientID) ? 0 : 2
      return row(rank, reason.code, reason.summary, remedy: reason.remedy)
    }
    if [.unifiedIDToken, .unifiedAppMetadata].contains(entry.kind) { return nil }
    if let group = items?.group, let own = entry.place.accessGroup, own != group {
      return row(1, .accessGroup, "is in the access group \(own), and \(group) is asked")
    }
    let isToken = entry.kind != .unifiedAccount && entry.kind != .familyRefreshToken
    if isToken, let client = entry.clientID, !isAsked(client) {
      return row(2, PredicatePage(.clientID), "is of the client \(client)")
    }
    if Self.accessTokens.contains(entry.kind) {
      let why = "is an access token, and there is no refresh token"
      return row(3, PredicatePage(.refreshToken), why)
    }
    guard let failure else { return nil }
    let check = PredicatePage(failure.failed)
    var found = row(check == PredicatePage(.refreshToken) ? 3 : 0, check, failure.why)
    // If a migration does not help, the reason for that does.
    if entry.outcome == .notConverted, let reason = entry.reasons.first {
      var remedy = reason.remedy
      let isSignedOut = reason == .accountSignedOut
      if check == PredicatePage(.authority), !isSignedOut, let authority = entry.authority {
        remedy = "use '--authority \(authority)' and that authority in the app, or \(remedy)"
      }
      found.remedy = LookupRendering.Remedy(failed: reason.code, remedy: remedy)
    }
    return found
  }

  /// The reason why a row is useless to MSAL, for every client.
  private static func reason(of entry: Report.Entry) -> Reason? {
    switch entry.kind {
    case .unreadable, .tombstone, .empty, .adfs, .b2c, .primaryRefreshToken, .appOnly, .onBehalfOf,
      .servicePrincipal:
      entry.reasons.first
    case _ where entry.library != nil && entry.homeAccountID == nil: entry.reasons.first
    default: entry.reasons.first { $0 == .targetCorrupt || $0 == .targetTypeClash }
    }
  }

  private func place(of entry: Report.Entry) -> LookupRendering.Place {
    let service = entry.place.service.map(request.names.text)
    guard items != nil else {
      return LookupRendering.Place(
        section: CacheInspection.section(of: entry.kind), key: service)
    }
    return LookupRendering.Place(
      index: entry.place.index, service: service,
      account: request.names.areReal ? entry.place.account : nil)
  }

  /// The remedies, once for each failed check: the nearest rows first, then missing parts.
  private func remedies(_ result: LookupRendering) -> [LookupRendering.Remedy] {
    var remedies: [LookupRendering.Remedy] = []
    func add(_ remedy: LookupRendering.Remedy) {
      if !remedies.contains(remedy) { remedies.append(remedy) }
    }
    func add(_ text: String) { add(LookupRendering.Remedy(remedy: text)) }
    func add(_ check: PredicatePage) {
      add(LookupRendering.Remedy(failed: check.code, remedy: check.remedy))
    }
    let rows = result.rows ?? []
    let libraries =
      result.accounts.isEmpty ? Set(ownEntries(result).compactMap(\.library?.name)) : []
    if !libraries.isEmpty {
      let names = libraries.sorted().joined(separator: " and ")
      add("migrate: these look-ups do not read what \(names) keeps")
    }
    for row in rows { add(row.remedy) }
    if rows.isEmpty && !result.otherGroups.isEmpty { add(.accessGroup) }
    if !(result.knownAccounts ?? []).isEmpty {
      add("use one of these names; '--username' also accepts them as shown")
    }
    if result.accounts.contains(where: { $0.identifier == nil }) {
      if ownEntries(result).contains(where: { $0.outcome == .converted }) {
        add("migrate: MSAL then finds the account by identifier, with ADAL's tokens")
      }
      return remedies
    }
    guard !result.accounts.isEmpty else { return remedies }
    let told = Set(rows.map(\.row))
    for (token, missing) in [
      (result.refreshToken, PredicatePage(.refreshToken)),
      (result.idToken, PredicatePage(.idToken)),
      (result.accessToken, nil),
    ] where token?.isFound == false {
      let nearest = token?.candidates?.nearest.first { candidate in
        candidate.row.map { !told.contains($0) } ?? true
      }
      if let check = nearest.map({ PredicatePage($0.failed) }) ?? missing { add(check) }
    }
    return remedies
  }
}
