// SPDX-License-Identifier: MIT

extension Reason {
  /// The topics of reasons, in reading order. The raw value is the title in lists of reasons.
  package enum Topic: String, CaseIterable, Sendable {
    case converted = "Converted"
    case home = "Where the home account id comes from"
    case noHome = "Why there is no home account id"
    case map = "The account map"
    case people = "Names and accounts"
    case conflicts = "Conflicts"
    case authority = "Authority, tenant, cloud"
    case resources = "Resources"
    case accessTokens = "Access tokens"
    case refreshTokens = "Refresh tokens"
    case rows = "Rows"
    case idTokens = "ID tokens"
    case clients = "Clients and families"
    case target = "Entries that the target already has"
    case check = "The check before writing"
    case surroundings = "Other apps, device and keychain"

    /// The reasons of the topic, in reading order.
    package var reasons: [Reason] { Reason.allCases.filter { $0.facts.topic == self } }
  }
}
