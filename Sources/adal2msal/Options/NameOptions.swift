// SPDX-License-Identifier: MIT
import ADALMigration
import ArgumentParser
import KeychainItems
import MigrationPolicies

struct NameOptions: ParsableArguments {
  enum Mask: String, OptionWord {
    case msal, salted
  }

  @Flag(
    name: .customLong("show-usernames"),
    help:
      "Show user names in clear text (default: masked, as in MSAL's logs). Tokens are never shown.")
  var showUsernames = false

  @Option(
    name: .customLong("mask"),
    help: ArgumentHelp(
      "How to mask user names: as MSAL's logs do, or with a keyed hash (default: msal).",
      valueName: "mask"))
  var mask: Mask?

  @Option(
    name: .customLong("mask-key"),
    help: ArgumentHelp(
      "The key of '--mask salted', of 16 bytes or more.",
      discussion: "Without it, the environment variable ADAL2MSAL_MASK_KEY.", valueName: "file"),
    completion: .file())
  var maskKey: String?

  func validate() throws {
    if showUsernames, mask == .salted {
      throw ValidationError("Use '--show-usernames' or '--mask salted', not both.")
    }
    if maskKey != nil, mask != .salted {
      throw ValidationError("'--mask-key' is the key of '--mask salted'.")
    }
  }

  /// - Throws: ``Failure`` of status 64 when there is no key, or none that is long enough.
  func shown() throws -> ShownNames {
    if showUsernames { return ShownNames(mask: nil) }
    guard mask == .salted else { return ShownNames(mask: .msal) }
    let (key, place) = try key()
    guard let mask = NameMask.salted(key) else {
      throw Failure(
        .usage,
        "the key in \(place) has \(key.count) bytes; at least \(NameMask.shortestKey) are needed",
        hint: "for example: openssl rand -hex 32")
    }
    return ShownNames(mask: mask)
  }

  /// The key without line breaks at its end, and where it is. A key on the command line could be read by
  /// every user of the machine.
  private func key() throws -> (key: TokenSecret, place: String) {
    if let maskKey {
      var bytes = try ReadingOptions.read(maskKey) { $0 }
      while let last = bytes.last, last == 0x0A || last == 0x0D { bytes.removeLast() }
      return (TokenSecret(bytes), maskKey)
    }
    guard let text = Terminal.variable("ADAL2MSAL_MASK_KEY"), !text.isEmpty else {
      throw Failure(
        .usage, "'--mask salted' needs a key",
        hint: "name a file with '--mask-key' or set ADAL2MSAL_MASK_KEY")
    }
    return (TokenSecret(text), "ADAL2MSAL_MASK_KEY")
  }
}

/// The form in which user names are shown.
struct ShownNames {
  /// The mask of user names; nil if they are shown as they are.
  let mask: NameMask?

  var areReal: Bool { mask == nil }

  func callAsFunction(_ name: String) -> String { mask.map { $0(name) } ?? name }

  func identifier(_ id: String) -> String { mask?.identifier(id) ?? id }

  func text(_ text: String) -> String { mask?.text(text) ?? text }

  func callAsFunction(_ report: consuming Report) -> MaskedReport {
    guard let mask else { return MaskedReport(report) }
    return MaskedReport(masking: report, with: mask)
  }

  func template(of inspection: Inspection) -> String {
    mask.map { inspection.accountMapTemplate(showsUserNames: false, mask: $0) }
      ?? inspection.accountMapTemplate(showsUserNames: true)
  }
}
