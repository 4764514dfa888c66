// SPDX-License-Identifier: MIT
import MSALCache

extension TokenCacheMigration.Report {
  /// The types of entries that MSAL keeps.
  public enum EntryType: String, CaseIterable, Sendable {
    case refreshToken = "RefreshToken"
    case idToken = "IdToken"
    case accessToken = "AccessToken"
    case account = "Account"
    case appMetadata = "AppMetadata"
  }
}

extension EntryType {
  init(_ entry: MSALEntry) { self = entry.kind.map { EntryType($0) } ?? .refreshToken }

  init(_ kind: MSALEntry.Kind) {
    switch kind {
    case .appMetadata: self = .appMetadata
    case .account: self = .account
    case .idToken, .v1IDToken: self = .idToken
    case .accessToken, .accessTokenWithAuthScheme: self = .accessToken
    case .refreshToken, .familyRefreshToken, .boundRefreshToken, .primaryRefreshToken,
      .legacySingleResourceToken:
      self = .refreshToken
    }
  }

  init(_ section: DocumentSection) {
    switch section {
    case .account: self = .account
    case .accessToken: self = .accessToken
    case .refreshToken: self = .refreshToken
    case .idToken: self = .idToken
    case .appMetadata: self = .appMetadata
    }
  }
}
