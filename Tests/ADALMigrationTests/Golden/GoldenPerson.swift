// SPDX-License-Identifier: MIT
import SyntheticCaches

/// The world of the golden cases: three tenants, a few people, two clients, one clock.
enum World {
  static let now = 1_700_000_000.0
  /// When ID tokens are issued unless a case says so.
  static let issued = 1_699_996_400.0

  static let contoso = "6fd1f5cd-a94c-4335-889b-6c598e6d8048"
  static let fabrikam = "0287f963-2d72-4363-9e3a-5705c5b0f031"
  static let tailspin = "8eaef023-2b34-4da1-9baa-8bc8c9d6a490"
  /// The tenant of personal accounts.
  static let personal = "9188040d-6c67-4c5b-b112-36a304b66dad"

  static let client = "27922004-5251-4030-b22d-91ecd9a37ea4"
  static let otherClient = "d3590ed6-52b3-4102-aeff-aad2292ab01c"
  static let group = "ABCDE12345.com.microsoft.adalcache"
  static let common = "https://login.windows.net/common"
  static let graph = "https://graph.microsoft.com"

  static let ann = GoldenPerson(
    "ann@contoso.com", "11111111-aaaa-4000-8000-000000000001", contoso, "Ann", "Lee")
  /// At home in Fabrikam, a guest of Contoso.
  static let eve = GoldenPerson(
    "eve@fabrikam.com", "22222222-bbbb-4000-8000-000000000002", fabrikam, "Eve", "Ray")
  /// Eve's objects in the tenants that she visits.
  static let eveInContoso = "33333333-cccc-4000-8000-000000000003"
  static let eveInTailspin = "44444444-dddd-4000-8000-000000000004"
  /// Two people, one after the other, with one user name.
  static let firstSam = GoldenPerson(
    "sam@contoso.com", "55555555-eeee-4000-8000-000000000005", contoso, "Sam", "One")
  static let secondSam = GoldenPerson(
    "sam@contoso.com", "66666666-ffff-4000-8000-000000000006", contoso, "Sam", "Two")

  static func tenant(_ id: String) -> String { "https://login.windows.net/\(id)" }
}

/// Somebody at home in a tenant, with the ID tokens that the v1.0 endpoint would issue.
struct GoldenPerson: Sendable {
  let upn: String
  let oid: String
  let tid: String
  let given: String
  let family: String

  init(_ upn: String, _ oid: String, _ tid: String, _ given: String, _ family: String) {
    self.upn = upn
    self.oid = oid
    self.tid = tid
    self.given = given
    self.family = family
  }

  /// `uid.utid`.
  var home: String { "\(oid).\(tid)" }

  /// The names as an account has them.
  var names: [String: String] {
    ["name": "\(given) \(family)", "given_name": given, "family_name": family]
  }

  private var claims: [String: any Sendable] {
    [
      "ver": "1.0", "aud": World.client, "sub": "sub-of-\(oid)", "oid": oid, "tid": tid,
      "name": "\(given) \(family)", "given_name": given, "family_name": family,
      "iat": Int(World.issued),
    ]
  }

  private func token(
    _ base: [String: any Sendable], _ changes: [String: (any Sendable)?]
  ) -> String {
    var claims = base
    for (name, value) in changes { claims[name] = value }
    return SyntheticRow.idToken(claims)
  }

  /// As a member of the home tenant. A change to nil takes the claim out.
  func token(_ changes: [String: (any Sendable)?] = [:]) -> String {
    token(claims.merging(["upn": upn, "unique_name": upn]) { $1 }, changes)
  }

  /// As a guest of another tenant, where the person is another object and has no UPN.
  func guestToken(
    of tenant: String, as object: String, _ changes: [String: (any Sendable)?] = [:]
  ) -> String {
    let guest: [String: any Sendable] = [
      "tid": tenant, "oid": object, "email": upn, "unique_name": upn,
      "idp": "https://sts.windows.net/\(tid)/",
    ]
    return token(claims.merging(guest) { $1 }, changes)
  }
}

extension SyntheticRow {
  typealias Change = (inout SyntheticRow) -> Void

  /// A refresh token for every resource.
  static func refresh(
    _ secret: String, _ user: String?, _ idToken: String?, at authority: String = World.common,
    _ change: Change = { _ in }
  ) -> SyntheticRow {
    var row = SyntheticRow()
    row.authority = authority
    row.refreshToken = secret
    row.userID = user
    row.idToken = idToken
    change(&row)
    return row
  }

  /// An access token that lasts another hour.
  static func access(
    _ secret: String, for resource: String = World.graph, _ user: String?, _ idToken: String?,
    at authority: String = World.common, lasting seconds: Double = 3600,
    _ change: Change = { _ in }
  ) -> SyntheticRow {
    var row = SyntheticRow()
    row.authority = authority
    row.resource = resource
    row.accessToken = secret
    row.expiresOn = World.now + seconds
    row.userID = user
    row.idToken = idToken
    change(&row)
    return row
  }

  /// A row of 2.7, which knows the home account id.
  static func stored(_ home: String, _ row: SyntheticRow) -> SyntheticRow {
    var row = row
    row.generation = .twoSeven
    row.homeAccountID = home
    return row
  }
}
