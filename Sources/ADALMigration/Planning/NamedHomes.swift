// SPDX-License-Identifier: MIT
import MSALCache

/// The home account ids of MSAL's accounts by user name, and the clients and families that have their refresh tokens.
///
/// A reader lists all accounts of one name and id, or none. Many accounts can have one name, and many clients can ask for
/// it, so no question goes through more ids than the shorter of two lists has.
struct NamedHomes: Sendable {
  /// One home account id under one user name.
  struct Home {
    let id: Symbol?
    /// The user names as they are spelled.
    var names: [Symbol] = []
  }

  /// A client or family, as tokens are compared.
  private struct Owner: Hashable {
    let id: Symbol
    let isFamily: Bool
  }

  private struct Key: Hashable {
    let name: Symbol?
    let id: Symbol?
  }

  /// The homes of one user name that are listed for a family's tokens, for any client that has no others.
  struct FamilyList {
    fileprivate(set) var homes: Set<Int> = []
    /// In how many of the homes each name is, as spelled.
    fileprivate(set) var names: [Symbol: Int] = [:]
  }

  private var homes: [Home] = []
  private var numbers: [Key: Int] = [:]
  /// The homes of each user name, as names are compared.
  private var byName: [Symbol?: [Int]] = [:]
  /// In how many homes each name is, as spelled.
  private var countOfSpelling: [Symbol: Int] = [:]
  /// The names, as spelled, of homes with several.
  private var otherSpellings: Set<Key> = []
  /// The home account ids of which a client or family has a refresh token.
  private var byOwner: [Owner: Set<Symbol>] = [:]
  private var familyLists: [Key: FamilyList] = [:]

  /// The home of a number.
  subscript(number: Int) -> Home { homes[number] }

  /// Adds an account.
  ///
  /// - Parameter spelling: its user name.
  mutating func insert(_ id: Symbol?, spelling: Symbol?, _ symbols: inout Symbols) {
    let name = spelling.map { symbols.symbol(of: $0, as: \.lowercasedLikeNSString) }
    let number = numbers.number(of: Key(name: name, id: id))
    if number == homes.count {
      homes.append(Home(id: id))
      byName[name, default: []].append(number)
    }
    guard let spelling, homes[number].names.first != spelling,
      homes[number].names.isEmpty
        || otherSpellings.insert(Key(name: spelling, id: id)).inserted
    else { return }
    homes[number].names.append(spelling)
    countOfSpelling[spelling, default: 0] += 1
  }

  /// Adds a refresh token.
  ///
  /// - Parameter owner: the client or family that has it, as spelled.
  mutating func insert(
    tokenOf id: Symbol, _ owner: Symbol, isFamily: Bool, _ symbols: inout Symbols
  ) {
    let owner = Owner(id: symbols.symbol(of: owner, as: \.normalized), isFamily: isFamily)
    byOwner[owner, default: []].insert(id)
  }

  /// The ids under a user name.
  func ids(named name: Symbol?) -> [Symbol] { (byName[name] ?? []).compactMap { homes[$0].id } }

  /// Whether a client, or a family, has a refresh token of an id.
  func holdsToken(of id: Symbol, client: Symbol?, family: Symbol?) -> Bool {
    let owners = [
      client.map { Owner(id: $0, isFamily: false) }, family.map { Owner(id: $0, isFamily: true) },
    ]
    return owners.contains { $0.flatMap { byOwner[$0] }?.contains(id) ?? false }
  }

  /// The homes of a user name that a family's tokens list.
  mutating func list(ofFamily family: Symbol?, named name: Symbol?) -> FamilyList {
    guard let family, let ids = byOwner[Owner(id: family, isFamily: true)] else {
      return FamilyList()
    }
    let key = Key(name: name, id: family)
    if let known = familyLists[key] { return known }
    var list = FamilyList()
    for number in numbers(among: ids, named: name) where homes[number].id.map(ids.contains) ?? false
    {
      list.homes.insert(number)
      for name in homes[number].names { list.names[name, default: 0] += 1 }
    }
    familyLists[key] = list
    return list
  }

  /// The homes of a user name for which a client has tokens of its own or account metadata, and maybe others of the name.
  ///
  /// - Parameters:
  ///   - count: how many accounts the client's account metadata has.
  ///   - noted: their home account ids.
  func numbers(
    ofClient client: Symbol, named name: Symbol?, count: Int, noted: () -> [Symbol]
  ) -> [Int] {
    let own = byOwner[Owner(id: client, isFamily: false)] ?? []
    let named = byName[name] ?? []
    if named.count <= own.count + count { return named }
    return numbers(among: own.union(noted()), named: name)
  }

  private func numbers(among ids: Set<Symbol>, named name: Symbol?) -> [Int] {
    let named = byName[name] ?? []
    return named.count <= ids.count
      ? named : ids.compactMap { numbers[Key(name: name, id: $0)] }
  }

  /// Whether an account of a name, as spelled, is not in the list of a client.
  ///
  /// - Parameter names: in how many homes more than in the family's list each name is.
  func hides(_ spelling: Symbol, _ list: FamilyList, _ names: [Symbol: Int]) -> Bool {
    countOfSpelling[spelling] ?? 0 > (list.names[spelling] ?? 0) + (names[spelling] ?? 0)
  }
}
