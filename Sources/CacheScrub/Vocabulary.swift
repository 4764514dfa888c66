// SPDX-License-Identifier: MIT
import ADALCache
import MSALCache

/// Words that all caches share or that a migration depends on; all other words are replaced.
enum Vocabulary {
  /// Words that stay where they stand alone.
  static let words = Set(
    words: """
      common organizations consumers adfs tfp te oauth oauth2 v1 v2 b2c default openid profile offline access
      email user impersonation http https api urn ms aad msa ietf wg oob ext null nil true false bearer
      pop jwt basic accounts accesstoken refreshtoken idtoken account appmetadata accountmetadata
      legacysingleresourcetoken primaryrefreshtoken familyrefreshtoken boundrefreshtoken authscheme with
      foci frt mssts other generic aadaccount key keys version type kind state placeholder auth msauth
      """)

  /// Words with punctuation in them that stay: hosts that are the same for all users, and names of
  /// ADAL's and MSAL's own. In lower case, without punctuation at their ends.
  static let phrases = Set(
    words: """
      v1.0 v2.0 graph.windows.net graph.microsoft.com graph.chinacloudapi.cn graph.microsoftazure.us
      graph.cloudapi.de microsoftgraph.chinacloudapi.cn sts.chinacloudapi.cn sts.microsoftonline.de
      management.azure.com management.core.windows.net vault.azure.net api.office.com
      outlook.office.com outlook.office365.com manage.office.com onmicrosoft.com onmicrosoft.de
      onmicrosoft.us onmschina.cn partner.onmschina.cn sharepoint.com sharepoint.us dynamics.com
      b2clogin.com live.com google.com facebook.com login.live.com com.microsoft.adalcache
      com.microsoft.identity.universalstorage com.microsoft.identity.throttling.metadata
      com.microsoft.workplacejoin com.microsoft.azureauthenticator msopentech.adal.1.0
      msopentech.adal microsoft.adal.wipeall.1 microsoft.adal.tombstone.1
      activedirectoryauthenticationlibrary nexttombstonecleantime bundleseedid teamidhint
      sdk.objc.teamidhint dotnetteamidhint usesinglefrt nskeyedarchiver access_tokens refresh_tokens
      id_tokens authority_map
      """
  ).union(Cloud.all.flatMap(\.aliases)).union([
    LegacyItem.library.lowercased(), "adal.pcl.ios service", "adal.pcl.ios cache",
    "broker key service",
  ])

  static let phraseStarts = Set(
    phrases.map { String($0.prefix { $0.unicodeScalars.allSatisfy(\.isWord) }) })

  static let longestPhrase = phrases.reduce(0) { max($0, $1.utf8.count) }

  /// The ends of host names that do not identify an owner. All ends of two letters count too.
  static let topLevel = Set(
    words: """
      com net org edu gov mil int info biz app dev cloud example test invalid local localhost
      """)

  /// Identifiers that are the same for all users.
  static let identifiers: Set<String> = [
    LegacyItem.noResource.lowercased(), HomeAccountID.consumerTenant,
    "00000000-0000-0000-0000-000000000000",
  ]

  /// Whether an identifier, in lower case, is the same for all users: also those of Microsoft's own services,
  /// `00000002-0000-0000-c000-000000000000`.
  static func isPublic(_ identifier: String) -> Bool {
    identifiers.contains(identifier)
      || identifier.hasPrefix("0000000") && identifier.hasSuffix("-0000-0000-c000-000000000000")
  }
}

extension Set<String> {
  init(words: String) {
    self.init(words.split(whereSeparator: \.isWhitespace).map(String.init))
  }
}

/// The role of a field, by its name.
enum FieldRole: Int, Comparable {
  /// Dates, numbers and kinds: the value stays when it is one (``Datum``).
  case datum
  /// Words. Those in ``Vocabulary`` stay.
  case text
  /// Personal names. Every word is replaced.
  case name
  case secret

  static func < (left: FieldRole, right: FieldRole) -> Bool { left.rawValue < right.rawValue }

  init(named name: String) {
    let letters = name.utf8.filter { $0 != UInt8(ascii: "_") && $0 != UInt8(ascii: "-") }
      .map(\.lower)
    self = Self.byName[String(decoding: letters, as: UTF8.self)] ?? .text
  }

  private static let byName: [String: FieldRole] = {
    var roles: [String: FieldRole] = [:]
    for (names, role) in [(data, Self.datum), (names, .name), (secrets, .secret)] {
      for name in names { roles[name] = role }
    }
    return roles
  }()

  private static let secrets = Set(
    words: """
      secret idtoken assertion authorizationcode code nonce password clientsecret kid x5t x5c jwk uti
      rh aio sid athash chash
      """
  ).union(ItemField.secrets.map { $0.name.lowercased() })

  private static let names = Set(
    words: """
      name givenname familyname middlename nickname ipaddr displayname phonenumber streetaddress
      postalcode city jobtitle deviceid labl label
      """)

  /// Fields with dates, numbers or kinds.
  private static let data = Set(
    words: """
      exp iat nbf authtime ver alg typ extendedexpireson extexpireson expiresin extexpiresin
      refreshon refreshin notbefore createdon createdat datetime offsetminutes lastmodificationtime
      cdat mdat credentialtype authoritytype tokentype accesstokentype familyid foci class pdmn type
      invi format version createdate modificationdate accessibleattribute itemclass accesscontrol
      schema signinstate wipetime lastwipetime
      """
  ).union(ItemField.dates.map { $0.name.lowercased() })
}
