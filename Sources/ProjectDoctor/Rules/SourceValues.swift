// SPDX-License-Identifier: MIT

/// The values that a source file gives to ADAL and MSAL, as far as they are literals.
struct SourceValues: Sendable {
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
  /// Whether arguments could not be resolved, by kind: `clientId`.
  var unresolved: [String: [PlacedText]] = [:]
}
