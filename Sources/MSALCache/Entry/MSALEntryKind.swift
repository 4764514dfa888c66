// SPDX-License-Identifier: MIT

extension MSALEntry {
  /// The kind of an entry. The raw value is the kSecAttrType that MSAL queries for.
  package enum Kind: Int, Sendable, CaseIterable {
    case accessToken = 2001
    case refreshToken = 2002
    case idToken = 2003
    case legacySingleResourceToken = 2004
    case primaryRefreshToken = 2005
    case v1IDToken = 2006
    case accessTokenWithAuthScheme = 2007
    case familyRefreshToken = 2008
    case boundRefreshToken = 2009
    case account = 1003
    case appMetadata = 3001

    /// The kinds of tokens, in the order of their type numbers.
    package static let tokens = allCases.filter(\.isToken)

    package var isToken: Bool { self != .account && self != .appMetadata }

    /// The kind that `credential_type` says, in any case; nil when MSAL knows no token of that name.
    package init?(credentialType text: String) {
      guard let kind = Self.byLowerCaseName[text.lowercasedLikeNSString] else { return nil }
      self = kind
    }

    private static let byLowerCaseName = Dictionary(
      uniqueKeysWithValues: tokens.map { ($0.lowerCaseName, $0) })

    /// The value of `credential_type` in a token.
    package var name: String { names.spelled }

    /// The name as it stands in keys.
    var lowerCaseName: String { names.lowerCase }

    private var names: (spelled: String, lowerCase: String) {
      switch self {
      case .accessToken: ("AccessToken", "accesstoken")
      case .refreshToken: ("RefreshToken", "refreshtoken")
      case .idToken: ("IdToken", "idtoken")
      case .legacySingleResourceToken: ("LegacySingleResourceToken", "legacysingleresourcetoken")
      case .primaryRefreshToken: ("PrimaryRefreshToken", "primaryrefreshtoken")
      case .v1IDToken: ("V1IdToken", "v1idtoken")
      case .accessTokenWithAuthScheme:
        ("AccessToken_With_AuthScheme", "accesstoken_with_authscheme")
      case .familyRefreshToken: ("FamilyRefreshToken", "familyrefreshtoken")
      case .boundRefreshToken: ("BoundRefreshToken", "boundrefreshtoken")
      case .account: ("Account", "account")
      case .appMetadata: ("AppMetadata", "appmetadata")
      }
    }

    /// kSecAttrType that MSAL asks for.
    package var typeNumber: Int { rawValue }
  }

  /// kSecAttrType of this authority type, in any case; nil when MSAL knows none of that name.
  package static func typeNumber(ofAuthorityType name: String) -> Int? {
    switch name.lowercasedLikeNSString {
    case "aad": 1001
    case "msa": 1002
    case "mssts": 1003
    case "adfs": 1004
    default: nil
    }
  }
}
