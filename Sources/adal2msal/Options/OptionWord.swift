// SPDX-License-Identifier: MIT
import ArgumentParser

/// A value of an option that is one of a few words.
///
/// ArgumentParser would find these by a key path, for which the runtime looks up conformances at every start, as it would
/// for a default: an option without its word is nil. Public, as some of the types are that have this.
public protocol OptionWord: ExpressibleByArgument, CaseIterable, RawRepresentable<String> {}

extension OptionWord {
  /// The words as they are written.
  public static var allValueStrings: [String] { allCases.map { $0.rawValue } }

  /// The word needs no explanation.
  public static var allValueDescriptions: [String: String] { [:] }
}
