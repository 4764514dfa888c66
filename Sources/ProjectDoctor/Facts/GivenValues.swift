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
typealias GivenValues = [ValueKind: [PlacedText]]

extension ProjectReading {
  /// The values of property lists that apps keep for their settings, by key.
  var listedValues: GivenValues {
    var values: GivenValues = [:]
    for (path, list) in lists where RelativePath.fileExtension(of: path) != "entitlements" {
      var waiting = [list.root]
      while let value = waiting.popLast() {
        waiting += value.array ?? []
        // These keys keep ADAL's names with MSAL.
        for entry in value.entries ?? [] where entry.key != "IntuneMAMSettings" {
          guard let text = entry.value.string else {
            waiting.append(entry.value)
            continue
          }
          for kind in ValueKind.allCases where kind.isKey(entry.key.lowercased()) {
            values[kind, default: []].append(list.text.placed(text, entry.value.range))
          }
        }
      }
    }
    return values
  }
}

extension ValueKind {
  /// Whether a key in lower case is that of such a value.
  fileprivate func isKey(_ key: String) -> Bool {
    switch self {
    case .clientID: key.isClientID
    case .authority: key.contains("authority")
    case .resource: key.contains("resource")
    case .redirectURI: key.contains("redirect")
    case .keychainGroup, .savedUserID: false
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
