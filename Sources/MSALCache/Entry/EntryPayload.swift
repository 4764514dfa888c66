// SPDX-License-Identifier: MIT
import CacheJSON
import KeychainItems

extension MSALEntry {
  /// A field of a payload, in the order of the names.
  enum Field: Int, CaseIterable {
    case applicationIdentifier, authorityType, cachedAt, clientID, clientInfo, credentialType
    case enrollmentID, environment, expiresOn, extendedExpiresOn, familyID, familyName, givenName
    case homeAccountID, localAccountID, middleName, name, realm, refreshOn, requestedClaims, secret
    case target, tokenType, username

    private static let names: [StaticString] = [
      "application_cache_identifier", "authority_type", "cached_at", "client_id", "client_info",
      "credential_type", "enrollment_id", "environment", "expires_on", "extended_expires_on",
      "family_id", "family_name", "given_name", "home_account_id", "local_account_id",
      "middle_name", "name", "realm", "refresh_on", "requested_claims", "secret", "target",
      "token_type", "username",
    ]

    /// The name in the payload.
    var jsonName: StaticString { Self.names[rawValue] }

    static let byName = Dictionary(
      uniqueKeysWithValues: allCases.map { ($0.jsonName.description, $0) })
    static let count = allCases.count
  }

  /// The fields of an entry. Fields of another shape are among the others.
  package struct Shape: Sendable {
    fileprivate let kind: Kind?
    fileprivate let fields: [Field]

    package static let token = Shape(
      kind: nil,
      fields: [
        .applicationIdentifier, .cachedAt, .clientID, .credentialType, .enrollmentID, .environment,
        .expiresOn, .extendedExpiresOn, .familyID, .homeAccountID, .realm, .refreshOn,
        .requestedClaims, .secret, .target, .tokenType,
      ])
    package static let account = Shape(
      kind: .account,
      fields: [
        .authorityType, .clientInfo, .environment, .familyName, .givenName, .homeAccountID,
        .localAccountID, .middleName, .name, .realm, .username,
      ])
    package static let appMetadata = Shape(
      kind: .appMetadata, fields: [.clientID, .environment, .familyID])
  }

  private var shape: Shape {
    switch kind {
    case .account: .account
    case .appMetadata: .appMetadata
    default: .token
    }
  }

  /// Reads a payload as an entry of a shape, with any fields missing.
  ///
  /// - Parameter takesNumbers: whether numbers count as text: other libraries' documents have them where
  ///   Apple's has strings.
  package init(
    _ members: some Sequence<(key: String, value: JSONValue)>, as shape: Shape,
    takesNumbers: Bool = false
  ) {
    self.init(shape.kind)
    let fields = shape.fields
    for (name, value) in members {
      guard let field = Field.byName[name], fields.contains(field),
        let text = takesNumbers ? value.stringOrNumber : value.string
      else {
        additional[name] = value
        continue
      }
      switch field {
      case .secret: token = TokenSecret(text)
      case .credentialType:
        kind = Kind(credentialType: text)
        if kind == nil { self[.credentialType] = text }
      default: self[field] = text
      }
    }
  }

  /// The same, for a payload that MSAL can use.
  ///
  /// - Parameter defaultKind: the kind of a token without a type.
  init(
    wellFormed members: some Sequence<(key: String, value: JSONValue)>, as shape: Shape,
    takesNumbers: Bool = false, defaultKind: Kind? = nil
  ) throws(MSALCacheError) {
    self.init(members, as: shape, takesNumbers: takesNumbers)
    if kind == nil, self[.credentialType] == nil { kind = defaultKind }
    if let flaw { throw flaw }
  }

  /// The reason why MSAL cannot use the entry; nil if it can.
  package var flaw: MSALCacheError? {
    switch kind {
    case .account:
      let isUnknown = authorityType.map { Self.typeNumber(ofAuthorityType: $0) == nil } ?? false
      return isUnknown
        ? MSALCacheError("MSAL knows no authority type of this name")
        : missing([.authorityType, .homeAccountID, .environment])
    case .appMetadata: return missing([.clientID, .environment])
    case nil:
      return missing([.credentialType])
        ?? MSALCacheError("MSAL knows no credential type of this name")
    default:
      return token == nil
        ? .missing("secret") : missing([.clientID, .environment, .homeAccountID])
    }
  }

  private func missing(_ fields: [Field]) -> MSALCacheError? {
    fields.first { self[$0] == nil }.map { .missing($0.jsonName.description) }
  }

  /// The entry with texts in place of numbers.
  var withTextForNumbers: MSALEntry {
    // All other fields are texts, and most have no others.
    if additional.isEmpty { return self }
    var entry = self
    for field in shape.fields where self[field] == nil {
      let name = field.jsonName.description
      guard let text = additional[name]?.stringOrNumber else { continue }
      entry.additional[name] = nil
      entry[field] = text
    }
    return entry
  }

  private func text(of field: Field) -> String? {
    switch field {
    case .credentialType: kind?.name
    // Reveal: the payload is the token's place.
    case .secret: token.map { String(decoding: $0.reveal(), as: UTF8.self) }
    default: self[field]
    }
  }

  /// All fields.
  var members: [String: JSONValue] {
    var members = additional
    for field in shape.fields {
      if let text = text(of: field) { members[field.jsonName.description] = .string(text) }
    }
    return members
  }

  /// The JSON text of all fields, sorted by name.
  package var payload: TokenSecret {
    var writer = JSONWriter()
    write(to: &writer, depth: 0)
    // A copy, which has no room behind it: all payloads of a run are in memory at once.
    return TokenSecret(writer.bytes)
  }

  /// Writes all fields as an object, sorted by name, inside of so many values.
  func write(to writer: inout JSONWriter, depth: Int) {
    // Nearly always there are no others; writing the known ones as they stand is a third of the work.
    if additional.isEmpty {
      writer.write(
        shape.fields.map { JSONField($0.jsonName, text(of: $0)) }, depth: depth)
    } else {
      writer.write(.object(members), depth: depth)
    }
  }
}
