// SPDX-License-Identifier: MIT
import MSALCache

/// Whose a guest's row is as far as user names tell: where a team has decided that theirs are never given to
/// another user (D32).
struct GuestJoin: Sendable {
  /// The accounts of each user name of a home tenant.
  private var homes: [UserNameKey: Set<HomeAccountID>] = [:]

  /// - Parameters:
  ///   - resolved: rows with what is proved of them without names.
  ///   - records: the entries in MSAL's form.
  init(_ resolved: some Sequence<ResolvedRow>, _ records: some Sequence<MSALEntry>) {
    for resolved in resolved where resolved.row.isEvidence {
      guard let id = resolved.answer.homeAccountID, let name = resolved.row.userName else {
        continue
      }
      insert(id, cloud: resolved.row.cloud, name: name)
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

  /// The answer for a guest whose home account nothing else tells: the one account of the same name in the
  /// tenant that vouched for the guest. Nil where there is none, or more than one.
  func answer(for resolved: ResolvedRow) -> AccountResolution.Answer? {
    let row = resolved.row
    guard resolved.answer.homeAccountID == nil,
      resolved.answer.reasons.contains(.homeGuestUnresolved), row.isEvidence,
      !row.guestMarkers.contains(where: { $0 == .personal || $0 == .otherProvider }),
      let tenant = row.homeTenantOfGuest, let name = row.userName,
      let homes = homes[UserNameKey(cloud: row.cloud, tenant: tenant, name: name)],
      homes.count == 1, let home = homes.first
    else { return nil }
    return AccountResolution.Answer(
      homeAccountID: home, confidence: .joined, reasons: [.homeGuestJoinedByName],
      evidence: row.guestEvidence + ["join.user-name"])
  }
}

extension LegacyRow {
  /// The tenant that vouched for a guest.
  fileprivate var homeTenantOfGuest: String? {
    let provider = isStoredWithoutIDToken ? token.identityProvider : claims?.idp
    guard let provider = provider.nonBlank?.lowercasedLikeNSString,
      guestMarkers.contains(.otherTenant)
    else { return nil }
    return GuestMarker.tenant(ofProvider: provider)
  }
}
