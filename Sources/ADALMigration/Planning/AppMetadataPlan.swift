// SPDX-License-Identifier: MIT
import MSALCache

/// The plan for the app metadata of one cache: one entry for every client that has a refresh token at the
/// end and no entry yet (D4).
struct AppMetadataPlan: Sendable {
  private(set) var ledger = Ledger()
  private let context: PlanContext
  /// The keys of what is added.
  private var places: Set<EntryKey>

  private struct Client: Hashable {
    var cloud: String
    var id: String
  }

  /// What is known of a client with a refresh token.
  private struct Holders {
    var rows: [LegacyRow] = []
    var environments: Set<String> = []
    var carried: [CarriedToken] = []

    /// The family that a token in MSAL's form is of, whose client is one of its members.
    var family: String? { carried.compactMap { $0.credential.familyID.nonBlank }.min() }
  }

  /// - Parameters:
  ///   - carried: the refresh tokens in MSAL's form that are carried or were there.
  ///   - places: the keys that other additions take.
  init(
    _ people: [Plan.PlannedPerson], _ carried: [CarriedToken], _ context: PlanContext,
    beside places: Set<EntryKey>
  ) {
    self.context = context
    self.places = places
    var clients: [Client: Holders] = [:]
    for planned in people {
      let person = planned.person
      for row in person.rows where planned.coveredClients.contains(row.row.client) {
        let client = Client(cloud: person.cloud, id: row.row.client)
        clients[client, default: Holders()].rows.append(row.row)
        clients[client]?.environments.insert(person.spelling.environment)
      }
    }
    // A keychain has what MSAL's own code wrote beside its tokens; a document needs an entry for every
    // client, for MSAL for Go (D10).
    for token in carried where context.form == .document {
      let client = Client(
        cloud: Cloud.key(of: token.credential.environment),
        id: token.credential.clientID.normalized)
      clients[client, default: Holders()].carried.append(token)
      clients[client]?.environments.insert(token.credential.environment)
    }
    for (client, holders) in clients.sorted(by: {
      ($0.key.cloud, $0.key.id) < ($1.key.cloud, $1.key.id)
    }) {
      plan(client, holders)
    }
  }

  private mutating func plan(_ client: Client, _ holders: Holders) {
    let ofRows = context.families.ofRows(client.id, cloud: client.cloud)
    let key = ClientFamilies.key(of: client.id, cloud: client.cloud)
    if case .appMetadata(let there)? = context.existing.records(key).first {
      keep(there, ofRows, holders)
      return
    }
    let familyID: String?
    switch ofRows {
    case .member(let family): familyID = family
    case .none: familyID = holders.family ?? ""
    case .unknown where context.form == .document: familyID = holders.family
    case .unknown: return
    }
    let metadata = Record.appMetadata(
      AppMetadata(
        clientID: spelling(of: holders),
        environment: holders.environments.contains(client.cloud)
          ? client.cloud : holders.environments.min() ?? client.cloud,
        familyID: familyID))
    guard let place = metadata.entryKey(in: context.form, group: context.group) else { return }
    let rows = holders.rows.map(\.number) + holders.carried.map(\.row)
    if let clash = places.contains(place) ? .targetCorrupt : context.existing.clash(with: place) {
      for row in rows { ledger.note(clash, row: row) }
      return
    }
    places.insert(place)
    let id = RecordID(key: key, environment: metadata.environment)
    ledger.add(metadata, as: id)
    for row in rows {
      ledger.tie(row: row, to: id)
      ledger.note(.okAppMeta, row: row)
    }
  }

  private mutating func keep(
    _ there: AppMetadata, _ ofRows: ClientFamilies.Membership, _ holders: Holders
  ) {
    for row in holders.rows { ledger.note(.keepAppMeta, row: row.number) }
    guard case .member = ofRows, there.familyID.nonBlank == nil else { return }
    for row in holders.rows { ledger.note(.appMetaFamilyConflict, row: row.number) }
  }

  /// The client id as MSAL spells it where it has a token, else as the newest refresh token has it, which
  /// is how the app spells it today: MSAL finds app metadata by that spelling alone (D5).
  private func spelling(of holders: Holders) -> String {
    if let spelling = holders.carried.map(\.credential.clientID).min() { return spelling }
    struct Spelling {
      var text: String
      var hasRefreshToken: Bool
      var age: Double
    }
    let spellings = holders.rows.map { row in
      let archived = row.token.clientID ?? ""
      return Spelling(
        text: context.policy.spelling(of: archived) ?? archived,
        hasRefreshToken: row.token.refresh != nil, age: context.ages.age(of: row) ?? -.infinity)
    }
    let best = spellings.min { a, b in
      if a.hasRefreshToken != b.hasRefreshToken { return a.hasRefreshToken }
      return a.age != b.age ? a.age > b.age : a.text < b.text
    }
    return best?.text ?? ""
  }
}
