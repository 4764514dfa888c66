// SPDX-License-Identifier: MIT
import MSALCache

/// ADAL's rows, found again by what MSAL queries for.
package struct FallbackIndex: Sendable {
  /// Those that no tombstone stands for.
  package let rows: [ADALFallbackRow]
  private var positionsByUser: [ExactText: [Int]] = [:]
  private var positionsByKey: [[ExactText]: [Int]] = [:]

  init(_ rows: [ADALFallbackRow]) {
    self.rows = rows.filter { $0.refreshToken != .tombstone }
    for (position, row) in self.rows.enumerated() {
      if let user = row.key.userID {
        positionsByUser[user, default: []].append(position)
      }
      guard row.key.resource == nil, row.key.application == nil else { continue }
      let key = [ExactText(row.key.authority), ExactText(row.key.client)]
      positionsByKey[key, default: []].append(position)
    }
  }

  /// The user id that rows must be stored under; nil for any user. An empty name asks for those without a user.
  package static func user(named username: String?) -> String? {
    guard let username else { return nil }
    let id = username.normalized
    return id.isEmpty && !username.isEmpty ? nil : id
  }

  /// The rows of this user.
  package func rows(of user: String?) -> [ADALFallbackRow] {
    guard let user else { return rows }
    return (positionsByUser[user] ?? []).map { rows[$0] }
  }

  /// The rows without a resource under this authority and client.
  package func rows(authority: String, client: String) -> [ADALFallbackRow] {
    (positionsByKey[[ExactText(authority), ExactText(client)]] ?? []).map { rows[$0] }
  }
}
