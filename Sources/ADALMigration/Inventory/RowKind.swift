// SPDX-License-Identifier: MIT
import ADALCache
import MSALCache

extension TokenCacheMigration.Report {
  /// The kind of a row.
  public enum RowKind: String, CaseIterable, Sendable {
    /// An access token alone.
    case accessToken = "access-token"
    /// A refresh token for every resource.
    case multiResourceRefreshToken = "multi-resource-refresh-token"
    /// An access token and a refresh token for its resource.
    case singleResourceToken = "single-resource-token"
    /// An access token of the app itself, without a user.
    case appOnly = "app-only"
    /// Tokens that a service got on behalf of a request's user.
    case onBehalfOf = "on-behalf-of"
    /// Azure CLI's row for a service principal: a secret or a certificate, no token.
    case servicePrincipal = "service-principal"
    /// The refresh token of a family of clients.
    case familyRefreshToken = "family-refresh-token"
    /// ADAL's marker for a refresh token that the service rejected.
    case tombstone
    /// A row without any token.
    case empty
    /// A row that cannot be decoded.
    case unreadable
    /// A row of an AD FS authority.
    case adfs
    /// A row of an Azure AD B2C authority.
    case b2c
    /// A primary refresh token or a row with a session key.
    case primaryRefreshToken = "primary-refresh-token"
    /// A refresh token that is already in MSAL's form.
    case unifiedRefreshToken = "unified-refresh-token"
    /// An access token that is already in MSAL's form.
    case unifiedAccessToken = "unified-access-token"
    /// An ID token that is already in MSAL's form.
    case unifiedIDToken = "unified-id-token"
    /// An account that is already in MSAL's form.
    case unifiedAccount = "unified-account"
    /// App metadata that is already in MSAL's form.
    case unifiedAppMetadata = "unified-app-metadata"
  }
}

extension RowKind {
  /// The kind of a row that cannot be read, or that is no token.
  init(_ token: UnreadableToken) {
    self = token.code == .servicePrincipal ? .servicePrincipal : .unreadable
  }

  /// The kind of an entry of MSAL's; nil for those that are no rows.
  init?(_ entry: MSALEntry) {
    guard let kind = entry.kind else { return nil }
    self.init(kind)
  }

  /// The kind that an unreadable item of MSAL's was meant to be, by its kSecAttrType.
  init?(typeNumber: Int?) {
    guard let typeNumber else { return nil }
    switch typeNumber {
    case ItemType.accounts: self = .unifiedAccount
    case ItemType.appMetadata: self = .unifiedAppMetadata
    default:
      guard let kind = MSALEntry.Kind(rawValue: typeNumber) else { return nil }
      self.init(kind)
    }
  }

  private init(_ kind: MSALEntry.Kind) {
    self = kind == .primaryRefreshToken ? .primaryRefreshToken : RowKind(EntryType(kind))
  }

  /// The kind of an entry of this type.
  init(_ type: EntryType) {
    switch type {
    case .account: self = .unifiedAccount
    case .accessToken: self = .unifiedAccessToken
    case .refreshToken: self = .unifiedRefreshToken
    case .idToken: self = .unifiedIDToken
    case .appMetadata: self = .unifiedAppMetadata
    }
  }
}
