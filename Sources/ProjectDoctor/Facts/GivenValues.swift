// SPDX-License-Identifier: MIT
import ProjectFiles

/// A kind of value that code and property lists give ADAL, with the name that reports have for it.
package enum ValueKind: String, CaseIterable, Sendable, Hashable {
  case clientID = "client id"
  case authority
  case resource
  case redirectURI = "redirect URI"
  case keychainGroup = "keychain group"
  /// A user id that the app saves.
  case savedUserID = "saved user id"
}

/// The values that source files give to ADAL, as far as they are literals, or that property lists have.
struct GivenValues: Sendable {
  private var texts: [ValueKind: [PlacedText]] = [:]
  /// Where keychain groups are set, with the value; nil for the app's own.
  var groupUses: [(token: PlacedText, value: PlacedText?)] = []

  init() {}

  subscript(_ kind: ValueKind) -> [PlacedText] {
    get { texts[kind] ?? [] }
    set { texts[kind] = newValue }
  }

  mutating func add(_ other: GivenValues) {
    texts.merge(other.texts, uniquingKeysWith: +)
    groupUses += other.groupUses
  }

  /// The values of property lists that apps keep for their settings, by key.
  init(_ lists: [String: PropertyListText]) {
    for (path, list) in lists where RelativePath.fileExtension(of: path) != "entitlements" {
      read(list)
    }
  }

  private mutating func read(_ list: PropertyListText) {
    var waiting = [list.root]
    while let value = waiting.popLast() {
      waiting += value.array ?? []
      // These keys keep ADAL's names with MSAL.
      for entry in value.entries ?? [] where entry.key != "IntuneMAMSettings" {
        guard let text = entry.value.string else {
          waiting.append(entry.value)
          continue
        }
        let key = entry.key.lowercased()
        let kinds: KeyValuePairs<ValueKind, Bool> = [
          .authority: key.contains("authority"), .clientID: key.isClientID,
          .redirectURI: key.contains("redirect"), .resource: key.contains("resource"),
        ]
        for (kind, isMeant) in kinds where isMeant {
          self[kind].append(list.text.placed(text, entry.value.range))
        }
      }
    }
  }
}

extension String {
  /// Whether a name in lower case is that of a client id: `clientid`, `client_id`, `client-id`.
  var isClientID: Bool {
    ["clientid", "client_id", "client-id", "client id"].contains(where: contains)
  }

  /// Whether a name is that of a redirect URI: `kRedirectUri`, `REDIRECT_URL_STRING`.
  var isRedirectURI: Bool {
    let name = lowercased()
    return ["redirecturi", "redirecturl", "redirect_uri", "redirect_url"]
      .contains(where: name.contains)
  }
}
