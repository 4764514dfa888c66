// SPDX-License-Identifier: MIT
import Foundation

/// The items of a sample cache, with made-up tokens, as the keychain takes them.
enum MadeItems {
  /// The instant that the sample's tokens are judged at.
  static let instant = Date(timeIntervalSince1970: 1_700_000_000)

  /// The sample is not in the program, or is not what it was.
  struct Missing: Error {}

  /// The attributes of each item of `contoso.items.json`, in an access group.
  static func contoso(in group: String, bundle: Bundle) throws -> [[String: Any]] {
    guard let url = bundle.url(forResource: "contoso.items", withExtension: "json") else {
      throw Missing()
    }
    return try items(in: group, of: Data(contentsOf: url))
  }

  /// The attributes of each item of an items file that is ADAL's or MSAL's: the hint of the team is not, since
  /// the keychain of a device has its own.
  static func items(in group: String, of file: Data) throws -> [[String: Any]] {
    guard let document = try JSONSerialization.jsonObject(with: file) as? [String: Any],
      let items = document["items"] as? [[String: Any]]
    else { throw Missing() }
    return items.filter { $0["svce"] as? String != "" }.map { item in
      var attributes = item.filter { $0.key != "data" }
      attributes["agrp"] = group
      for (name, key) in [("data", "v_Data"), ("gena", "gena")] {
        attributes[key] = (item[name] as? String).flatMap { Data(base64Encoded: $0) }
      }
      return attributes
    }
  }
}
