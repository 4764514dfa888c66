// SPDX-License-Identifier: MIT
import ArgumentParser
import Foundation

/// The place of a cache as it is written on the command line (contract §2): a path, `-`, or a place with a scheme.
struct PlaceArgument: ExpressibleByArgument, Equatable {
  enum Kind: Equatable {
    /// The system keychain; the group may be missing.
    case keychain(group: String?)
    case snapshot(path: String)
    case items(path: String)
    case document(path: String)
    /// A path whose content says what it is.
    case path(String)
    case standardInput
  }

  /// The words as they came.
  let text: String
  let kind: Kind

  init?(argument: String) {
    text = argument
    guard let kind = Self.kind(of: argument) else { return nil }
    self.kind = kind
  }

  /// What messages call it.
  var words: String { kind == .standardInput ? "standard input" : text }

  static var defaultCompletionKind: CompletionKind { .file() }

  /// The path, if it is one.
  var path: String? {
    switch kind {
    case .keychain, .standardInput: nil
    case .snapshot(let path), .items(let path), .document(let path), .path(let path): path
    }
  }

  private static func kind(of text: String) -> Kind? {
    if text == "-" { return .standardInput }
    func rest(after scheme: String) -> String? {
      text.hasPrefix(scheme) ? String(text.dropFirst(scheme.count)) : nil
    }
    if let group = rest(after: "keychain:") {
      return .keychain(group: group.isEmpty ? nil : group)
    }
    let kinds: [(scheme: String, kind: (String) -> Kind)] = [
      ("sqlite:", Kind.snapshot), ("items:", Kind.items), ("msal-json:", Kind.document),
      ("", Kind.path),
    ]
    for (scheme, kind) in kinds {
      guard let path = rest(after: scheme) else { continue }
      return path.isEmpty ? nil : kind(path)
    }
    return nil
  }
}
