// SPDX-License-Identifier: MIT
import KeychainItems
import MSALCache

/// Access tokens: which of them MSAL can still use, and under which scope (D2).
extension PersonPlan {
  /// MSAL takes a token for expired when it has less left than this, in seconds
  /// (IdentityCore oauth2/token/MSIDAccessToken.m).
  private static let expiryBuffer = 300.0

  /// Plans the access tokens of one client that has a refresh token.
  mutating func planAccessTokens(of client: String, _ rows: [ResolvedRow]) {
    let candidates = rows.filter { $0.row.token.access != nil }
    if withheldPart == .accessTokens {
      for row in candidates { note(.checkNotFound, row: row.number) }
      return
    }
    var neverCarried: Set<Int> = []
    for row in candidates where noteResource(row.row) { neverCarried.insert(row.number) }
    var obstacles: [String: Reason?] = [:]
    for realm in Set(candidates.compactMap(\.row.realm)) {
      obstacles[realm] = .some(obstacle(to: client, in: realm))
    }
    let usable = candidates.filter { row in
      let own = obstacle(to: row.row) ?? (neverCarried.contains(row.number) ? .atNotCarried : nil)
      guard let obstacle = own ?? obstacles[row.row.realm ?? ""] ?? .atNoIDToken
      else { return true }
      note(obstacle, row: row.number)
      return false
    }
    var byKey: [RecordKey: [Candidate]] = [:]
    for row in usable {
      guard let scope = row.row.scope, let credential = credential(row.row) else { continue }
      let key = credential.accessTokenKey(of: person.account, scope: scope)
      byKey[key, default: []].append(Candidate(row: row, credential: credential))
    }
    for (key, candidates) in byKey.sorted(by: { $0.key < $1.key }) {
      planAccessToken(
        key,
        candidates.count > 1
          ? candidates.sorted { Self.outlasts($0.row, $1.row) } : candidates)
    }
  }

  /// A row and its access token in MSAL's form.
  private struct Candidate {
    let row: ResolvedRow
    let credential: Credential
  }

  private mutating func planAccessToken(_ key: RecordKey, _ candidates: [Candidate]) {
    let rows = candidates.map(\.row)
    if context.existing.holds(key) {
      for row in rows {
        settle(.alreadyThere, row: row.number)
        note(.keepAT, row: row.number)
      }
      return
    }
    guard let winner = candidates.first,
      let id = add(.credential(winner.credential), key, for: rows)
    else { return }
    for row in rows {
      if row.row.token.access == winner.row.row.token.access {
        settle(.converted, row: row.number)
        tie(row: row.number, to: id)
        note(.okAT, row: row.number)
      } else {
        note(.atSuperseded, row: row.number)
      }
    }
  }

  /// Why an access token is of no use to MSAL, in the order that a reader would ask.
  private func obstacle(to row: LegacyRow) -> Reason? {
    guard context.policy.accessTokens else { return .atNotCarried }
    guard Credential.isBearer(row.token.accessTokenType) else { return .atForeignType }
    guard let expiresOn = row.token.expiresOn, expiresOn >= context.now + Self.expiryBuffer else {
      return .atExpired
    }
    guard let resource = row.token.resource.nonBlank,
      resource.isOneWord || !resource.contains(where: \.isWhitespace)
    else { return .atScopeShape }
    return nil
  }

  /// Why all access tokens of a client and tenant are of no use to MSAL.
  private func obstacle(to client: String, in realm: String) -> Reason? {
    guard hasUsableIDToken(client, realm) else { return .atNoIDToken }
    let account = person.key(.account, realm: realm)
    return decisions.adds(account) || context.existing.holds(account) ? nil : .targetTypeClash
  }

  /// Whether MSAL finds an ID token of a client and tenant and can read it, without which it serves no
  /// access token.
  private func hasUsableIDToken(_ client: String, _ realm: String) -> Bool {
    let key = person.key(.idToken, owner: client, realm: realm)
    return context.existing.holds(key)
      || decisions.place(
        of: AdditionID(key, environment: person.spelling.environment, in: context.group)) != nil
  }

  /// The application that the token is bound to, which is part of MSAL's key for it (D28). A document's
  /// tokens are bound to none.
  private static func application(of row: LegacyRow, in form: CacheForm) -> String? {
    form == .document ? nil : row.token.applicationIdentifier.nonBlank
  }

