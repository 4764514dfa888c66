// SPDX-License-Identifier: MIT
import SyntheticCaches

@testable import ADALMigration
@testable import MigrationPolicies

/// The account of a row: v01–v15, v51, v53, v56, v58, v60.
extension GoldenCase {
  private static let ann = World.ann
  private static let eve = World.eve
  private static let contoso = World.tenant(World.contoso)

  static let people = [
    v01, v02, v03, v04, v05, v05b, v06, v07, v07b, v08, v09, v10, v11, v12, v13, v14, v15, v51, v53,
    v56,
    v58, v60, v60b,
  ]

  static let v01 = GoldenCase(
    "v01 member through common",
    [
      GoldenRow(
        .refresh("rt", ann.upn, ann.token()), .converted,
        [.okMRRT, .homeCommonAuthority] + .account, home: .some(ann.home), scope: .some(nil),
        evidence: ["idtoken.oid+tid", "authority.common"])
    ],
    accounts: [GoldenAccount(ann.upn, ann.home, .homeAuthority, .yes)],
    writes: ann.written("rt", ann.token()), isWhole: true)

  static let v02 = GoldenCase(
    "v02 member through the tenant id",
    [
      GoldenRow(
        .refresh("rt", ann.upn, ann.token(), at: contoso), .converted,
        [.okMRRT, .homeTenantMember],
        evidence: ["idtoken.oid+tid", "idtoken.upn", "authority.tenant-id"])
    ],
    accounts: [GoldenAccount(ann.upn, ann.home, .tenantMember, .yes)],
    writes: ann.written("rt", ann.token()))

  static let v03 = GoldenCase(
    "v03 member through a domain name: the realm is the tenant id",
    [
      GoldenRow(
        .refresh("rt", ann.upn, ann.token(), at: World.tenant("contoso.onmicrosoft.com")),
        .converted, [.okMRRT, .homeTenantMember],
        evidence: ["idtoken.oid+tid", "idtoken.upn", "authority.tenant-domain"])
    ],
    accounts: [GoldenAccount(ann.upn, ann.home, .tenantMember, .yes)],
    writes: ann.written("rt", ann.token()))

  static let v04 = GoldenCase(
    "v04 domain name without ID token",
    [
      GoldenRow(
        .refresh("rt", ann.upn, nil, at: World.tenant("contoso.onmicrosoft.com")),
        .notConverted, [.homeUsernameOnly, .tenantDomainUnresolved], home: .some(nil))
    ],
    accounts: [GoldenAccount(ann.upn, nil, .usernameOnly, .no)],
    findings: [.error(.homeUsernameOnly), .note(.tenantDomainUnresolved)])

  static let v05 = GoldenCase(
    "v05 row of 2.7 with its home account id",
    [
      GoldenRow(
        .stored(ann.home, .refresh("rt", ann.upn, ann.token())), .converted,
        [.okMRRT, .homeExact], evidence: ["row.homeAccountId"])
    ],
    accounts: [GoldenAccount(ann.upn, ann.home, .exact, .yes)],
    findings: [.note(.coexistenceLogout)],
    writes: ann.written("rt", ann.token()))

  static let v05b = GoldenCase(
    "v05b row of 2.7 with its home account id and no ID token",
    [
      GoldenRow(
        .stored(ann.home, .refresh("rt", ann.upn, nil, at: contoso)), .converted,
        [.okMRRT, .homeExact, .accountMinimal, .accountClaimsLater, .clientInfoSynthesised]
          + [.okAppMeta], evidence: ["row.homeAccountId"])
    ],
    accounts: [GoldenAccount(ann.upn, ann.home, .exact, .yes)],
    findings: [.note(.accountMinimal), .note(.accountClaimsLater)],
    writes: [
      .appMetadata(client: World.client, family: ""), ann.refreshToken("rt"),
      .account(ann.upn, home: ann.home, realm: ann.tid, localID: ann.oid),
    ])

