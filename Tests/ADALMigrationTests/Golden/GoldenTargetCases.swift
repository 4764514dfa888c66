// SPDX-License-Identifier: MIT
import KeychainItems
import SyntheticCaches

@testable import ADALMigration

/// Existing entries, and neighbors: v37–v42, v52, v59.
extension GoldenCase {
  private static let ann = World.ann
  private static let token = ann.token()
  private static let metadata = SyntheticEntry.appMetadata(client: World.client, family: "")

  static let targets = [
    v37, v37b, v38, v39, v40, v40b, v41, v42, v42b, v52, v52b, v59,
  ]

  private static func items(_ entries: SyntheticEntry...) -> [KeychainItem] {
    entries.map { $0.item(accessGroup: World.group, at: World.now - 1000) }
  }

  private static func row(_ secret: String, _ change: SyntheticRow.Change = { _ in })
    -> SyntheticRow
  {
    .refresh(secret, ann.upn, token, change)
  }

  private static func accounts(_ home: String = ann.home) -> Set<GoldenAccount> {
    [GoldenAccount(ann.upn, home, .exact, .yes)]
  }

  static let v37 = GoldenCase(
    "v37 the target's refresh token stays; only what is missing is added",
    [
      GoldenRow(
        row("rt-legacy"), .alreadyThere,
        [
          .keepTargetNewer, .homeCommonAuthority, .keepAccount, .okIDTokenV1, .okAppMeta,
        ])
    ],
    target: items(ann.refreshToken("rt-newer"), ann.account()), accounts: accounts(),
    findings: [.note(.keepTargetNewer), .note(.keepIdentical, 2), .note(.keepAccount)],
    writes: [metadata, ann.idToken(token)], isWhole: true)

  private static let datedToken: SyntheticEntry = {
    var entry = ann.refreshToken("rt-older")
    entry.payload["last_modification_time"] = "1699000000.000"
    return entry
  }()

  static let v37b = GoldenCase(
    "v37b the target's refresh token stays though it is older",
    [
      GoldenRow(
        row("rt-legacy") { $0.modified = 1_699_500_000 }, .alreadyThere,
        [
          .keepTargetOlder, .homeCommonAuthority, .keepAccount, .okIDTokenV1, .okAppMeta,
        ])
    ],
    target: items(datedToken, ann.account()), accounts: accounts(),
    findings: [.note(.keepTargetOlder), .note(.keepIdentical, 2), .note(.keepAccount)],
    writes: [metadata, ann.idToken(token)])

  static let v38 = GoldenCase(
    "v38 everything is there",
    [
      GoldenRow(
        row("rt"), .alreadyThere,
        [.keepIdentical, .homeCommonAuthority, .keepAccount, .keepIDToken, .keepAppMeta])
    ],
    target: ann.written("rt", token).map {
      $0.item(accessGroup: World.group, at: World.now - 1000)
    },
    accounts: accounts(),
    findings: [
      .note(.keepIdentical, 5), .note(.keepAccount), .note(.keepIDToken), .note(.keepAppMeta),
    ])

  static let v39 = GoldenCase(
    "v39 the user signed out with MSAL",
    [GoldenRow(row("rt"), .notConverted, [.accountSignedOut, .homeCommonAuthority])],
    target: [
      SyntheticEntry.signedOut(home: ann.home, client: World.client, accessGroup: World.group)
    ],
    accounts: [GoldenAccount(ann.upn, ann.home, .homeAuthority, .byUserName)],
    findings: [.note(.accountSignedOut)])

  /// The same object of the same tenant under another home account id.
  private static let stranger = GoldenPerson(
    ann.upn, "99999999-aaaa-4000-8000-000000000009", World.fabrikam, "Ann", "Lee")
  private static let strangersAccount = stranger.account(in: World.contoso, as: ann.oid)

  static let v40 = GoldenCase(
    "v40 MSAL knows the user by another home account id: what was stored wins",
    [
      GoldenRow(
        row("rt"), .converted,
        [
          .okMRRT, .homeJoined, .homeClaimsDisagree, .keepAccount, .okIDTokenV1, .okAppMeta,
        ], home: .some(stranger.home), evidence: ["join.oid+tid"])
    ],
    target: items(strangersAccount), accounts: accounts(stranger.home),
    findings: [
      .warning(.homeJoined), .warning(.homeClaimsDisagree), .note(.keepAccount),
      .note(.keepIdentical),
    ],
    writes: [
      metadata, stranger.idToken(token, realm: World.contoso), stranger.refreshToken("rt"),
    ])

