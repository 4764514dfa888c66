// SPDX-License-Identifier: MIT

/// What an entry of a cache document is about, so that the same entry is known again under another
/// library's key.
struct DocumentIdentity: Hashable {
  let section: DocumentSection?
  let kind: Credential.Kind?
  let homeAccountID: String
  let environment: String
  let clientOrFamily: String
  let realm: String
  let target: Target
  // Found once: identities are kept in a set that grows.
  private let hash: Int

  /// The scopes, of which most often there is one.
  enum Target: Hashable {
    case one(String)
    case several(Set<String>)
  }

  init(
    section: DocumentSection?, kind: Credential.Kind? = nil, homeAccountID: String = "",
    environment: String, clientOrFamily: String = "", realm: String = "", target: String = ""
  ) {
    self.section = section
    self.kind = kind
    self.homeAccountID = homeAccountID.normalized
    self.environment = Cloud.key(of: environment)
    self.clientOrFamily = clientOrFamily.normalized
    self.realm = realm.normalized
    let scopes = Scopes.words(of: target)
    self.target = scopes.count == 1 ? .one(scopes[0]) : .several(Set(scopes))
    // Who, for whom and what tell nearly all apart.
    var hasher = Hasher()
    hasher.combine(self.homeAccountID)
    hasher.combine(self.clientOrFamily)
    hasher.combine(self.realm)
    hasher.combine(self.target)
    hash = hasher.finalize()
  }

  func hash(into hasher: inout Hasher) { hasher.combine(hash) }
}
