// SPDX-License-Identifier: MIT
import MSALCache
import MSALLookup

/// The plan for the refresh tokens of the families that one account's clients are in: of each the best,
/// unless MSAL has one.
struct FamilyPlan: Sendable {
  private(set) var decisions = DecisionLog()
  /// The families that have, or will have, a refresh token.
  private(set) var families: Set<String> = []
  private let person: Person
  private let context: PlanContext

  /// - Parameter cache: where entries go.
  init(
    _ person: Person, _ rows: [ResolvedRow], _ context: PlanContext, in cache: inout MSALIndex
  ) {
    self.person = person
    self.context = context
    let byFamily = rows.filter { $0.row.family != nil }.groups { $0.row.family ?? "" }
    guard !byFamily.isEmpty else { return }
    let bySecret = Dictionary(grouping: rows.filter { $0.row.token.refresh != nil }) {
      $0.row.token.refresh
    }
    for (family, own) in byFamily {
      // A row that holds the family's own token is of it, whatever it says itself.
      let secrets = Set(
        own.filter { $0.row.kind == .familyRefreshToken }.map(\.row.token.refresh))
      let sharing = secrets.flatMap { bySecret[$0] ?? [] }.filter { $0.row.family != family }
      plan(family, (own + sharing).sorted { $0.number < $1.number }, &cache)
    }
  }

  private mutating func plan(
    _ family: String, _ rows: [ResolvedRow], _ cache: inout MSALIndex
  ) {
    let own = context.ages.preferredFirst(
      rows.filter { $0.row.kind == .familyRefreshToken && $0.row.family == family },
      home: person.home)
    let ownSecrets = Set(own.compactMap(\.row.token.refresh))
    let members = rows.filter {
      $0.row.kind != .familyRefreshToken
        && ($0.row.family == family || $0.row.token.refresh.map(ownSecrets.contains) ?? false)
    }
    let holders = context.ages.preferredFirst(
      members.filter { $0.row.kind == .multiResourceRefreshToken }, home: person.home)
    let key = person.key(.familyRefreshToken, owner: family)
    // Others are written as they are.
    for row in own + holders where family != ClientFamilies.known {
      decisions.note(.familyUnknown, row: row.number)
    }
    if let there = context.entries(key).first {
      decisions.keep(there, for: own, context)
      for row in holders { decisions.note(.okFRTMember, row: row.number) }
      families.insert(family)
      return
    }
    guard let winner = own.first ?? holders.first, let secret = winner.row.token.refresh else {
      return
    }
    guard let clientID = clientOfFamilyToken(secret, members) ?? declaredClient(of: family) else {
      let reason = whyNoClient(of: family)
      for row in own { decisions.note(reason, row: row.number) }
      return
    }
    let token = MSALEntry(
      kind: .refreshToken, homeAccountID: person.spelling.homeAccountID,
      environment: person.spelling.environment, clientID: clientID, secret: secret,
      familyID: family)
    let rows = (own + holders).lazy.map(\.number)
    guard let id = decisions.add(token, key, for: rows, context, in: &cache) else { return }
    families.insert(family)
    for row in holders {
      decisions.note(.okFRTMember, row: row.number)
      decisions.tie(row: row.number, to: id)
    }
    let held = Set(holders.compactMap(\.row.token.refresh))
    for row in own { settle(row, winner: secret, id, held) }
  }

  private mutating func settle(
    _ row: ResolvedRow, winner: TokenSecret, _ id: Int, _ held: Set<TokenSecret>
  ) {
    if row.row.token.refresh == winner {
      decisions.settle(.converted, row: row.number)
      decisions.tie(row: row.number, to: id)
      decisions.note(.okFRT, row: row.number)
      if !held.isEmpty && !held.contains(winner) {
        decisions.note(.rtFRTDiverged, row: row.number)
      }
      if context.isStale(row.row) { decisions.note(.rtPossiblyStale, row: row.number) }
    } else {
      decisions.note(.rtDuplicate, row: row.number)
    }
  }

  /// D26: the member with the same secret, else the newest, else the one with the smallest id.
  private func clientOfFamilyToken(_ secret: TokenSecret, _ members: [ResolvedRow]) -> String? {
    let same = members.filter { $0.row.token.refresh == secret }
    let pool = same.isEmpty ? members : same
    let newest = pool.map { context.ages.age(of: $0.row) ?? -.infinity }.max()
    return pool.filter { (context.ages.age(of: $0.row) ?? -.infinity) == newest }
      .map { context.clientID(of: $0.row) }.min()
  }

  /// A client that the policy names, and of which the target says that it is in the family.
  private func declaredClient(of family: String) -> String? {
    declaredClients(of: family).filter { !context.isSignedOut(person, of: $0) }.min()
  }

  private func declaredClients(of family: String) -> [String] {
    (context.policy.clientIDs ?? []).filter {
      let client = ClientKey(cloud: person.account.cloud, client: $0)
      return context.families.membership(of: client) == .member(of: family)
    }
  }

  /// Why there is no client to write a family's token for: the only ones that are known are signed out
  /// (D13), or none is known.
  private func whyNoClient(of family: String) -> Reason {
    let members = person.rows.filter {
      $0.row.kind != .familyRefreshToken && $0.row.family == family
    }
    if members.contains(where: { context.isSignedOut(person, of: $0.row.client.text) })
      || declaredClients(of: family).contains(where: { context.isSignedOut(person, of: $0) })
    {
      return .accountSignedOut
    }
    return context.policy.clientIDs == nil ? .rtFRTNoClient : .rtFRTForeign
  }
}