  /// The token as the target's form has it.
  private func credential(_ row: LegacyRow) -> Credential? {
    guard let secret = row.token.access, let scope = row.scope, let realm = row.realm,
      let expiresOn = row.token.expiresOn
    else { return nil }
    let credential = Credential(
      kind: .accessToken, homeAccountID: person.spelling.homeAccountID,
      environment: person.spelling.environment, clientID: spelling(of: row), secret: secret,
      realm: person.spelling.realm(realm), target: scope, expiresOn: Self.seconds(expiresOn),
      extendedExpiresOn: row.token.extendedExpiresOn.flatMap(Self.seconds),
      cachedAt: cachedAt(row).flatMap(Self.seconds), enrollmentID: row.token.enrollmentID.nonBlank,
      applicationIdentifier: Self.application(of: row, in: context.form))
    return context.form == .document ? credential.portable(at: context.now) : credential
  }

  /// When the token was stored, never in the future: MSAL takes such a token for expired (D15).
  private func cachedAt(_ row: LegacyRow) -> Double? {
    let known = row.token.cachedAt ?? row.idToken?.issuedAt ?? row.token.place.modified
    return known.map { min($0, context.now) } ?? (context.form == .document ? context.now : nil)
  }

  private static func seconds(_ time: Double) -> String? {
    Int64(exactly: time.rounded(.down)).map { String(max($0, 0)) }
  }

  /// Whether `a` is the one to keep of two tokens for the same scope.
  private static func outlasts(_ a: ResolvedRow, _ b: ResolvedRow) -> Bool {
    let ends = (a.row.token.expiresOn ?? 0, b.row.token.expiresOn ?? 0)
    if ends.0 != ends.1 { return ends.0 > ends.1 }
    let ages = (a.row.evidenceOfAge ?? -.infinity, b.row.evidenceOfAge ?? -.infinity)
    if ages.0 != ages.1 { return ages.0 > ages.1 }
    if a.row.token.access != b.row.token.access {
      return (a.row.token.access?.digest ?? "") < (b.row.token.access?.digest ?? "")
    }
    return a.number < b.number
  }

  /// Says what there is to be said about a row's resource; whether its access token is left for that.
  private mutating func noteResource(_ row: LegacyRow) -> Bool {
    guard let resource = row.token.resource.nonBlank else { return false }
    let advice = ResourceAdvice(resource, client: row.client)
    for reason in advice.reasons { note(reason, row: row.number) }
    return advice.isNeverCarried
  }
}

/// What is to be said about a resource as a scope (mapping-rules §3.1).
struct ResourceAdvice: Sendable {
  /// The advice, none for the usual resource.
  let reasons: [Reason]
  /// Whether an access token for it is left, whatever else speaks for it.
  let isNeverCarried: Bool

  private static let aadGraph: Set<String> = [
    "https://graph.windows.net", "00000002-0000-0000-c000-000000000000",
  ]
  private static let deviceRegistration = "urn:ms-drs:enterpriseregistration.windows.net"

  init(_ resource: String, client: String) {
    let lower = resource.lowercasedLikeNSString
    var bare = lower
    if bare.hasSuffix("/") { bare.removeLast() }
    var reasons: [Reason] = []
    if lower == client {
      reasons.append(.resourceIsClient)
    } else if lower == Self.deviceRegistration {
      reasons.append(.resourceDRS)
    } else if Self.aadGraph.contains(bare) {
      reasons.append(.resourceAADGraphRetired)
    } else if !Self.isUsual(lower) {
      reasons.append(.resourceUnusual)
    }
    if lower.hasSuffix("/") { reasons.append(.resourceTrailingSlash) }
    self.reasons = reasons
    isNeverCarried = reasons.contains(.resourceIsClient) || reasons.contains(.resourceDRS)
  }

  /// An `https` or `api` URL without query and fragment, or the id of an app.
  private static func isUsual(_ resource: String) -> Bool {
    if resource.isGUID { return true }
    guard resource.hasPrefix("https://") || resource.hasPrefix("api://"),
      !resource.utf8.contains(where: { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") })
    else { return false }
    return resource.isOneWord || !resource.contains(where: \.isWhitespace)
  }
}
