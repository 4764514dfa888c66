// SPDX-License-Identifier: MIT
import KeychainItems

// The spelling of an entry's key: the attributes of a keychain item and the key in a document.
//
// MSAL deletes by attributes that it derives again from the payload, so that an item with others can
// never be deleted (IdentityCore cache/key/MSIDDefaultCredentialCacheKey.m, MSIDDefaultAccountCacheKey.m,
// MSIDAppMetadataCacheKey.m; msal-cache-format §1.3, §7.2).

extension MSALEntry {
  /// The end of the service attribute of an access token for requested claims: the first seven hex digits of the
  /// SHA-256 of the claims (`msidTokenHash`, IdentityCore util/NSString+MSIDExtensions.m).
  ///
  /// - Parameter claims: normalized.
  package static func claimsHash(_ claims: String) -> String {
    String(SHA256Digits.text(of: Array(claims.utf8)).prefix(7))
  }

  /// kSecAttrGeneric of an account with this user name.
  package static func generic(ofUsername name: String) -> [UInt8] { Array(name.normalized.utf8) }

  private static let metadataPrefix = "appmetadata-"

  /// kSecAttrService of a client's app metadata.
  package static func metadataService(of clientID: String) -> String {
    String(of: metadataPrefix, clientID.normalized)
  }

  /// Whether this is such a service.
  static func isMetadataService(_ service: String) -> Bool { service.hasPrefix(metadataPrefix) }
}

extension ItemAttributes {
  /// The attributes of a token with this spelling of its fields.
  ///
  /// - Parameters:
  ///   - account: kSecAttrAccount, as ``account(_:_:)`` makes it; empty where it is not asked.
  ///   - clientOrFamily: the family where there is one, else the client.
  package init(
    ofToken kind: MSALEntry.Kind, account: String = "", clientOrFamily: String,
    realm: String? = nil, target: String? = nil, applicationIdentifier: String? = nil,
    tokenType: String? = nil, requestedClaims: String? = nil
  ) {
    let (name, owner, tenant) = (
      kind.lowerCaseName, clientOrFamily.normalized, realm?.normalized ?? ""
    )
    let (app, type) = (applicationIdentifier?.normalized, tokenType?.normalized)
    let claims = requestedClaims.flatMap { $0.isBlank ? nil : $0.normalized }
    self.account = account
    service = String(
      of: name, "-", owner, "-", tenant, app == nil ? "" : "-", app ?? "", "-",
      target?.normalized ?? "", type == nil ? "" : "-", type ?? "", claims == nil ? "" : "|",
      claims.map(MSALEntry.claimsHash) ?? "")
    let idParts = [name, owner, tenant].reduce(2) { $0 + $1.utf8.count }
    genericCount = idParts + (app.map { $0.utf8.count + 1 } ?? 0)
    ownGeneric = nil
    self.type = kind.typeNumber
  }
}

extension MSALEntry {
  /// The attributes of the entry's keychain item.
  package var attributes: ItemAttributes {
    let environment = environment ?? ""
    let account = { ItemAttributes.account(homeAccountID ?? "", environment) }
    switch kind {
    case .account:
      return ItemAttributes(
        account: account(), service: realm?.normalized ?? "",
        generic: username.map(Self.generic),
        type: authorityType.flatMap(Self.typeNumber) ?? ItemType.accounts.lowerBound)
    case .appMetadata:
      return ItemAttributes(
        account: environment, service: Self.metadataService(of: clientID ?? ""),
        generic: familyID.map { Array($0.utf8) }, type: ItemType.appMetadata)
    case let kind?:
      return ItemAttributes(
        ofToken: kind, account: account(), clientOrFamily: familyID ?? clientID ?? "", realm: realm,
        target: target, applicationIdentifier: applicationIdentifier, tokenType: tokenType,
        requestedClaims: requestedClaims)
    case nil: return ItemAttributes(account: account(), service: "", generic: nil, type: 0)
    }
  }

  /// The keychain item of the entry, every attribute derived from the payload.
  ///
  /// - Parameters:
  ///   - accessGroup: with its team prefix.
  ///   - instant: the time when the item is made, in Unix seconds; nil if the store sets it.
  package func item(accessGroup: String, at instant: Double?) -> KeychainItem {
    attributes.item(accessGroup: accessGroup, data: payload, at: instant)
  }

