// SPDX-License-Identifier: MIT
import ProjectFiles

/// The values that a source file gives to ADAL, as far as they are literals, or that property lists have.
struct GivenValues: Sendable {
  /// Client ids that ADAL gets.
  var clientIDs: [PlacedText] = []
  var redirectURIs: [PlacedText] = []
  var resources: [PlacedText] = []
  /// Authorities of contexts.
  var authorities: [PlacedText] = []
  /// Where user ids are saved.
  var savedUserIDs: [PlacedText] = []
  /// Keychain groups that are set, with the value; nil for the app's own.
  var groupUses: [(token: PlacedText, value: PlacedText?)] = []

  init() {}

  /// The values of property lists that apps keep for their settings, by key.
  init(_ lists: [String: PropertyListText]) {
    for (path, list) in lists.sorted(by: { RelativePath.isBefore($0.key, $1.key) })
    where RelativePath.fileExtension(of: path) != "entitlements" {
      read(list, path)
    }
  }

  private mutating func read(_ list: PropertyListText, _ path: String) {
    var waiting = [list.root]
    while let value = waiting.popLast() {
      waiting += value.array ?? []
      for entry in value.entries ?? [] {
        // These keys keep ADAL's names with MSAL.
        if entry.key == "IntuneMAMSettings" { continue }
        guard let text = entry.value.string else {
          waiting.append(entry.value)
          continue
        }
        take(
          entry.key.lowercased(),
          { PlacedText(value: text, file: path, span: list.text.span(entry.value.range)) })
      }
    }
  }

  private mutating func take(_ key: String, _ text: () -> PlacedText) {
    if key.contains("authority") { authorities.append(text()) }
    if key.isClientID { clientIDs.append(text()) }
    if key.contains("redirect") { redirectURIs.append(text()) }
    if key.contains("resource") { resources.append(text()) }
  }
}

extension String {
  /// Whether a name in lower case is that of a client id: `clientid`, `client_id`, `client-id`.
  var isClientID: Bool {
    contains("clientid") || contains("client_id") || contains("client-id") || contains("client id")
  }

  /// Whether a name is that of a redirect URI: `kRedirectUri`, `REDIRECT_URL_STRING`.
  var isRedirectURI: Bool {
    let name = lowercased()
    return ["redirecturi", "redirecturl", "redirect_uri", "redirect_url"].contains {
      name.contains($0)
    }
  }
}
