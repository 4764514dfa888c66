// SPDX-License-Identifier: MIT
import SyntheticCaches

@testable import ADALMigration

/// Authorities, ID tokens, spellings: v31–v36, v46–v49.
extension GoldenCase {
  private static let ann = World.ann
  private static let signedIn: Set<GoldenAccount> = [
    GoldenAccount(ann.upn, ann.home, .homeAuthority, .yes)
  ]
  private static let converted: [Reason] = [.okMRRT, .homeCommonAuthority]

  static let places = [
    v31a, v31b, v31c, v31d, v32, v33, v33b, v34, v35, v36, v46, v46b, v47, v48, v49, v49b,
  ]

  /// One row through an authority of another cloud. Under an alias host the account is written twice,
  /// since MSAL lists the row that stays under the host that it was archived with (D27).
  private static func cloud(
    _ name: String, _ host: String, _ environment: String, _ warning: GoldenFinding? = nil,
    _ reasons: Reason...
  ) -> GoldenCase {
    let isAlias = host != environment
    var findings: Set<GoldenFinding> = isAlias ? [.note(.accountAliasCopy)] : []
    if let warning { findings.insert(warning) }
    return GoldenCase(
      name,
      [
        GoldenRow(
          .refresh("rt", ann.upn, ann.token(), at: "https://\(host)/common"), .converted,
          converted + reasons + (isAlias ? [.accountAliasCopy] : []))
      ],
      accounts: [GoldenAccount(ann.upn, ann.home, .homeAuthority, .yes, at: environment)],
      findings: findings,
      writes: ann.written("rt", ann.token(), at: environment)
        + (isAlias ? [ann.account(at: host)] : []))
  }

  static let v31a = cloud(
    "v31a US Government", "login.usgovcloudapi.net", "login.microsoftonline.us")
  static let v31b = cloud(
    "v31b China", "login.chinacloudapi.cn", "login.partner.microsoftonline.cn")
  static let v31c = cloud(
    "v31c the sovereign cloud of France", "login.sovcloud-identity.fr",
    "login.sovcloud-identity.fr")
  static let v31d = cloud(
    "v31d Germany, which is closed", "login.microsoftonline.de", "login.microsoftonline.de",
    .warning(.envClosedCloud), .envClosedCloud)

  static let v32 = GoldenCase(
    "v32 two hosts of one cloud are one account",
    [
      GoldenRow(
        .refresh("rt-old", ann.upn, ann.token(), at: "https://login.microsoftonline.com/common") {
          $0.modified = World.now - 20
        }, .notConverted,
        [.rtDuplicate, .homeCommonAuthority, .accountAliasCopy]),
      GoldenRow(
        .refresh("rt-new", ann.upn, ann.token()) { $0.modified = World.now - 10 }, .converted,
        converted),
    ],
    accounts: signedIn, findings: [.note(.rtDuplicate), .note(.accountAliasCopy)],
    writes: ann.written("rt-new", ann.token()) + [ann.account(at: "login.microsoftonline.com")])

  private static let ownHost = "https://login.contoso.example/common"

  static let v33 = GoldenCase(
    "v33 a host that nobody knows",
    [
      GoldenRow(
        .refresh("rt", ann.upn, ann.token(), at: ownHost), .notConverted, [.envUnknownHost])
    ],
    accounts: [
      GoldenAccount(
        ann.upn, ann.home, .homeAuthority, .byUserName, at: "login.contoso.example")
    ],
    findings: [.warning(.envUnknownHost)])

  static let v33b = GoldenCase(
    "v33b a host that somebody allowed",
    [GoldenRow(.refresh("rt", ann.upn, ann.token(), at: ownHost), .converted, converted)],
    policy: Policy(allowedHosts: ["login.contoso.example"]),
    accounts: [
      GoldenAccount(ann.upn, ann.home, .homeAuthority, .yes, at: "login.contoso.example")
    ],
    writes: ann.written("rt", ann.token(), at: "login.contoso.example"))

