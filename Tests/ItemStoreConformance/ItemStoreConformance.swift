// SPDX-License-Identifier: MIT
import KeychainItems

/// The exam that every ``ItemStore`` passes.
///
/// It needs no test framework: `run()` throws ``Failure`` with a sentence. A suite can run
/// ``Check/allCases`` one by one:
///
/// ```swift
/// @Test(arguments: ItemStoreConformance.Check.allCases)
/// func passesTheExam(check: ItemStoreConformance.Check) throws {
///   try ItemStoreConformance { MemoryStore() }.run(check)
/// }
/// ```
public struct ItemStoreConformance {
  /// The attributes that a store sets itself, in place of the given ones.
  public struct Exceptions: Sendable, Equatable {
    /// The store sets `cdat` and `mdat` itself, as the system keychain does.
    public var setsDates = false
    /// The store sets `pdmn` of an item that has none, as the system keychain does.
    public var setsAccessibility = false

    public init(setsDates: Bool = false, setsAccessibility: Bool = false) {
      self.setsDates = setsDates
      self.setsAccessibility = setsAccessibility
    }
  }

  /// A check that a store failed, in one sentence.
  public struct Failure: Error, CustomStringConvertible {
    public var description: String
  }

  private let exceptions: Exceptions
  private let makeStore: () throws -> any ItemStore

  /// An exam for the stores that `makeStore` returns: a new, empty store for each call.
  public init(
    exceptions: Exceptions = Exceptions(), _ makeStore: @escaping () throws -> any ItemStore
  ) {
    self.exceptions = exceptions
    self.makeStore = makeStore
  }

  /// Runs every check, each on a new store.
  ///
  /// - Throws: ``Failure`` for the first check that the store fails, and every error of the store.
  public func run() throws {
    for check in Check.allCases { try run(check) }
  }

  /// Runs one check on a new store.
  ///
  /// - Throws: ``Failure`` if the store fails the check, and every error of the store.
  public func run(_ check: Check) throws {
    let store = try makeStore()
    for step in check.steps {
      let taken = try store.add(step.items)
      try expect(taken, step.taken, "taken keys of \(check)")
      try expect(try store.items(), step.after, "items of \(check)")
    }
  }

  private func expect(_ found: [KeychainItem], _ expected: [KeychainItem], _ what: String) throws {
    guard found.count == expected.count else {
      throw Failure(description: "\(what): \(found.count) items, not \(expected.count)")
    }
    for (index, pair) in zip(found, expected).enumerated() {
      let differing = differences(pair.0, pair.1)
      guard differing.isEmpty else {
        throw Failure(description: "\(what): item \(index) has another \(differing)")
      }
    }
  }

  /// The names of the attributes that are not equal to the byte.
  private func differences(_ a: KeychainItem, _ b: KeychainItem) -> [String] {
    func bytes(_ text: String?) -> [UInt8]? { text.map { Array($0.utf8) } }
    let pairs: [(String, Bool)] = [
      ("agrp", bytes(a.accessGroup) == bytes(b.accessGroup)),
      ("acct", bytes(a.account) == bytes(b.account)),
      ("svce", bytes(a.service) == bytes(b.service)),
      ("gena", a.generic == b.generic), ("type", a.type == b.type),
      (
        "pdmn",
        bytes(a.accessibility) == bytes(b.accessibility)
          || exceptions.setsAccessibility && (a.accessibility == nil || b.accessibility == nil)
      ),
      ("labl", bytes(a.label) == bytes(b.label)),
      ("desc", bytes(a.itemDescription) == bytes(b.itemDescription)),
      ("icmt", bytes(a.comment) == bytes(b.comment)), ("invi", a.isInvisible == b.isInvisible),
      ("cdat", exceptions.setsDates || a.created == b.created),
      ("mdat", exceptions.setsDates || a.modified == b.modified), ("data", a.data == b.data),
    ]
    return pairs.filter { !$0.1 }.map(\.0)
  }
}
