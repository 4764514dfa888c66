// SPDX-License-Identifier: MIT
import MSALCache
import MSALLookup

/// The plan for the app metadata of one cache: one entry for every client that has a refresh token at the
/// end and no entry yet (D4).
struct AppMetadataPlan: Sendable {
  private(set) var decisions = DecisionLog()
  private let context: PlanContext

  /// What is known of a client with a refresh token.
  private struct Holders {
    var rows: [LegacyRow] = []
    var environments: Set<String> = []
    var carried: [CarriedToken] = []
    /// Whether some account has a refresh token of the client's own.
    var hasOwnToken = false

    mutating func take(_ rows: [LegacyRow], in environment: String) {
      self.rows += rows
      environments.insert(environment)
    }

    /// The family that a token in MSAL's form is of, whose client is one of its members.
    var family: String? { carried.compactMap { $0.token.familyID.nonBlank }.min() }
  }

  /// - Parameters:
  ///   - carried: the refresh tokens in MSAL's form that are carried or were there.
  ///   - cache: where entries go.
  init(
    _ people: [Person], _ carried: [CarriedToken], _ context: PlanContext,
    in cache: inout MSALIndex
  ) {
    self.context = context
    var clients: [ClientKey: Holders] = [:]
    for person in people {
      for (client, rows) in Dictionary(grouping: person.rows, by: \.row.client)
      where person.clients.contains(client) {
        let hasOwnToken = !person.clientsOfFamilyAlone.contains(client)
        let client = ClientKey(cloud: person.account.cloud, client: client.text)
        clients[client, default: Holders()]
          .take(rows.map(\.row), in: person.spelling.environment)
        if hasOwnToken { clients[client]?.hasOwnToken = true }
      }
    }
    // A keychain has what MSAL's own code wrote beside its tokens; a document needs an entry for every
    // client, for MSAL for Go (D10).
    for token in carried where context.form == .document {
      let client = ClientKey(
        cloud: token.token.cloud, client: token.token.clientID ?? "")
      clients[client, default: Holders()].carried.append(token)
      clients[client]?.environments.insert(token.token.environment ?? "")
    }
    for (client, holders) in clients.sorted(by: { $0.key < $1.key }) {
      plan(client, holders, &cache)
    }
  }

  private mutating func plan(
    _ client: ClientKey, _ holders: Holders, _ cache: inout MSALIndex
  ) {
    let ofRows = context.families.ofRows(client)
    let key = MSALEntry.Key(appMetadataOf: client)
    if let there = context.entries(key).first {
      keep(there, ofRows, holders)
      return
    }
    let familyID: String?
    switch ofRows {
    case .member(let family): familyID = family
    case .none: familyID = holders.family ?? ""
    // Without an entry MSAL for Python tries the family; with one that names none it does not.
    case .unknown
    where context.form == .document && (holders.hasOwnToken || !holders.carried.isEmpty):
      familyID = holders.family
    case .unknown: return
    }
    let metadata = MSALEntry(
      metadataOf: spelling(of: holders),
      environment: holders.environments.contains(client.cloud)
        ? client.cloud : holders.environments.min() ?? client.cloud,
      familyID: familyID)
    let rows = holders.rows.map(\.number) + holders.carried.map(\.row)
    guard let addition = decisions.add(metadata, key, for: rows, context, in: &cache) else {
      return
    }
    for row in rows {
      decisions.tie(row: row, to: addition)
      decisions.note(.okAppMeta, row: row)
    }
  }

  private mutating func keep(
    _ there: MSALEntry, _ ofRows: ClientFamilies.Membership, _ holders: Holders
  ) {
    for row in holders.rows { decisions.note(.keepAppMeta, row: row.number) }
    guard case .member = ofRows, there.familyID.nonBlank == nil else { return }
    for row in holders.rows { decisions.note(.appMetaFamilyConflict, row: row.number) }
  }

  /// The client id as MSAL spells it where it has a token, else as the newest refresh token has it, which
  /// is how the app spells it today: MSAL finds app metadata by that spelling alone (D5).
  private func spelling(of holders: Holders) -> String {
    if let spelling = holders.carried.compactMap(\.token.clientID).min() { return spelling }
    struct Spelling {
      var text: String
      var hasRefreshToken: Bool
      var age: Double
    }
    let texts = holders.rows.map { context.clientID(of: $0) }
    if let first = texts.first, texts.allSatisfy({ $0 == first }) { return first }
    let spellings = holders.rows.map { row in
      Spelling(
        text: context.clientID(of: row),
        hasRefreshToken: row.token.refresh != nil, age: context.ages.age(of: row) ?? -.infinity)
    }
    let best = spellings.min { a, b in
      if a.hasRefreshToken != b.hasRefreshToken { return a.hasRefreshToken }
      return a.age != b.age ? a.age > b.age : a.text < b.text
    }
    return best?.text ?? ""
  }
}
