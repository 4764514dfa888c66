// SPDX-License-Identifier: MIT
import CacheJSON
import KeychainItems

/// The sections of a cache document that hold entries (msal-cache-format §7.1).
package enum DocumentSection: String, Sendable, CaseIterable {
  case accessToken = "AccessToken"
  case account = "Account"
  case appMetadata = "AppMetadata"
  case idToken = "IdToken"
  case refreshToken = "RefreshToken"

  /// The kind of a credential whose entry does not say it.
  var defaultKind: Credential.Kind? {
    switch self {
    case .accessToken: .accessToken
    case .idToken: .idToken
    case .refreshToken: .refreshToken
    case .account, .appMetadata: nil
    }
  }
}

/// Something that a cache document keeps under a key of its own.
protocol DocumentEntry {
  /// The section, or nil when documents have none for it.
  var documentSection: DocumentSection? { get }
  /// Its key in that section.
  var documentKey: String { get }
  /// What makes two entries the same whatever their keys are.
  var identity: DocumentIdentity { get }
  /// Its fields.
  var fields: Payload.Fields { get }
}

extension Credential: DocumentEntry {
  /// The section of a cache document that holds this kind; nil for kinds that are Apple's alone.
  package var documentSection: DocumentSection? {
    switch kind {
    case .accessToken, .accessTokenWithAuthScheme: .accessToken
    case .refreshToken: .refreshToken
    case .idToken: .idToken
    case .familyRefreshToken, .boundRefreshToken, .primaryRefreshToken, .v1IDToken,
      .legacySingleResourceToken:
      nil
    }
  }
}

extension Account: DocumentEntry {
  /// The section of a cache document that holds accounts.
  package var documentSection: DocumentSection? { .account }
}

extension AppMetadata: DocumentEntry {
  /// The section of a cache document that holds app metadata.
  package var documentSection: DocumentSection? { .appMetadata }
}
