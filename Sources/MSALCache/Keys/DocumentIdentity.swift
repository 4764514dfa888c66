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
  let target: Set<String>

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
    self.target = Scopes.set(of: target)
  }

  // Who, for whom and what tell nearly all apart; hashing all seven costs three times as much.
  func hash(into hasher: inout Hasher) {
    hasher.combine(section)
    hasher.combine(homeAccountID)
    hasher.combine(clientOrFamily)
    hasher.combine(realm)
    hasher.combine(target)
  }
}
