// SPDX-License-Identifier: MIT
import CacheJSON
import MSALCache

/// The facts about a client with a refresh token.
private struct ClientHolders {
  /// By their places among ADAL's rows.
  var rows: [Int] = []
  var environments: Set<Symbol> = []
  var carried: [CarriedToken] = []
  /// Whether some account has a refresh token of the client's own.
  var hasOwnToken = false

  mutating func take(_ rows: [ADALRow], of account: PlannedAccount, hasOwnToken: Bool) {
    self.rows += rows.lazy.map(\.index)
    environments.insert(account.symbols.environment)
    if hasOwnToken { self.hasOwnToken = true }
  }
}

// The app metadata of one cache: one entry for every client that has a refresh token at the end and no entry yet
// (D4).
extension CachePlan {
  /// - Parameter carried: the refresh tokens in MSAL's form that are carried or were there.
  mutating func planAppMetadata(_ carried: [CarriedToken]) {
    var clients: [CloudSymbol: ClientHolders] = [:]
    for account in accounts {
      for (client, rows) in account.rows.groups(by: \.client, table.symbols)
      where account.clients.contains(client) {
        clients[CloudSymbol(cloud: account.symbols.cloud, id: client), default: ClientHolders()]
          .take(rows, of: account, hasOwnToken: !account.clientsOfFamilyAlone.contains(client))
      }
    }
    // In a keychain, MSAL's own code wrote the app metadata beside its tokens. A document needs an entry for every
    // client, for MSAL for Go (D10).
    for token in carried where form == .document {
      let key = CloudSymbol(
        cloud: table.symbols.symbol(of: token.token.cloud),
        id: table.symbols.symbol(of: (token.token.clientID ?? "").identifier))
      clients[key, default: ClientHolders()].carried.append(token)
      clients[key]?.environments.insert(table.symbols.symbol(of: token.token.environment))
    }
    for client in clients.keys.ordered(by: table.symbols.precede) {
      planAppMetadata(of: client, clients[client] ?? ClientHolders())
    }
  }

  private mutating func planAppMetadata(of client: CloudSymbol, _ holders: ClientHolders) {
    let membership = families.ofTokens(
      ClientKey(cloud: table.symbols[client.cloud], client: table.symbols[client.id]), table.symbols
    )
    let key = EntryKey(cloud: client.cloud, home: .none, kind: .appMetadata, owner: client.id)
    let rows = holders.rows.map { table.rows[$0].number }
    if let there = entries(key).first {
      let isConflict =
        if case .member = membership { there.familyID.nonBlank == nil } else { false }
      for row in rows {
        decisions.note(.keepAppMeta, row: row)
        if isConflict { decisions.note(.appMetaFamilyConflict, row: row) }
      }
      return
    }
    let familyID: String?
    switch membership {
    case .member(let family): familyID = family
    case .none: familyID = ""
    // Without an entry, MSAL for Python tries the family. With an entry that names no family, it does not.
    case .unknown where form == .document && (holders.hasOwnToken || !holders.carried.isEmpty):
      familyID = nil
    case .unknown: return
    }
    let environment =
      holders.environments.contains(client.cloud)
      ? client.cloud
      : holders.environments.min { table.symbols.order($0, $1) < 0 } ?? client.cloud
    let metadata = MSALEntry(
      metadataOf: spelling(of: holders), environment: table.symbols[environment],
      familyID: familyID)
    let told = rows + holders.carried.map(\.row)
    guard let addition = add(metadata, key, telling: told) else { return }
    for row in told {
      decisions.tie(row: row, to: addition)
      decisions.note(.okAppMeta, row: row)
    }
  }

  /// The client id as MSAL spells it where it has a token, else as the newest refresh token has it, which
  /// is how the app spells it today: MSAL finds app metadata by that spelling alone (D5).
  private func spelling(of holders: ClientHolders) -> String {
    if let spelling = holders.carried.compactMap(\.token.clientID).min() { return spelling }
    let rows = holders.rows.map { table.rows[$0] }
    let first = rows.first.map { written($0) }
    if let first, rows.allSatisfy({ written($0) == first }) { return table.symbols[first] }
    let spellings = rows.map { row in
      (
        text: table.symbols[written(row)], hasToken: row.refreshToken != nil,
        age: ages.age(of: row) ?? -.infinity
      )
    }
    let best = spellings.min { a, b in
      if a.hasToken != b.hasToken { return a.hasToken }
      return a.age != b.age ? a.age > b.age : a.text < b.text
    }
    return best?.text ?? ""
  }
}
