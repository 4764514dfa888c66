// SPDX-License-Identifier: MIT
import ProjectFiles

/// The receivers of members. Names that other types also have count only if the receiver is ADAL's.
extension SourceRules {
  /// A context: by its name, or by its type anywhere in the file.
  func isContext(_ receiver: Int) -> Bool {
    guard let name = outline.tail(endingAt: receiver).map(source.word) else { return false }
    return name.contains("ontext")
      || declarations.all(name).contains {
        $0.type.map(ADALNames.canonical) == "ADAuthenticationContext"
      }
  }

  /// Whether an expression ends in one of the names, possibly as an instance variable, or in a name whose nearest
  /// declaration before it has one of the types.
  func ends(_ receiver: Int, in names: Set<String>, orOf types: Set<String>) -> Bool {
    guard let token = outline.tail(endingAt: receiver) else { return false }
    let name = source.word(token)
    if names.contains(String(name.drop { $0 == "_" })) { return true }
    let type = declarations.nearest(name, before: token)?.type
    return type.map { types.contains(ADALNames.canonical($0)) } ?? false
  }

  func isUser(_ receiver: Int) -> Bool {
    ends(receiver, in: ["userInformation"], orOf: ["ADUserInformation"])
  }

  private static let stores: Set<String> = [
    "ADKeychainTokenCache", "ADKeychainTokenCacheStore", "ADTokenCache", "ADTokenCacheStoring",
    "ADPersistentTokenCacheStore", "ADTokenCacheDataSource",
  ]
  private static let defaultStores: Set<String> = [
    "defaultKeychainCache", "defaultKeychain", "defaultCache",
  ]

  func isStore(_ receiver: Int) -> Bool {
    let type = receivingClass(receiver).map(source.word).map(ADALNames.canonical)
    let name = outline.tail(endingAt: receiver).map(source.word)
    return Self.stores.contains(type ?? "") || Self.defaultStores.contains(name ?? "")
      || ends(receiver, in: ["tokenCacheStore", "defaultTokenCacheStore"], orOf: Self.stores)
  }

  /// The token of ADAL's class that receives a message, directly or through a new object of the class.
  func receivingClass(_ receiver: Int) -> Int? {
    if ADALNames.types[source.identifier(receiver) ?? ""] != nil { return receiver }
    // `[[Type alloc] init…]`
    guard source.isPunctuation(receiver, "]"), let send = outline.unarySends[receiver],
      source.word(send) == "alloc", let owner = outline.invocation(named: send)?.receiverEnd,
      ADALNames.types[source.word(owner)] != nil
    else { return nil }
    return owner
  }

  func isNil(_ value: Range<Int>) -> Bool {
    guard value.count <= 2, let last = value.last else { return value.isEmpty }
    return ["nil", "NULL", "Nil", "none"].contains(source.word(last))
  }

  func resolve(_ value: Range<Int>) -> PlacedText? {
    constants.resolve(value, in: source)
  }

  /// The tokens of the statement that a token is in, as far as statements go.
  func statement(around token: Int) -> Range<Int> {
    let first = max(0, token - 96)
    let last = max(token + 1, min(source.tokens.count, token + 96))
    let begins: (Int) -> Bool = { isSwift && startsStatement($0) }
    let low = (first...token).last { endsStatement($0 - 1) || begins($0) } ?? first
    let high = ((token + 1)..<last).first { endsStatement($0) || begins($0) } ?? last
    return low..<high
  }

  private func endsStatement(_ index: Int) -> Bool {
    source.isPunctuation(index, ";{}")
  }

  /// Whether a line of Swift begins a statement, and does not continue one.
  private func startsStatement(_ index: Int) -> Bool {
    guard source.tokens[index].startsLine else { return false }
    return outline.parent(index).map { !source.isPunctuation($0, "(") } ?? true
      && !source.isPunctuation(index, ".")
  }

  private static let savers: Set<String> = ["SecItemAdd", "SecItemUpdate"]

  func isSaved(_ token: Int) -> Bool {
    statement(around: token).contains { index in
      guard let name = source.identifier(index) else { return false }
      let isSetter = name == "setValue" || name == "setObject"
      return Self.savers.contains(name) || isDefaults(index)
        || isSetter && outline.invocation(named: index)?.argument("forKey") != nil
    }
  }

  private static let defaults: Set<String> = ["UserDefaults", "NSUserDefaults"]

  func isDefaults(_ token: Int) -> Bool {
    let isClass: (Int) -> Bool = { Self.defaults.contains(source.word($0)) }
    guard let name = source.identifier(token), !isClass(token) else { return isClass(token) }
    if ["standardUserDefaults", "standard"].contains(name),
      let receiver = outline.receiver(ofMember: token), receiver != token
    {
      return isClass(receiver)
    }
    guard let declaration = declarations.nearest(name, before: token) else { return false }
    if let type = declaration.type { return Self.defaults.contains(type) }
    // `let defaults = UserDefaults.standard`
    return source.isPunctuation(declaration.token + 1, "=") && isClass(declaration.token + 2)
  }
}
