// SPDX-License-Identifier: MIT
import MSALCache

/// ADAL's rows, found by the keys that MSAL queries for.
package struct FallbackIndex: Sendable {
  /// Those that no tombstone stands for.
  package let rows: [ADALFallbackRow]
  private var positions: [MSALIndex.Term: MSALIndex.Positions] = [:]

  init(_ rows: [ADALFallbackRow]) {
    self.rows = rows.filter { $0.refreshToken != .tombstone }
    for (position, row) in self.rows.enumerated() {
      func note(_ term: MSALIndex.Term) {
        positions[term, default: MSALIndex.Positions()].append(position)
      }
      if let user = row.key.userID { note(.init(.rowUser, user)) }
      if let home = row.homeAccountID { note(.init(.rowHome, home)) }
      guard row.key.resource == nil, row.key.application == nil else { continue }
      note(.init(.rowKey, row.key.authority, row.key.client))
      if let user = row.key.userID {
        note(.init(.rowKeyAndUser, row.key.authority, row.key.client, user))
      }
    }
  }

  /// The user id that rows must be stored under; nil for any user. An empty name asks for those without a user.
  package static func user(named username: String?) -> String? {
    guard let username else { return nil }
    let id = username.normalized
    return id.isEmpty && !username.isEmpty ? nil : id
  }

  /// The rows of this user, or of any; with a home account ID those that hold it.
  package func rows(of user: String?, home: String?) -> [ADALFallbackRow] {
    if let home { return rows(.init(.rowHome, home)).filter { $0.isStored(for: user) } }
    return user.map { rows(.init(.rowUser, $0)) } ?? rows
  }

  /// The rows without a resource under this authority and client, of this user or of any.
  package func rows(authority: String, client: String, user: String?) -> [ADALFallbackRow] {
    rows(
      user.map { .init(.rowKeyAndUser, authority, client, $0) }
        ?? .init(.rowKey, authority, client))
  }

  private func rows(_ term: MSALIndex.Term) -> [ADALFallbackRow] {
    positions[term]?.all.map { rows[$0] } ?? []
  }
}
