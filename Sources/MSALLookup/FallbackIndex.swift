// SPDX-License-Identifier: MIT
import MSALCache

/// ADAL's rows, found again by what MSAL queries for.
package struct FallbackIndex: Sendable {
  /// Those that no tombstone stands for.
  package let rows: [ADALFallbackRow]
  private var positions: [Term: [Int]] = [:]

  /// What rows are found by.
  private enum Term: Hashable {
    case user(ExactText)
    /// A home account ID that ADAL stored.
    case home(ExactText)
    /// Rows without a resource by authority and client, of one user or of all.
    case key(ExactText, ExactText, user: ExactText?)
  }

  init(_ rows: [ADALFallbackRow]) {
    self.rows = rows.filter { $0.refreshToken != .tombstone }
    for (position, row) in self.rows.enumerated() {
      func note(_ term: Term) { positions[term, default: []].append(position) }
      let user = row.key.userID.map { ExactText($0) }
      if let user { note(.user(user)) }
      if let home = row.homeAccountID { note(.home(ExactText(home))) }
      guard row.key.resource == nil, row.key.application == nil else { continue }
      let (authority, client) = (ExactText(row.key.authority), ExactText(row.key.client))
      note(.key(authority, client, user: nil))
      if let user { note(.key(authority, client, user: user)) }
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
    if let home { return rows(.home(ExactText(home))).filter { $0.isStored(for: user) } }
    return user.map { rows(.user(ExactText($0))) } ?? rows
  }

  /// The rows without a resource under this authority and client, of this user or of any.
  package func rows(authority: String, client: String, user: String?) -> [ADALFallbackRow] {
    rows(.key(ExactText(authority), ExactText(client), user: user.map { ExactText($0) }))
  }

  private func rows(_ term: Term) -> [ADALFallbackRow] {
    (positions[term] ?? []).map { rows[$0] }
  }
}
