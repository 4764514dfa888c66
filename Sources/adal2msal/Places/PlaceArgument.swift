// SPDX-License-Identifier: MIT
import ArgumentParser
import Foundation

/// The place of a cache as it is written on the command line (contract §2): a path, `-`, or a place with a scheme.
struct PlaceArgument: ExpressibleByArgument, Equatable {
  enum Kind: Equatable {
    /// A store of keychain items, and its path or access group.
    case store(StoreScheme, String)
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
    case .store(let scheme, let name): scheme.isOfFile ? name : nil
    case .document(let path), .path(let path): path
    case .standardInput: nil
    }
  }

  private static func kind(of text: String) -> Kind? {
    if text == "-" { return .standardInput }
    func rest(after scheme: String) -> String? {
      text.hasPrefix(scheme) ? String(text.dropFirst(scheme.count)) : nil
    }
    for scheme in StoreScheme.allCases {
      guard let name = rest(after: "\(scheme.rawValue):") else { continue }
      return name.isEmpty && scheme.isOfFile ? nil : .store(scheme, name)
    }
    if let path = rest(after: "msal-json:") { return path.isEmpty ? nil : .document(path: path) }
    return text.isEmpty ? nil : .path(text)
  }
}
