// SPDX-License-Identifier: MIT
import ProjectFiles

/// What a member is asked of: names that others use too count only where the receiver is ADAL's.
extension SourceRules {
  /// The name at the end of a receiver, without the underscore of an instance variable.
  private func tail(_ receiver: Int) -> (name: String, token: Int)? {
    guard let token = outline.tail(endingAt: receiver) else { return nil }
    return (source.word(token), token)
  }

  private func bare(_ name: String) -> String { String(name.drop { $0 == "_" }) }

  private func nearestType(_ name: String, _ token: Int) -> String? {
    declarations.nearest(name, before: token)?.type.map(ADALNames.canonical)
  }

  private func hasType(_ name: String, _ isIncluded: (String) -> Bool) -> Bool {
    declarations.all(name).contains { $0.type.map { isIncluded(ADALNames.canonical($0)) } ?? false }
  }

  /// A context: by its name, or by its type anywhere in the file.
  func isContext(_ receiver: Int) -> Bool {
    guard let (name, _) = tail(receiver) else { return false }
    return name.contains("ontext") || hasType(name) { $0 == "ADAuthenticationContext" }
  }

  /// User information: at the end of an expression, or by the nearest declaration before.
  func isUser(_ receiver: Int) -> Bool {
    guard let (name, token) = tail(receiver) else { return false }
    if bare(name) == "userInformation" { return true }
    return nearestType(name, token) == "ADUserInformation"
  }

  /// An entry of the cache.
  func isItem(_ receiver: Int) -> Bool {
    guard let (name, token) = tail(receiver) else { return false }
    if ["tokenCacheItem", "tokenCacheStoreItem"].contains(bare(name)) { return true }
    let type = nearestType(name, token)
    return type == "ADTokenCacheItem" || type == "ADTokenCacheStoreItem"
  }

  private static let stores: Set<String> = [
    "ADKeychainTokenCache", "ADKeychainTokenCacheStore", "ADTokenCache", "ADTokenCacheStoring",
    "ADPersistentTokenCacheStore", "ADTokenCacheDataSource",
  ]

  /// A cache of tokens.
  func isStore(_ receiver: Int) -> Bool {
    if let name = receivingClass(receiver), Self.stores.contains(name) { return true }
    guard let (name, token) = tail(receiver) else { return false }
    if ["tokenCacheStore", "defaultTokenCacheStore"].contains(bare(name)) { return true }
    if ["defaultKeychainCache", "defaultKeychain", "defaultCache"].contains(name) { return true }
    return nearestType(name, token).map(Self.stores.contains) ?? false
  }

  /// ADAL's class that a message goes to, or whose fresh object it goes to.
  func receivingClass(_ receiver: Int) -> String? {
    receivingClassToken(receiver).map { ADALNames.canonical(source.word($0)) }
  }

  /// The token of that class.
  func receivingClassToken(_ receiver: Int) -> Int? {
    if let name = source.identifier(receiver), ADALNames.types.contains(name) { return receiver }
    // `[[Type alloc] init…]`
    guard source.isPunctuation(receiver, "]"), let send = outline.unarySends[receiver],
      source.word(send) == "alloc", let owner = outline.invocation(named: send)?.receiverEnd,
      ADALNames.types.contains(source.word(owner))
    else { return nil }
    return owner
  }

  /// Whether a value is nothing.
  func isNil(_ value: Range<Int>) -> Bool {
    guard value.count <= 2, let last = value.last else { return value.isEmpty }
    return ["nil", "NULL", "Nil", "none"].contains(source.word(last))
  }

  /// The value of an argument, where it is a literal or a name that is given one.
  func resolve(_ value: Range<Int>) -> PlacedText? {
    constants.resolve(value, in: source, path: path)
  }

  /// The tokens of the statement that a token is in, as far as statements go.
  func statement(around token: Int) -> Range<Int> {
    let longest = 96
    var low = token
    while low > max(0, token - longest), !endsStatement(low - 1), !(isSwift && startsStatement(low))
    { low -= 1 }
    var high = token + 1
    while high < min(source.tokens.count, token + longest), !endsStatement(high),
      !(isSwift && startsStatement(high))
    {
      high += 1
    }
    return low..<high
  }

  private func endsStatement(_ index: Int) -> Bool {
    [";", "{", "}"].contains { source.isPunctuation(index, $0) }
  }

  /// Whether a line of Swift begins a statement, and does not continue one.
  private func startsStatement(_ index: Int) -> Bool {
    guard source.tokens[index].startsLine else { return false }
    return outline.parent(index).map { !source.isPunctuation($0, "(") } ?? true
      && !source.isPunctuation(index, ".")
  }

  private static let savers: Set<String> = [
    "UserDefaults", "NSUserDefaults", "SecItemAdd", "SecItemUpdate",
  ]

  /// Whether the statement around a token saves something.
  func isSaved(_ token: Int) -> Bool {
    for index in statement(around: token) {
      guard let name = source.identifier(index) else { continue }
      if Self.savers.contains(name) { return true }
      if isDefaults(index) { return true }
      if name == "setValue" || name == "setObject",
        let invocation = outline.invocation(named: index), invocation.argument("forKey") != nil
      {
        return true
      }
    }
    return false
  }

  /// Whether a name is the user defaults.
  func isDefaults(_ token: Int) -> Bool {
    guard let name = source.identifier(token) else { return false }
    if isDefaultsName(name) { return true }
    if ["standardUserDefaults", "standard"].contains(name),
      let receiver = outline.receiver(ofMember: token), receiver != token
    {
      return isDefaultsClass(receiver)
    }
    guard let declaration = declarations.nearest(name, before: token) else { return false }
    if let type = declaration.type { return isDefaultsName(type) }
    // `let defaults = UserDefaults.standard`
    return source.isPunctuation(declaration.token + 1, "=")
      && isDefaultsClass(declaration.token + 2)
  }

  private func isDefaultsClass(_ token: Int) -> Bool {
    source.identifier(token).map(isDefaultsName) ?? false
  }

  private func isDefaultsName(_ name: String) -> Bool {
    name == "UserDefaults" || name == "NSUserDefaults"
  }
}