  static let v06 = GoldenCase(
    "v06 stored home account id that is not of GUIDs",
    [
      GoldenRow(
        .stored(
          "eve-b2c_1_signin.\(World.fabrikam)",
          .refresh("rt", eve.upn, guestToken, at: contoso)),
        .converted, [.okMRRT, .homeExact, .homeNonGUID])
    ],
    accounts: [
      GoldenAccount(eve.upn, "eve-b2c_1_signin.\(World.fabrikam)", .exact, .yes)
    ],
    findings: [.warning(.homeNonGUID)],
    writes: GoldenPerson(
      eve.upn, "eve-b2c_1_signin", World.fabrikam, "Eve", "Ray"
    ).writtenAsGuest(of: World.contoso, as: World.eveInContoso, "rt", guestToken))

  private static let guestToken = eve.guestToken(of: World.contoso, as: World.eveInContoso)

  static let v07 = GoldenCase(
    "v07 guest of another tenant",
    [
      GoldenRow(
        .refresh("rt", eve.upn, guestToken, at: contoso), .notConverted, [.homeGuestUnresolved],
        home: .some(nil), evidence: ["guest.idp-tenant", "guest.no-upn"])
    ],
    accounts: [GoldenAccount(eve.upn, nil, .usernameOnly, .byUserName)],
    findings: [.warning(.homeGuestUnresolved)])

  static let v07b = GoldenCase(
    "v07b guest through a domain name, where MSAL does not look",
    [
      GoldenRow(
        .refresh("rt", eve.upn, guestToken, at: World.tenant("contoso.com")), .notConverted,
        [.homeGuestUnresolved])
    ],
    accounts: [GoldenAccount(eve.upn, nil, .usernameOnly, .no)],
    findings: [.error(.homeGuestUnresolved)])

  static let v08 = GoldenCase(
    "v08 guest joined by the same refresh token",
    [
      GoldenRow(
        .refresh("rt", eve.upn, eve.token()), .converted,
        [.okMRRT, .homeCommonAuthority] + .account),
      GoldenRow(
        .refresh("rt", eve.upn, guestToken, at: contoso), .converted,
        [.rtDuplicate, .homeJoined] + .account, home: .some(eve.home),
        evidence: ["join.refresh-token", "guest.idp-tenant", "guest.no-upn"]),
    ],
    accounts: [GoldenAccount(eve.upn, eve.home, .homeAuthority, .yes)],
    findings: [.warning(.homeJoined), .note(.rtDuplicate)],
    writes: eve.written("rt", eve.token()) + [
      eve.idToken(guestToken, realm: World.contoso),
      eve.account(in: World.contoso, as: World.eveInContoso),
    ], isWhole: true)

  static let v09 = GoldenCase(
    "v09 guest joined by the account map",
    [
      GoldenRow(
        .refresh("rt", eve.upn, guestToken, at: contoso), .converted,
        [.okMRRT, .homeExact], evidence: ["map.tid+oid"])
    ],
    policy: .map([
      AccountMap.Entry(
        homeOID: eve.oid, homeTID: eve.tid, tid: World.contoso, oid: World.eveInContoso)
    ]),
    accounts: [GoldenAccount(eve.upn, eve.home, .exact, .yes)],
    writes: eve.writtenAsGuest(
      of: World.contoso, as: World.eveInContoso, "rt", guestToken))

  private static let kim = GoldenPerson(
    "kim@outlook.com", "00000000-0000-0000-1234-123456789abc", World.personal, "Kim", "Fox")
  private static let kimAsGuest = kim.guestToken(
    of: World.contoso, as: World.eveInContoso,
    ["idp": "live.com", "unique_name": "live.com#kim@outlook.com", "altsecid": "1:live.com:0003"])

  static let v10 = GoldenCase(
    "v10 guest with a personal account",
    [
      GoldenRow(
        .refresh("rt", kim.upn, kimAsGuest, at: contoso), .notConverted, [.homeMSAGuest],
        home: .some(nil))
    ],
    accounts: [GoldenAccount(kim.upn, nil, .usernameOnly, .byUserName)],
    findings: [.warning(.homeMSAGuest)])

  static let v11 = GoldenCase(
    "v11 guest with a personal account that the map knows",
    [
      GoldenRow(
        .refresh("rt", kim.upn, kimAsGuest, at: contoso), .converted,
        [.okMRRT, .homeExact])
    ],
    policy: .map([
      AccountMap.Entry(
        homeOID: kim.oid, homeTID: kim.tid, tid: World.contoso, oid: World.eveInContoso)
    ]),
    accounts: [GoldenAccount(kim.upn, kim.home, .exact, .yes)],
    writes: kim.writtenAsGuest(
      of: World.contoso, as: World.eveInContoso, "rt", kimAsGuest))