  static let v34 = GoldenCase(
    "v34 a port of its own",
    [
      GoldenRow(
        .refresh("rt", ann.upn, ann.token(), at: "https://login.windows.net:8443/common"),
        .converted, converted + [.envPort])
    ],
    accounts: [
      GoldenAccount(ann.upn, ann.home, .homeAuthority, .yes, at: "login.windows.net:8443")
    ],
    findings: [.note(.envPort)],
    writes: ann.written("rt", ann.token(), at: "login.windows.net:8443"))

  static let v35 = GoldenCase(
    "v35 an authority without TLS is none",
    [
      GoldenRow(
        .refresh("rt", ann.upn, ann.token(), at: "http://login.windows.net/common"),
        .notConverted, [.authorityMalformed], home: .some(nil))
    ],
    accounts: [GoldenAccount(ann.upn, nil, .usernameOnly, .no, at: nil)],
    findings: [.error(.authorityMalformed)])

  static let v36 = GoldenCase(
    "v36 Azure AD B2C",
    [
      GoldenRow(
        .refresh(
          "rt", ann.upn, ann.token(), at: "https://login.windows.net/tfp/contoso/b2c_1_signin"),
        .b2c, .notConverted, [.b2cUnsupported], home: .some(nil))
    ],
    accounts: [GoldenAccount(ann.upn, nil, .none, .no)],
    findings: [.error(.b2cUnsupported)])

  // MARK: ID tokens

  private static let unsigned = ann.token()

  static let v46 = GoldenCase(
    "v46 an ID token whose third part is missing",
    [
      GoldenRow(
        .refresh("rt", ann.upn, String(unsigned.dropLast())), .converted, converted)
    ],
    accounts: signedIn, writes: ann.written("rt", String(unsigned.dropLast())))

  static let v46b = GoldenCase(
    "v46b what is no ID token at all",
    [
      GoldenRow(
        .refresh("rt", ann.upn, "not.a.token"), .notConverted,
        [.homeNoIDToken, .idTokenMalformed, .tenantCommonNoIDToken])
    ],
    accounts: [GoldenAccount(ann.upn, nil, .usernameOnly, .no)],
    findings: [
      .error(.homeNoIDToken), .note(.idTokenMalformed), .note(.tenantCommonNoIDToken),
    ])

  static let v47 = GoldenCase(
    "v47 an ID token that names no tenant",
    [
      GoldenRow(
        .refresh("rt", ann.upn, ann.token(["tid": nil])), .notConverted,
        [.homeNoOID, .idTokenNoTID], home: .some(nil))
    ],
    accounts: [GoldenAccount(ann.upn, nil, .usernameOnly, .byUserName)],
    findings: [.warning(.homeNoOID), .note(.idTokenNoTID)])

  private static let zoe = GoldenPerson(
    "zoë@contoso.com", "77777777-aaaa-4000-8000-000000000007", World.contoso, "Zoë 文", "Müller🙂"
  )

  static let v48 = GoldenCase(
    "v48 names beyond ASCII",
    [GoldenRow(.refresh("rt", zoe.upn, zoe.token()), .converted, converted)],
    accounts: [GoldenAccount(zoe.upn, zoe.home, .homeAuthority, .yes)],
    writes: zoe.written("rt", zoe.token()))

  // MARK: Spellings

  private static let shouted = World.client.uppercased()

  static let v49 = GoldenCase(
    "v49 the client id is written as the archive spells it",
    [
      GoldenRow(
        .refresh("rt", ann.upn, ann.token()) { $0.clientID = shouted }, .converted, converted)
    ],
    accounts: signedIn, writes: ann.written("rt", ann.token(), client: shouted))

  static let v49b = GoldenCase(
    "v49b the client id is written as the policy spells it",
    [
      GoldenRow(
        .refresh("rt", ann.upn, ann.token()) { $0.clientID = shouted }, .converted, converted)
    ],
    policy: Policy(clientIDs: [World.client]), accounts: signedIn,
    writes: ann.written("rt", ann.token()))
}
