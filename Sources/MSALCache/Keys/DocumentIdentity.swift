// SPDX-License-Identifier: MIT

/// What an entry of a cache document is about, so that the same entry is known again under another
/// library's key.
struct DocumentIdentity: Hashable {
  let section: DocumentSection?
  let kind: Credential.Kind?
  @ExactText private(set) var homeAccountID: String
  @ExactText private(set) var environment: String
  @ExactText private(set) var clientOrFamily: String
  @ExactText private(set) var realm: String
  let target: Target
  // Found once: identities are kept in a set that grows.
  private let hash: Int

  /// The scopes, of which most often there is one.
  enum Target: Hashable {
    case one(ExactText)
    case several(Set<ExactText>)
  }

  init(
    section: DocumentSection?, kind: Credential.Kind? = nil, homeAccountID: String = "",
    environment: String, clientOrFamily: String = "", realm: String = "", target: String = ""
  ) {
    self.section = section
    self.kind = kind
    self.homeAccountID = homeAccountID.identifier
    self.environment = Cloud.key(of: environment)
    self.clientOrFamily = clientOrFamily.identifier
    self.realm = realm.identifier
    let scopes = Scopes.words(of: target).map { ExactText($0) }
    self.target = scopes.count == 1 ? .one(scopes[0]) : .several(Set(scopes))
    // Who, for whom and what tell nearly all apart.
    var hasher = Hasher()
    hasher.combine(_homeAccountID)
    hasher.combine(_clientOrFamily)
    hasher.combine(_realm)
    hasher.combine(self.target)
    hash = hasher.finalize()
  }

  func hash(into hasher: inout Hasher) { hasher.combine(hash) }
}
