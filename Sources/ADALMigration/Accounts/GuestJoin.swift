// SPDX-License-Identifier: MIT
import MSALCache

/// Matches a guest's row to an account by user name. A team enables it if it never gives a user name to another user
/// (D32).
struct GuestJoin: Sendable {
  /// The most rounds of looking up names after rows were joined. The limit keeps the work linear if a hostile cache
  /// chains names. One round finds nearly all.
  static let mostRounds = 8

  /// The accounts of each user name of a home tenant.
  private var homes: [UserNameKey: Set<HomeAccountID>] = [:]

  /// - Parameters:
  ///   - table: rows with the accounts that are proved without names.
  ///   - records: the entries in MSAL's form.
  init(_ table: RowTable, _ records: [MSALEntry]) {
    for row in table.rows where table.isEvidence(row) && row.userName != .none {
      guard let id = table.answer(for: row).homeAccountID else { continue }
      insert(id, cloud: table.symbols[row.cloud], name: table.symbols[row.userName])
    }
    for account in records where account.kind == .account {
      guard let id = account.homeAccountID.flatMap({ HomeAccountID($0) }), id.isGUIDs,
        let name = account.username.nonBlank
      else { continue }
      insert(id, cloud: account.cloud, name: name)
    }
  }

  private mutating func insert(_ id: HomeAccountID, cloud: String, name: String) {
    homes[UserNameKey(cloud: cloud, tenant: id.utid, name: name), default: []].insert(id)
  }

  /// Adds the answers for guests that a name tells, by the row's place.
  ///
  /// - Returns: whether there were new ones.
  func add(to answers: inout [AccountResolution.Answer?], _ table: RowTable) -> Bool {
    var isNew = false
    for row in table.rows {
      guard let answer = answer(for: row, table) else { continue }
      answers[row.index] = answer
      isNew = true
    }
    return isNew
  }

  /// The answer for a guest whose home account has no other evidence: the only account with the same name in the tenant
  /// that vouched for the guest. Nil if there is no such account, or more than one.
  private func answer(for row: ADALRow, _ table: RowTable) -> AccountResolution.Answer? {
    let answer = table.answer(for: row)
    let markers = table.guestMarkers(of: row)
    guard answer.homeAccountID == nil, answer.reasons.contains(.homeGuestUnresolved),
      table.isEvidence(row), !markers.contains(where: { $0 == .personal || $0 == .otherProvider }),
      let tenant = table.homeTenant(ofGuest: row, markers), row.userName != .none,
      let homes = homes[
        UserNameKey(
          cloud: table.symbols[row.cloud], tenant: tenant, name: table.symbols[row.userName])],
      homes.count == 1, let home = homes.first
    else { return nil }
    return AccountResolution.Answer(
      homeAccountID: home, confidence: .joined, reasons: [.homeGuestJoinedByName],
      evidence: markers.map(\.rawValue) + ["join.user-name"])
  }
}

extension RowTable {
  /// The tenant that vouched for a guest.
  fileprivate func homeTenant(ofGuest row: ADALRow, _ markers: [GuestMarker]) -> String? {
    let provider =
      row.isStoredWithoutIDToken
      ? tokens[row.index].token.identityProvider : row.idToken.flatMap { idTokens[$0].claims.idp }
    guard let provider = provider.nonBlank?.lowercasedLikeNSString, markers.contains(.otherTenant)
    else { return nil }
    return GuestMarker.tenant(ofProvider: provider)
  }
}