  private static let oldName = "ann.maiden@contoso.com"
  private static let oldToken = ann.token([
    "upn": oldName, "unique_name": oldName, "iat": Int(World.issued) - 86_400,
  ])

  static let v12 = GoldenCase(
    "v12 renamed user: one account under the newest name",
    [
      GoldenRow(
        .refresh("rt-old", oldName, oldToken), .notConverted,
        [
          .rtDuplicate, .homeCommonAuthority, .accountRenamed, .okAccount, .okAppMeta,
          .idTokenSuperseded, .clientInfoSynthesised,
        ]),
      GoldenRow(
        .refresh("rt-new", ann.upn, ann.token()), .converted,
        [.okMRRT, .homeCommonAuthority]),
    ],
    accounts: [GoldenAccount(ann.upn, ann.home, .homeAuthority, .yes)],
    findings: [.note(.rtDuplicate), .warning(.accountRenamed), .note(.idTokenSuperseded)],
    writes: ann.written("rt-new", ann.token()))

  static let v13 = GoldenCase(
    "v13 one user name, two people",
    [
      GoldenRow(
        .refresh("rt-1", World.firstSam.upn, World.firstSam.token()), .converted,
        [.okMRRT, .homeCommonAuthority, .conflictSameUPN]),
      GoldenRow(
        .refresh("rt-2", World.secondSam.upn, World.secondSam.token(), at: contoso), .converted,
        [.okMRRT, .homeTenantMember, .conflictSameUPN]),
    ],
    accounts: [
      GoldenAccount(World.firstSam.upn, World.firstSam.home, .homeAuthority, .yes),
      GoldenAccount(World.secondSam.upn, World.secondSam.home, .tenantMember, .yes),
    ],
    findings: [.warning(.conflictSameUPN, 2), .note(.multiAccountsCreated, 0)],
    writes: World.firstSam.written("rt-1", World.firstSam.token())
      + World.secondSam.written("rt-2", World.secondSam.token()))

  static let v14 = GoldenCase(
    "v14 AD FS, nobody's name",
    [
      GoldenRow(
        .access("at", nil, nil, at: "https://adfs.contoso.com/adfs") { $0.refreshToken = "rt" },
        .adfs, .notConverted, [.adfsUnsupported], home: .some(nil))
    ],
    accounts: [GoldenAccount(nil, nil, .none, .no, at: "adfs.contoso.com")],
    findings: [.error(.adfsUnsupported)])

  static let v15 = GoldenCase(
    "v15 nobody's name in the key, but an ID token",
    [
      GoldenRow(
        .refresh("rt", nil, ann.token()), .converted, [.okMRRT, .homeCommonAuthority])
    ],
    accounts: [GoldenAccount(ann.upn, ann.home, .homeAuthority, .yes)],
    writes: ann.written("rt", ann.token()))

  private static let otherGuestToken = eve.guestToken(
    of: World.tailspin, as: World.eveInTailspin)

  static let v51 = GoldenCase(
    "v51 one person in three tenants: three accounts, one refresh token",
    [
      GoldenRow(
        .stored(eve.home, .refresh("rt-1", eve.upn, eve.token()) { $0.modified = World.now - 1 }),
        .converted, [.okMRRT, .homeExact]),
      GoldenRow(
        .stored(
          eve.home,
          .refresh("rt-2", eve.upn, guestToken, at: contoso) { $0.modified = World.now - 2 }),
        .notConverted, [.rtDuplicate, .homeExact]),
      GoldenRow(
        .stored(
          eve.home,
          .refresh("rt-3", eve.upn, otherGuestToken, at: World.tenant(World.tailspin)) {
            $0.modified = World.now - 3
          }),
        .notConverted, [.rtDuplicate, .homeExact]),
    ],
    accounts: [GoldenAccount(eve.upn, eve.home, .exact, .yes)],
    findings: [.note(.rtDuplicate, 2)],
    writes: eve.written("rt-1", eve.token()) + [
      eve.idToken(guestToken, realm: World.contoso),
      eve.account(in: World.contoso, as: World.eveInContoso),
      eve.idToken(otherGuestToken, realm: World.tailspin),
      eve.account(in: World.tailspin, as: World.eveInTailspin),
    ])

