// SPDX-License-Identifier: MIT

extension MSALEntry {
  /// What an entry is; for tokens, the raw value is what `credential_type` says.
  package enum Kind: String, Sendable, CaseIterable {
    case accessToken = "AccessToken"
    case refreshToken = "RefreshToken"
    case idToken = "IdToken"
    case legacySingleResourceToken = "LegacySingleResourceToken"
    case primaryRefreshToken = "PrimaryRefreshToken"
    case v1IDToken = "V1IdToken"
    case accessTokenWithAuthScheme = "AccessToken_With_AuthScheme"
    case familyRefreshToken = "FamilyRefreshToken"
    case boundRefreshToken = "BoundRefreshToken"
    case account = "Account"
    case appMetadata = "AppMetadata"

    /// The kinds of tokens, in the order of their type numbers.
    package static let tokens = allCases.filter(\.isToken)

    package var isToken: Bool { self != .account && self != .appMetadata }

    /// The kind that `credential_type` says, in any case; nil when MSAL knows no token of that name.
    package init?(credentialType text: String) {
      guard let kind = Self.byLowerCaseName[text.lowercasedLikeNSString] else { return nil }
      self = kind
    }

    /// The kind of a token's item by its kSecAttrType; nil when it is the type of no token.
    package init?(typeNumber: Int) {
      guard let kind = Self.tokens.first(where: { $0.typeNumber == typeNumber }) else {
        return nil
      }
      self = kind
    }

    private static let byLowerCaseName = Dictionary(
      uniqueKeysWithValues: tokens.map { ($0.lowerCaseName, $0) })

    /// The name as it stands in keys.
    var lowerCaseName: String {
      switch self {
      case .accessToken: "accesstoken"
      case .refreshToken: "refreshtoken"
      case .idToken: "idtoken"
      case .legacySingleResourceToken: "legacysingleresourcetoken"
      case .primaryRefreshToken: "primaryrefreshtoken"
      case .v1IDToken: "v1idtoken"
      case .accessTokenWithAuthScheme: "accesstoken_with_authscheme"
      case .familyRefreshToken: "familyrefreshtoken"
      case .boundRefreshToken: "boundrefreshtoken"
      case .account: "account"
      case .appMetadata: "appmetadata"
      }
    }

    /// kSecAttrType that MSAL asks for.
    package var typeNumber: Int {
      switch self {
      case .accessToken: 2001
      case .refreshToken: 2002
      case .idToken: 2003
      case .legacySingleResourceToken: 2004
      case .primaryRefreshToken: 2005
      case .v1IDToken: 2006
      case .accessTokenWithAuthScheme: 2007
      case .familyRefreshToken: 2008
      case .boundRefreshToken: 2009
      case .account: ItemType.account
      case .appMetadata: ItemType.appMetadata
      }
    }
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
