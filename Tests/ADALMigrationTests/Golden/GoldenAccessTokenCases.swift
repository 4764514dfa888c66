// SPDX-License-Identifier: MIT
import SyntheticCaches

@testable import ADALMigration

/// Access tokens, scopes and clocks: v26–v30, v43–v45.
extension GoldenCase {
  private static let ann = World.ann
  private static let signedIn: Set<GoldenAccount> = [
    GoldenAccount(ann.upn, ann.home, .homeAuthority, .yes)
  ]

  static let accessTokens = [
    v26, v27, v28, v29, v30, v30b, v30c, v43, v44, v45, v45b,
  ]

  /// A refresh token beside rows that a case is about.
  private static func beside(
    _ name: String, _ rows: [GoldenRow], findings: Set<GoldenFinding> = [],
    writes: [SyntheticEntry]
  ) -> GoldenCase {
    let refresh = GoldenRow(
      .refresh("rt", ann.upn, ann.token()), .converted,
      [.okMRRT, .homeCommonAuthority])
    return GoldenCase(
      name, [refresh] + rows, accounts: signedIn, findings: findings,
      writes: ann.written("rt", ann.token()) + writes)
  }

  /// One access token for a resource that is carried, with what is said of the resource.
  private static func carried(
    _ name: String, _ resource: String, as scope: String, _ advice: Reason...
  ) -> GoldenCase {
    beside(
      name,
      [
        GoldenRow(
          .access("at", for: resource, ann.upn, ann.token()), .accessToken, .converted,
          [.okAT, .homeCommonAuthority] + advice, scope: .some(scope))
      ],
      findings: Set(advice.map { .note($0) }), writes: [ann.accessToken("at", scope)])
  }

  /// One access token that is left, with why.
  private static func left(
    _ name: String, _ row: SyntheticRow, _ reason: Reason, _ advice: Reason..., scope: String?
  ) -> GoldenCase {
    beside(
      name,
      [
        GoldenRow(
          row, .accessToken, .notConverted,
          [reason, .homeCommonAuthority] + advice, scope: .some(scope))
      ],
      findings: Set(([reason] + advice).map { .note($0) }), writes: [])
  }

  static let v26 = carried(
    "v26 a slash at the end of a resource stays", "https://api.contoso.com/",
    as: "https://api.contoso.com//.default", .resourceTrailingSlash)

  static let v27 = carried(
    "v27 a resource that is an app id", "00000003-0000-0000-C000-000000000000",
    as: "00000003-0000-0000-C000-000000000000/.default")

  static let v28 = carried(
    "v28 Azure AD Graph", "https://graph.windows.net", as: "https://graph.windows.net/.default",
    .resourceAADGraphRetired)

  private static let registration = "urn:ms-drs:enterpriseregistration.windows.net"

  static let v29 = left(
    "v29 device registration is never carried",
    .access("at", for: registration, ann.upn, ann.token()), .atNotCarried, .resourceDRS,
    scope: "\(registration)/.default")

  static let v30 = left(
    "v30 a token for the client itself is not carried",
    .access("at", for: World.client.uppercased(), ann.upn, ann.token()), .atNotCarried,
    .resourceIsClient, scope: "\(World.client.uppercased())/.default")

  static let v30b = left(
    "v30b white space inside a resource is no scope",
    .access("at", for: "https://api contoso.com", ann.upn, ann.token()), .atScopeShape,
    .resourceUnusual, scope: "https://api contoso.com/.default")

  static let v30c = carried(
    "v30c white space around a resource goes, its case stays", " https://API.contoso.com\n",
    as: "https://API.contoso.com/.default")

  // MARK: Clocks

  static let v43 = beside(
    "v43 a token stored in the future is stored now",
    [
      GoldenRow(
        .access("at", ann.upn, ann.token()) {
          $0.generation = .twoSeven
          $0.cachedAt = World.now + 301
        }, .accessToken, .converted,
        [.okAT, .homeCommonAuthority, .timeFuture]),
      GoldenRow(
        .access("at-2", for: "https://api.contoso.com", ann.upn, ann.token()) {
          $0.generation = .twoSeven
          $0.cachedAt = World.now + 299.5
        }, .accessToken, .converted, [.okAT, .homeCommonAuthority]),
    ],
    findings: [.warning(.timeFuture)],
    writes: [
      ann.accessToken("at", cachedAt: World.now),
      ann.accessToken("at-2", "https://api.contoso.com/.default", cachedAt: World.now),
    ])

  private static func lasting(_ seconds: Double, _ host: String) -> GoldenRow {
    GoldenRow(
      .access("at-\(host)", for: "https://\(host)", ann.upn, ann.token(), lasting: seconds),
      .accessToken, seconds < 300 ? .notConverted : .converted,
      [seconds < 300 ? .atExpired : .okAT, .homeCommonAuthority])
  }

  static let v44 = beside(
    "v44 expired, 299 s, 300 s and 301 s left",
    [lasting(-1, "a"), lasting(299, "b"), lasting(300, "c"), lasting(301, "d")],
    findings: [.note(.atExpired, 2)],
    writes: [
      ann.accessToken("at-c", "https://c/.default", lasting: 300),
      ann.accessToken("at-d", "https://d/.default", lasting: 301),
    ])

  static let v45 = left(
    "v45 only the extended lifetime is left",
    .access("at", ann.upn, ann.token(), lasting: -1) {
      $0.extendedExpiresOn = World.now + 86_400
    }, .atExpired, scope: "\(World.graph)/.default")

  static let v45b = beside(
    "v45b the extended lifetime goes along, under either name",
    [
      GoldenRow(
        .access("at", ann.upn, ann.token()) { $0.extendedExpiresOn = World.now + 86_400.5 },
        .accessToken, .converted, [.okAT, .homeCommonAuthority]),
      GoldenRow(
        .access("at-2", for: "https://api.contoso.com", ann.upn, ann.token()) {
          $0.generation = .twoSeven
          $0.extendedExpiresOn = World.now + 86_400
        }, .accessToken, .converted, [.okAT, .homeCommonAuthority]),
    ],
    writes: [
      .accessToken(
        "at", home: ann.home, client: World.client, realm: ann.tid,
        target: "\(World.graph)/.default", expiresOn: World.now + 3600,
        cachedAt: World.issued, extendedExpiresOn: World.now + 86_400),
      .accessToken(
        "at-2", home: ann.home, client: World.client, realm: ann.tid,
        target: "https://api.contoso.com/.default", expiresOn: World.now + 3600,
        cachedAt: World.issued, extendedExpiresOn: World.now + 86_400),
    ])
}