  static let v53 = GoldenCase(
    "v53 the map contradicts what the service stored: stored wins",
    [
      GoldenRow(
        .stored(eve.home, .refresh("rt", eve.upn, guestToken, at: contoso)), .converted,
        [.okMRRT, .homeExact, .mapContradictsStored], home: .some(eve.home))
    ],
    policy: .map([
      AccountMap.Entry(
        homeOID: ann.oid, homeTID: World.fabrikam, tid: World.contoso, oid: World.eveInContoso)
    ]),
    accounts: [GoldenAccount(eve.upn, eve.home, .exact, .yes)],
    findings: [.warning(.mapContradictsStored)],
    writes: eve.writtenAsGuest(
      of: World.contoso, as: World.eveInContoso, "rt", guestToken))

  static let v56 = GoldenCase(
    "v56 the key names somebody else than the ID token: the ID token counts",
    [
      GoldenRow(
        .refresh("rt", "a.lee@contoso.com", ann.token()), .converted,
        [.okMRRT, .homeCommonAuthority, .userKeyClaimsDiffer])
    ],
    accounts: [GoldenAccount(ann.upn, ann.home, .homeAuthority, .yes)],
    findings: [.warning(.userKeyClaimsDiffer)],
    writes: ann.written("rt", ann.token()))

  static let v58 = GoldenCase(
    "v58 home and guest rows that nothing joins: the guest stays",
    [
      GoldenRow(
        .refresh("rt-home", eve.upn, eve.token()), .converted,
        [.okMRRT, .homeCommonAuthority]),
      GoldenRow(
        .refresh("rt-guest", eve.upn, guestToken, at: contoso), .notConverted,
        [.homeGuestUnresolved], home: .some(nil)),
    ],
    accounts: [
      GoldenAccount(eve.upn, eve.home, .homeAuthority, .yes),
      GoldenAccount(eve.upn, nil, .usernameOnly, .byUserName),
    ],
    findings: [.warning(.homeGuestUnresolved), .warning(.coexistenceNamelessListing)],
    writes: eve.written("rt-home", eve.token()))

  private static let byEmail = eve.guestToken(
    of: World.contoso, as: World.eveInContoso, ["email": "eve.ray@fabrikam.com"])
  private static let bySubject = eve.token(
    ["upn": nil, "unique_name": nil, "oid": nil, "sub": "Subject-1"])

  static let v60 = GoldenCase(
    "v60 the user name is the email where there is no UPN",
    [
      GoldenRow(
        .stored(eve.home, .refresh("rt", "eve.ray@fabrikam.com", byEmail, at: contoso)),
        .converted, [.okMRRT, .homeExact])
    ],
    accounts: [GoldenAccount("eve.ray@fabrikam.com", eve.home, .exact, .yes)],
    writes: [
      .appMetadata(client: World.client, family: ""),
      eve.idToken(byEmail, realm: World.contoso), eve.refreshToken("rt"),
      eve.account(
        in: World.contoso, as: World.eveInContoso, named: "eve.ray@fabrikam.com"),
    ])

  static let v60b = GoldenCase(
    "v60b the user name is the subject where there is no email either",
    [
      GoldenRow(
        .stored(eve.home, .refresh("rt", "subject-1", bySubject)), .converted,
        [.okMRRT, .homeExact, .userNonDisplayable])
    ],
    accounts: [GoldenAccount("subject-1", eve.home, .exact, .yes)],
    findings: [.warning(.userNonDisplayable)],
    writes: [
      .appMetadata(client: World.client, family: ""), eve.idToken(bySubject),
      eve.refreshToken("rt"), eve.account(as: "subject-1", named: "subject-1"),
    ])
}

extension Policy {
  /// A policy with an account map of these lines, which are known to be sound.
  static func map(_ entries: [AccountMap.Entry]) -> Policy {
    Policy(accountMap: (try? AccountMap(entries)) ?? AccountMap())
  }
}
