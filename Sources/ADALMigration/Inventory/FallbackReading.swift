// SPDX-License-Identifier: MIT
import ADALCache
import KeychainItems
import MSALCache
import MSALLookup

extension ADALFallbackRow {
  /// The rows of ADAL's among keychain items.
  package static func rows(of items: [KeychainItem]) -> [ADALFallbackRow] {
    items.compactMap { ADALFallbackRow($0) }
  }

  /// ADAL's rows in the blob that its app on macOS stores.
  ///
  /// - Throws: an error with the problem if the bytes are not an archive.
  package static func rows(ofBlob bytes: [UInt8]) throws -> [ADALFallbackRow] {
    try LegacyBlob(bytes).tokens.compactMap { ADALFallbackRow($0) }
  }

  /// The row that an item is, or nil when MSAL does not read it: it asks the keychain for the generic
  /// attribute of ADAL's releases, which 0.5-alpha did not write yet.
  package init?(_ item: KeychainItem) {
    guard item.generic == Array(LegacyItem.library.utf8), case .token(let token) = LegacyItem(item)
    else { return nil }
    self.init(token)
  }

  /// The row as MSAL reads it, or nil when MSAL does not read it: a bare archive, or an item of another
  /// class than ADAL's releases write (IdentityCore cache/serializers/MSIDKeyedArchiverSerializer.m).
  ///
  /// MSAL finds a row by its key, which may say another authority, client or user than the row itself
  /// (msal-cache-format §6.1).
  package init?(_ token: LegacyToken) {
    guard token.isReadByMSAL else { return nil }
    let key: ADALFallbackRow.Key
    let place: KeychainItem.Key
    switch token.place {
    case .keychain(let item):
      key = ADALFallbackRow.Key(service: item.service, account: item.account)
      place = KeychainItem.Key(
        accessGroup: item.accessGroup, account: item.account, service: item.service)
    case .blob(let entry):
      key = ADALFallbackRow.Key(
        userID: entry.user, authority: entry.authority.lowercasedLikeNSString,
        resource: entry.resource.flatMap { $0.isEmpty ? nil : $0.lowercasedLikeNSString },
        client: entry.client.lowercasedLikeNSString)
      // The parts that distinguish a user's rows there, as a service does in a keychain.
      let parts = [entry.authority, entry.resource ?? "", entry.client]
      place = KeychainItem.Key(
        accessGroup: "", account: entry.user, service: parts.joined(separator: "|"))
    case .archive, .row:
      return nil
    }
    let content = ADALFallbackToken(
      environment: ADALFallbackToken.environment(ofAuthority: token.authority),
      clientID: token.clientID, familyID: token.familyID, homeAccountID: token.fallbackIdentifier,
      claims: token.rawIDToken.flatMap { IDTokenClaims($0) }, refreshToken: token.refreshToken,
      hasAccessToken: token.accessToken != nil)
    self.init(key: key, place: place, content)
  }
}

// Inlined, since a token that is asked as a whole is copied.
extension LegacyToken {
  /// Whether MSAL can decode the archive: it is of the class that ADAL's releases write, not of another such as
  /// that of the betas of 2.1, and its values are of the classes that MSAL's decoder names (D44).
  var isReadByMSAL: Bool { className == Self.releaseClass && !failsSecureCoding }

  /// The identifier that MSAL's fallback reads from the row. The fallback ignores the service's answer in the row.
  @inline(__always) var fallbackIdentifier: String? { homeAccountID }
}

extension LegacyPlace {
  /// Whether MSAL queries rows in this place. It skips bare archives and the rows of 0.5-alpha, whose service does not
  /// name a library.
  var isListedByMSAL: Bool {
    switch self {
    case .keychain(let key): key.service.hasPrefix(LegacyItem.library)
    case .blob: true
    case .archive, .row: false
    }
  }
}

extension ADALFallbackRow.Key {
  /// The parts of a service and an account. MSAL compares their spelling. If a service has other parts, MSAL lists the
  /// row but does not find it by its key.
  fileprivate init(service: String, account: String) {
    let key = ExactServiceKey(service)
    self.init(
      userID: ExactServiceKey.userID(account: account), authority: key?.authority ?? "",
      resource: key?.resource, client: key?.clientID ?? "",
      application: key?.applicationIdentifier)
  }
}