  static let v40b = GoldenCase(
    "v40b two home account ids are stored for one user",
    [
      GoldenRow(
        .stored(ann.home, row("rt")), .notConverted, [.conflictHomeID], home: .some(nil))
    ],
    target: items(strangersAccount),
    accounts: [
      GoldenAccount(ann.upn, stranger.home, .exact, .no),
      GoldenAccount(ann.upn, nil, .none, .byUserName),
    ],
    findings: [.warning(.conflictHomeID), .note(.keepIdentical)])

  static let v41 = GoldenCase(
    "v41 the target has two refresh tokens where MSAL expects one",
    [GoldenRow(row("rt"), .notConverted, [.conflictTargetMultiple, .homeCommonAuthority])],
    target: items(
      ann.refreshToken("rt-1"), ann.refreshToken("rt-2", at: "login.microsoftonline.com"),
      ann.account()),
    accounts: accounts(), findings: [.note(.conflictTargetMultiple), .note(.keepIdentical, 3)])

  static let v42 = GoldenCase(
    "v42 the service said that the client is in no family: so it stays",
    [
      GoldenRow(
        row("rt") { $0.familyID = "1" }, .converted,
        [
          .okMRRT, .okFRTMember, .homeCommonAuthority, .okAccount, .okIDTokenV1,
          .clientInfoSynthesised, .keepAppMeta, .appMetaFamilyConflict,
        ])
    ],
    target: items(metadata),
    accounts: [GoldenAccount(ann.upn, ann.home, .homeAuthority, .yes)],
    findings: [
      .warning(.appMetaFamilyConflict), .note(.keepAppMeta), .note(.keepIdentical),
    ],
    writes: [
      ann.idToken(token), ann.refreshToken("rt"), ann.refreshToken("rt", family: "1"),
      ann.account(),
    ])

  static let v42b = GoldenCase(
    "v42b an archive too old to know families says nothing of them",
    [
      GoldenRow(
        row("rt") { $0.generation = .one }, .converted,
        [.okMRRT, .homeCommonAuthority, .okAccount, .okIDTokenV1, .clientInfoSynthesised])
    ],
    accounts: [GoldenAccount(ann.upn, ann.home, .homeAuthority, .yes)],
    writes: [ann.idToken(token), ann.refreshToken("rt"), ann.account()])

  private static let neighbour = row("rt-2") { $0.clientID = World.otherClient }

  static let v52 = GoldenCase(
    "v52 two clients in one keychain group: one account, two of everything else",
    [
      GoldenRow(row("rt-1"), .converted, [.okMRRT, .homeCommonAuthority]),
      GoldenRow(neighbour, .converted, [.okMRRT, .homeCommonAuthority]),
    ],
    accounts: [GoldenAccount(ann.upn, ann.home, .homeAuthority, .yes)],
    writes: ann.written("rt-1", token)
      + ann.written("rt-2", token, client: World.otherClient))

  static let v52b = GoldenCase(
    "v52b converting one client alone hides the user from the other",
    [
      GoldenRow(row("rt-1"), .converted, [.okMRRT, .homeCommonAuthority]),
      GoldenRow(neighbour, .notConverted, [.clientNotInSet]),
    ],
    policy: Policy(clientIDs: [World.client]),
    accounts: [GoldenAccount(ann.upn, ann.home, .homeAuthority, .yes)],
    findings: [.note(.clientNotInSet), .warning(.coexistenceHiddenClient)],
    writes: ann.written("rt-1", token))

  private static let alias = "login.microsoftonline.com"

  static let v59 = GoldenCase(
    "v59 what is there under an alias host is added to under that host",
    [
      GoldenRow(
        row("rt"), .alreadyThere,
        [
          .keepIdentical, .homeCommonAuthority, .keepAccount, .okIDTokenV1, .okAppMeta,
          .envReuseExisting, .accountAliasCopy,
        ])
    ],
    target: items(ann.refreshToken("rt", at: alias), ann.account(at: alias)),
    accounts: [GoldenAccount(ann.upn, ann.home, .exact, .yes, at: alias)],
    findings: [
      .note(.keepIdentical, 3), .note(.keepAccount), .note(.envReuseExisting),
      .note(.accountAliasCopy),
    ],
    writes: [
      .appMetadata(client: World.client, family: "", environment: alias),
      ann.idToken(token, at: alias), ann.account(),
    ])
}
