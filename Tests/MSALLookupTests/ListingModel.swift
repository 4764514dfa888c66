// SPDX-License-Identifier: MIT
import KeychainItems

@testable import LookupAnswers
@testable import MSALCache
@testable import MSALLookup

/// MSAL's listing for a client, written step by step from its sources and slowly, with every order that its sets
/// can have: a second opinion on mixtures of MSAL's entries and ADAL's rows.
///
/// Source: IdentityCore MSIDDefaultTokenCacheAccessor.m (`accountsWithAuthority:…`),
/// MSIDLegacyTokenCacheAccessor.m (the same), MSIDAccount.m; MSAL MSALAccountsProvider.m, MSALAccount.m.
struct ListingModel {
  /// An MSIDAccount.
  struct Member {
    var home: String?
    var name: String?
    var host: String
    var realm: String?
    var localID: String?
    var hasClaims: Bool

    /// `isEqual:`, of which the hash takes the name, the host and the realm.
    func isSame(as other: Member) -> Bool {
      let isSameUser =
        home != nil && other.home != nil ? home == other.home : name != nil && name == other.name
      return isSameUser && name == other.name && host == other.host && realm == other.realm
    }

    var isHome: Bool {
      let parts = home?.split(separator: ".") ?? []
      return parts.count == 2 && realm == String(parts[1])
    }
  }

  typealias Content = Lookup.ListedAccount.Content

  /// The accounts of MSAL's own that it finds, and whether each is listed.
  var accounts: [(member: Member, isListed: Bool)]
  /// ADAL's rows that it finds for the client and its family, in the order of the keychain.
  var rows: [Member]
  /// The home account ids that account metadata says are signed out.
  var signedOut: Set<String>

  /// The lists that MSAL may give for this order of the rows.
  var lists: Set<Set<Content>> {
    let set = members
    var lists: Set<Set<Content>> = []
    Self.permute(set) { lists.insert(Set(Self.merged($0))) }
    return lists
  }

  /// The lists that MSAL may give, whatever the order of the rows.
  var listsInAnyOrder: Set<Set<Content>> {
    var lists: Set<Set<Content>> = []
    Self.permute(rows) { rows in
      var model = self
      model.rows = rows
      lists.formUnion(model.lists)
    }
    return lists
  }

  private var members: [Member] {
    var known: [Member] = []
    for account in accounts where account.isListed { Self.add(account.member, to: &known) }
    let hidden = Set(accounts.filter { !$0.isListed }.compactMap(\.member.name))
    // The older accessor answers with a set of its own, before anything is filtered.
    var ofRows: [Member] = []
    for row in rows { Self.add(row, to: &ofRows) }
    var members = known
    for row in ofRows {
      if let home = row.home {
        if known.contains(where: row.isSame) || signedOut.contains(home) { continue }
      } else if let name = row.name, hidden.contains(name) {
        continue
      }
      Self.add(row, to: &members)
    }
    return members
  }

  /// A set keeps what it has.
  private static func add(_ member: Member, to set: inout [Member]) {
    if !set.contains(where: member.isSame) { set.append(member) }
  }

  /// `msalAccountsFromMSIDAccounts:`.
  private static func merged(_ members: [Member]) -> [Content] {
    var merged: [Content] = []
    for member in members {
      let profile = member.realm.map {
        Lookup.ListedAccount.TenantProfile(
          tenantID: $0, identifier: member.localID, isHome: member.isHome,
          hasClaims: member.hasClaims)
      }
      let known = merged.firstIndex { account in
        if let a = account.texts[0], let b = member.home { return a == b }
        return account.texts[1]?.lowercased() == member.name?.lowercased()
      }
      let position = known ?? merged.count
      if known == nil {
        merged.append(
          Content(
            texts: [member.home, member.name, member.host], hasClaims: false,
            profiles: Set([profile].compactMap { $0 })))
      } else if let profile,
        !merged[position].profiles.contains(where: { $0.tenantID == profile.tenantID })
      {
        merged[position].profiles.insert(profile)
      }
      if member.isHome, member.hasClaims {
        merged[position].hasClaims = true
        merged[position].texts[1] = member.name
      }
    }
    return merged
  }

  private static func permute<Element>(_ elements: [Element], _ body: ([Element]) -> Void) {
    func place(_ rest: [Element], _ placed: [Element]) {
      if rest.isEmpty { return body(placed) }
      for index in rest.indices {
        var left = rest
        let next = left.remove(at: index)
        place(left, placed + [next])
      }
    }
    place(elements, [])
  }
}
