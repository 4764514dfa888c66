// SPDX-License-Identifier: MIT
import SyntheticCaches

@testable import ADALMigration

/// Refresh tokens, families, and what is none: v16–v25, v57.
extension GoldenCase {
  private static let ann = World.ann
  private static let eve = World.eve
  private static let signedIn: Set<GoldenAccount> = [
    GoldenAccount(ann.upn, ann.home, .homeAuthority, .yes)
  ]
  private static let signedOff: Set<GoldenAccount> = [
    GoldenAccount(ann.upn, ann.home, .homeAuthority, .no)
  ]

  static let tokens = [
    v16, v17, v17b, v18, v19, v20, v20b, v20c, v21, v22, v23, v24, v25, v25b, v57,
  ]

  // MARK: Single-resource tokens

  static let v16 = GoldenCase(
    "v16 access and refresh token in one row, no refresh token for every resource",
    [
      GoldenRow(
        .access("at", ann.upn, ann.token()) { $0.refreshToken = "rt" }, .singleResourceToken,
        .converted, [.rtSingleResource, .okAT, .homeCommonAuthority])
    ],
    accounts: signedIn, findings: [.warning(.rtSingleResource)],
    writes: ann.written("rt", ann.token()) + [ann.accessToken("at")])

  static let v17 = GoldenCase(
    "v17 the refresh token for every resource wins over a row's own",
    [
      GoldenRow(
        .refresh("rt", ann.upn, ann.token()), .converted,
        [.okMRRT, .homeCommonAuthority]),
      GoldenRow(
        .access("at", ann.upn, ann.token()) { $0.refreshToken = "rt-single" },
        .singleResourceToken, .converted,
        [.rtSingleSuperseded, .okAT, .homeCommonAuthority]),
    ],
    accounts: signedIn, findings: [.note(.rtSingleSuperseded)],
    writes: ann.written("rt", ann.token()) + [ann.accessToken("at")])

  static let v17b = GoldenCase(
    "v17b nothing of a superseded row is left when its access token is expired",
    [
      GoldenRow(
        .refresh("rt", ann.upn, ann.token()), .converted,
        [.okMRRT, .homeCommonAuthority]),
      GoldenRow(
        .access("at", ann.upn, ann.token(), lasting: -1) { $0.refreshToken = "rt-single" },
        .singleResourceToken, .notConverted,
        [.atExpired, .rtSingleSuperseded, .homeCommonAuthority]),
    ],
    accounts: signedIn, findings: [.note(.rtSingleSuperseded), .note(.atExpired)],
    writes: ann.written("rt", ann.token()))

  // MARK: Families

  private static func member(_ secret: String) -> SyntheticRow {
    .refresh(secret, ann.upn, ann.token()) { $0.familyID = "1" }
  }

  private static func family(_ secret: String) -> SyntheticRow {
    .refresh(secret, ann.upn, ann.token()) {
      $0.clientID = "foci-1"
      $0.familyID = "1"
    }
  }

  private static func writtenAsFamily(_ own: String, _ family: String) -> [SyntheticEntry] {
    [
      .appMetadata(client: World.client, family: "1"), ann.idToken(ann.token()),
      ann.refreshToken(own), ann.refreshToken(family, family: "1"), ann.account(),
    ]
  }

  static let v18 = GoldenCase(
    "v18 a family's row and its member's have one secret",
    [
      GoldenRow(
        member("rt"), .converted, [.okMRRT, .okFRTMember, .homeCommonAuthority]),
      GoldenRow(
        family("rt"), .familyRefreshToken, .converted,
        [.okFRT, .homeCommonAuthority, .okAccount, .clientInfoSynthesised]),
    ],
    accounts: signedIn, writes: writtenAsFamily("rt", "rt"))

  static let v19 = GoldenCase(
    "v19 a family's row and its member's have two secrets: both are written",
    [
      GoldenRow(
        member("rt-own"), .converted, [.okMRRT, .okFRTMember, .homeCommonAuthority]),
      GoldenRow(
        family("rt-family"), .familyRefreshToken, .converted,
        [.okFRT, .rtFRTDiverged, .homeCommonAuthority, .okAccount, .clientInfoSynthesised]),
    ],
    accounts: signedIn, findings: [.note(.rtFRTDiverged)],
    writes: writtenAsFamily("rt-own", "rt-family"))

  static let v20 = GoldenCase(
    "v20 a family's row without any member: MSAL reads it as it is",
    [
      GoldenRow(
        family("rt"), .familyRefreshToken, .notConverted, [.rtFRTNoClient, .homeCommonAuthority])
    ],
    accounts: [GoldenAccount(ann.upn, ann.home, .homeAuthority, .byUserName)],
    findings: [.warning(.rtFRTNoClient)])

