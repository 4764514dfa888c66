// SPDX-License-Identifier: MIT
import ArgumentParser
import PlatformFoundation

/// The place of a cache as it is written on the command line (contract §2): a path, `-`, or a place with a scheme.
struct PlaceArgument: ExpressibleByArgument, Equatable {
  enum Kind: Equatable {
    /// A place of a scheme, and its path or access group.
    case scheme(PlaceScheme, String)
    /// A path without a scheme. The content of the file tells its kind.
    case path(String)
    case standardInput
  }

  let text: String
  let kind: Kind

  init?(argument: String) {
    text = argument
    guard let kind = Self.kind(of: argument) else { return nil }
    self.kind = kind
  }

  var words: String { kind == .standardInput ? "standard input" : text }

  static var defaultCompletionKind: CompletionKind { .file() }

  var path: String? {
    switch kind {
    case .scheme(let scheme, let name): scheme.isOfFile ? name : nil
    case .path(let path): path
    case .standardInput: nil
    }
  }

  private static func kind(of text: String) -> Kind? {
    if text == "-" { return .standardInput }
    for scheme in PlaceScheme.all where text.hasPrefix("\(scheme.name):") {
      let name = String(text.dropFirst(scheme.name.count + 1))
      return name.isEmpty && scheme.isOfFile ? nil : .scheme(scheme, name)
    }
    return text.isEmpty ? nil : .path(text)
  }
}