  /// The section of a cache document that holds the entry; nil for kinds that are Apple's alone.
  package var documentSection: DocumentSection? { kind?.documentSection }

  /// A library's spelling of keys for tokens in a document. Each library also reads tokens under other keys, but writes
  /// the next one under its own. The older token then stays beside it, and may be the one that is sent from then on.
  package enum DocumentKeys: Sendable {
    /// As MSAL.NET and MSAL for Java do, and MSAL for Python where it matters.
    case common
    /// With two more parts, which are empty: claims and scheme (msal-common, `generateCredentialKey`).
    case node
    /// Without the parts that a kind does not have (apps/internal/base/storage/items.go).
    case go
  }

  /// The entry's key in its section, as ``DocumentKeys/common`` has it.
  package var documentKey: String { documentKey(as: .common) }

  /// The entry's key in its section.
  package func documentKey(as keys: DocumentKeys) -> String {
    switch kind {
    case nil: return ""
    case .account:
      return String(of: homeAccountID ?? "", "-", environment ?? "", "-", realm ?? "")
        .lowercasedLikeNSString
    // In its own letter case: MSAL for Python finds it by this key alone, and the others whatever its case.
    case .appMetadata:
      return String(of: Self.metadataPrefix, environment ?? "", "-", clientID ?? "")
    case let kind?:
      return Self.documentKey(
        ofToken: kind, homeAccountID ?? "", environment ?? "",
        clientOrFamily: familyOfKey ?? clientID ?? "", realm: realm, target: target,
        tokenType: tokenType, as: keys)
    }
  }

  /// The spelling of the library that wrote this refresh token under a key; nil if other libraries write the same.
  package func libraryKeys(under key: String) -> DocumentKeys? {
    guard isRefreshToken else { return nil }
    let keys: DocumentKeys = key.hasSuffix("----") ? .node : .go
    if keys == .go, key.hasSuffix("-") { return nil }
    return documentKey(as: keys) == key ? keys : nil
  }

  private var familyOfKey: String? {
    switch kind {
    case .refreshToken, .familyRefreshToken, .boundRefreshToken, .primaryRefreshToken:
      familyID.flatMap { $0.isBlank ? nil : $0 }
    default: nil
    }
  }

  /// The key in a document of a token with this spelling of its fields. Fields that keys of its kind do not have are
  /// left out.
  ///
  /// - Parameter clientOrFamily: the family of a refresh token where there is one, else the client.
  package static func documentKey(
    ofToken kind: Kind, _ homeAccountID: String, _ environment: String, clientOrFamily: String,
    realm: String?, target: String?, tokenType: String? = nil, as keys: DocumentKeys
  ) -> String {
    let hasType = kind == .accessTokenWithAuthScheme
    let hasTarget = hasType || kind == .accessToken || kind == .legacySingleResourceToken
    let hasRealm = hasTarget || kind == .idToken || kind == .v1IDToken
    let last = keys == .go ? "" : "-"
    // A text that is already in lower case is not copied.
    return String(
      of: homeAccountID, "-", environment, "-", kind.lowerCaseName, "-", clientOrFamily,
      hasRealm ? "-" : last, hasRealm ? realm ?? "" : "", hasTarget ? "-" : last,
      hasTarget ? target ?? "" : "", keys == .node ? "-" : "",
      hasType || keys == .node ? "-" : "", hasType ? tokenType ?? "" : ""
    ).lowercasedLikeNSString
  }
}

extension MSALEntry.Kind {
  /// The section of a cache document that holds entries of the kind; nil for kinds that are Apple's alone.
  package var documentSection: DocumentSection? {
    switch self {
    case .accessToken, .accessTokenWithAuthScheme: .accessToken
    case .refreshToken: .refreshToken
    case .idToken: .idToken
    case .account: .account
    case .appMetadata: .appMetadata
    case .familyRefreshToken, .boundRefreshToken, .primaryRefreshToken, .v1IDToken,
      .legacySingleResourceToken:
      nil
    }
  }
}