  static let v20b = GoldenCase(
    "v20b a family's row whose members are other apps",
    [
      GoldenRow(member("rt"), .notConverted, [.clientNotInSet]),
      GoldenRow(
        family("rt"), .familyRefreshToken, .notConverted, [.rtFRTForeign, .homeCommonAuthority]),
    ],
    policy: Policy(clientIDs: [World.otherClient]),
    accounts: [GoldenAccount(ann.upn, ann.home, .homeAuthority, .byUserName)],
    findings: [.error(.policyMatchesNothing, 0), .note(.clientNotInSet), .note(.rtFRTForeign)])

  static let v20c = GoldenCase(
    "v20c a client that no row is of",
    [GoldenRow(.refresh("rt", ann.upn, ann.token()), .notConverted, [.clientNotInSet])],
    policy: Policy(clientIDs: [World.otherClient]), accounts: [],
    findings: [
      .error(.policyMatchesNothing, 0), .note(.clientNotInSet), .note(.clientChanged, 0),
    ])

  // MARK: Rows that are never converted

  static let v21 = GoldenCase(
    "v21 tombstone",
    [
      GoldenRow(
        .refresh("", ann.upn, ann.token()) {
          $0.generation = .twoTwo
          $0.isTombstone = true
        }, .tombstone, .notConverted, [.rtTombstone])
    ],
    accounts: signedOff, findings: [.note(.rtTombstone)])

  static let v22 = GoldenCase(
    "v22 refresh token with a session key",
    [
      GoldenRow(
        .refresh("rt", ann.upn, ann.token()) { $0.sessionKey = [1, 2, 3] }, .primaryRefreshToken,
        .notConverted, [.rtSessionKey])
    ],
    accounts: signedOff, findings: [.error(.rtSessionKey)])

  private static let placeholder = SyntheticRow.refresh("rt", ann.upn, ann.token()) {
    $0.clientSlot = SyntheticRow.nilPlaceholder
  }

  static let v23 = GoldenCase(
    "v23 the placeholder in the client's place is the broker's",
    [GoldenRow(placeholder, .primaryRefreshToken, .notConverted, [.rtPRT])],
    accounts: signedOff, findings: [.note(.rtPRT)])

  static let v57 = GoldenCase(
    "v57 the placeholder in the resource's place is a refresh token for every resource",
    [
      GoldenRow(
        .refresh("rt-1", ann.upn, ann.token()), .converted,
        [.okMRRT, .homeCommonAuthority]),
      GoldenRow(placeholder, .primaryRefreshToken, .notConverted, [.rtPRT]),
    ],
    accounts: signedIn, findings: [.note(.rtPRT)], writes: ann.written("rt-1", ann.token()))

  // MARK: Duplicates

  private static let guestToken = eve.guestToken(of: World.contoso, as: World.eveInContoso)

  private static func duplicates(
    _ name: String, home: Double, guest: Double, winner: String
  ) -> GoldenCase {
    func row(_ secret: String, _ row: SyntheticRow) -> GoldenRow {
      GoldenRow(
        .stored(eve.home, row), secret == winner ? .converted : .notConverted,
        [secret == winner ? .okMRRT : .rtDuplicate, .homeExact])
    }
    return GoldenCase(
      name,
      [
        row(
          "rt-home", .refresh("rt-home", eve.upn, eve.token()) { $0.modified = World.now + home }),
        row(
          "rt-guest",
          .refresh("rt-guest", eve.upn, guestToken, at: World.tenant(World.contoso)) {
            $0.modified = World.now + guest
          }),
      ],
      accounts: [GoldenAccount(eve.upn, eve.home, .exact, .yes)],
      findings: [.note(.rtDuplicate)],
      writes: eve.written(winner, eve.token()) + [
        eve.idToken(guestToken, realm: World.contoso),
        eve.account(in: World.contoso, as: World.eveInContoso),
      ])
  }

  static let v24 = duplicates(
    "v24 duplicates in two tenants: the one changed last wins", home: -200, guest: -100,
    winner: "rt-guest")

  static let v25 = duplicates(
    "v25 changed at the same time: the home tenant's wins", home: -100, guest: -100,
    winner: "rt-home")

  /// SHA-256 of `rt-a` begins with ba2f, that of `rt-b` with 2823.
  static let v25b = GoldenCase(
    "v25b nothing else tells them apart: the smaller SHA-256 wins",
    [
      GoldenRow(
        .refresh("rt-a", ann.upn, ann.token()), .notConverted,
        [.rtDuplicate, .homeCommonAuthority]),
      GoldenRow(
        .refresh("rt-b", ann.upn, ann.token(), at: World.tenant(World.contoso)), .converted,
        [.okMRRT, .homeTenantMember]),
    ],
    accounts: signedIn, findings: [.note(.rtDuplicate)],
    writes: ann.written("rt-b", ann.token()))
}
