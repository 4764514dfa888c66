// SPDX-License-Identifier: MIT
import Foundation

/// Calls of the keychain in a fixed order, each with the answer that Apple's keychain gives.
///
/// The same list runs against KeychainModel on Linux and against the system's keychain on Apple's systems: a
/// model that agrees with the list, call by call, agrees with the keychain as far as the list does. The answers
/// were read from securityd's sources (Security-61901). The file imports Foundation only, so that a test target
/// outside this package compiles it too.
///
/// ```swift
/// let script = ScriptedCalls(first: "TEAM.com.contoso.a", second: "TEAM.com.contoso.b", suffix: "x1")
/// let differences = script.differences { function, arguments in (status, matches) }
/// ```
public struct ScriptedCalls: Sendable {
  /// A function of the keychain.
  public enum Function: String, Sendable {
    case add, copyMatching, delete
  }

  /// One call and the answer that it must have.
  public struct Call: Sendable {
    /// The subject of the call, in a few words.
    public let title: String
    /// Which function is called.
    public let function: Function
    /// The query or the attributes: texts, numbers, truth values and `Data`.
    public let arguments: [String: any Sendable]
    /// The expected status.
    public let status: Int32
    /// The expected items, in any order, each as ``ScriptedCalls/facts(of:)`` tells it; nil for any.
    public let matches: [[String: String]]?
  }

  /// The answer of a keychain: the status, and the attributes of each returned item.
  public typealias Answer = (status: Int32, matches: [[String: Any]])

  /// The attributes that are compared; what else an item has is its keychain's own matter.
  public static let compared = [
    "agrp", "acct", "svce", "gena", "type", "pdmn", "labl", "desc", "icmt", "invi", "sync",
    "v_Data",
  ]

  /// The calls, in their order.
  public let calls: [Call]
  private let cleaning: [[String: any Sendable]]
  private let groups: [String: String]

  /// A list for a program whose entitlements name two access groups.
  ///
  /// - Parameters:
  ///   - first: the program's default group, with its team prefix.
  ///   - second: another group of the program, with its team prefix.
  ///   - suffix: the end of every account and service, so that no other item is touched.
  ///   - isMac: whether calls must name the data-protection keychain.
  public init(first: String, second: String, suffix: String, isMac: Bool = false) {
    var script = Script(first: first, second: second, suffix: suffix, isMac: isMac)
    script.addAll()
    calls = script.calls
    cleaning = script.cleaning
    groups = [first: "first", second: "second"]
  }

  /// Makes all calls and says which answers differ, one line each without a group's name. Items that a run
  /// before left are removed first, and those of this run last.
  public func differences(_ answer: (Function, [String: Any]) -> Answer) -> [String] {
    cleanUp(answer)
    defer { cleanUp(answer) }
    return calls.enumerated().compactMap { index, call in
      difference(of: answer(call.function, call.arguments), from: call)
        .map { "\(index + 1) \(call.function.rawValue), \(call.title): \($0)" }
    }
  }

  /// Removes what the list adds.
  public func cleanUp(_ answer: (Function, [String: Any]) -> Answer) {
    for query in cleaning { _ = answer(.delete, query) }
  }

  /// The compared parts of an item: texts as they are, bytes in hexadecimal after `0x`, numbers and truth values in
  /// decimal, the group by its place. Empty data counts as absent data.
  public func facts(of attributes: [String: Any]) -> [String: String] {
    var facts: [String: String] = [:]
    for name in Self.compared {
      guard let value = attributes[name] else { continue }
      facts[name] = Self.text(of: value)
    }
    if facts["v_Data"] == "0x" { facts["v_Data"] = nil }
    if let group = facts["agrp"] { facts["agrp"] = groups[group] ?? "another" }
    return facts
  }

  private func difference(of answer: Answer, from call: Call) -> String? {
    guard answer.status == call.status else {
      return "expected status \(call.status), got \(answer.status)"
    }
    guard let expected = call.matches else { return nil }
    let lines = { (items: [[String: String]]) in items.map(Self.line).sorted() }
    let (wanted, given) = (lines(expected), lines(answer.matches.map(facts)))
    return wanted == given ? nil : "expected \(wanted), got \(given)"
  }

  private static func line(_ facts: [String: String]) -> String {
    facts.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined(separator: " ")
  }

  private static func text(of value: Any) -> String {
    switch value {
    case let text as String: text
    case let data as Data: "0x" + data.map { String(format: "%02x", $0) }.joined()
    case let flag as Bool: flag ? "1" : "0"
    case let number as NSNumber: number.stringValue
    default: "\(type(of: value))"
    }
  }
}

/// The list in the making.
private struct Script {
  typealias Attributes = [String: any Sendable]
  typealias Facts = [String: String]

  let first: String
  let second: String
  let suffix: String
  let base: Attributes
  var calls: [ScriptedCalls.Call] = []

  private let success: Int32 = 0
  private let parameter: Int32 = -50
  private let duplicate: Int32 = -25299
  private let notFound: Int32 = -25300
  private let noAttribute: Int32 = -25303
  private let missingEntitlement: Int32 = -34018

  init(first: String, second: String, suffix: String, isMac: Bool) {
    (self.first, self.second, self.suffix) = (first, second, suffix)
    base = isMac ? ["class": "genp", "nleg": true] : ["class": "genp"]
  }

  private func name(_ name: String) -> String { "\(name).\(suffix)" }
  private var service: String { name("service") }

  /// Everything that the list adds has one of these services, or the last account.
  var cleaning: [Attributes] {
    [
      ["svce": service], ["svce": service, "sync": true], ["svce": name("other")],
      ["acct": name("alone")],
    ].map { query($0) }
  }

  private func query(_ attributes: Attributes) -> Attributes {
    base.merging(attributes) { _, own in own }
  }

  private mutating func add(_ title: String, _ attributes: Attributes, _ status: Int32) {
    calls.append(
      .init(
        title: title, function: .add, arguments: query(attributes), status: status, matches: nil))
  }

  /// An addition that returns attributes.
  private mutating func add(_ title: String, _ attributes: Attributes, returns facts: Facts) {
    calls.append(
      .init(
        title: title, function: .add,
        arguments: query(attributes).merging(["r_Attributes": true]) { $1 },
        status: success, matches: [facts]))
  }

  /// All matches with their attributes, unless the arguments say another thing.
  private mutating func copy(_ title: String, _ attributes: Attributes, _ matches: [Facts]) {
    let all: Attributes = ["r_Attributes": true, "m_Limit": "m_LimitAll"]
    calls.append(
      .init(
        title: title, function: .copyMatching,
        arguments: query(all.merging(attributes) { $1 }),
        status: matches.isEmpty ? notFound : success, matches: matches))
  }

  /// A query that fails.
  private mutating func copy(_ title: String, _ attributes: Attributes, fails status: Int32) {
    let all: Attributes = ["r_Attributes": true, "m_Limit": "m_LimitAll"]
    calls.append(
      .init(
        title: title, function: .copyMatching,
        arguments: query(all.merging(attributes) { $1 }), status: status, matches: []))
  }

  private mutating func delete(_ title: String, _ attributes: Attributes, _ status: Int32) {
    calls.append(
      .init(
        title: title, function: .delete, arguments: query(attributes), status: status, matches: nil)
    )
  }

  mutating func addAll() {
    keysOfItems()
    groupsOfItems()
    amounts()
    attributesInQueries()
    bytesAndTexts()
    defaults()
    keptAttributes()
    synchronizable()
    illegal()
    deleting()
  }

  private var key: Attributes { ["acct": name("a"), "svce": service] }
  private var here: Attributes { key.merging(["agrp": first]) { $1 } }
  private var item: Attributes {
    here.merging([
      "type": 1003, "gena": Data("g".utf8), "pdmn": "cku", "v_Data": Data("secret".utf8),
    ]) { $1 }
  }
  private var itemFacts: Facts {
    [
      "agrp": "first", "acct": name("a"), "svce": service, "type": "1003", "gena": "0x67",
      "pdmn": "cku", "sync": "0",
    ]
  }
  private var otherFacts: Facts {
    ["agrp": "second", "acct": name("a"), "svce": service, "pdmn": "dk", "sync": "0"]
  }

  private mutating func keysOfItems() {
    copy("nothing is there yet", key, [])
    add("a new item", item, success)
    add("the same item again", item, duplicate)
    add("the same key with another type", item.merging(["type": 2002]) { $1 }, duplicate)
    add("the same key with another generic", item.merging(["gena": Data([1])]) { $1 }, duplicate)
    add("the same key with another accessibility", item.merging(["pdmn": "ck"]) { $1 }, duplicate)
    copy("the item that stayed", here, [itemFacts])
  }

  private mutating func groupsOfItems() {
    let there = key.merging(["agrp": second]) { $1 }
    add(
      "the same account and service in another group",
      there.merging(["pdmn": "dk", "v_Data": Data("2".utf8)]) { $1 }, success)
    copy("every group of the program, when none is named", key, [itemFacts, otherFacts])
    copy("the first group", here, [itemFacts])
    copy("the second group", there, [otherFacts])
    let foreign = key.merging(["agrp": "\(name("none")).of.ours"]) { $1 }
    copy("a group that the entitlements do not name", foreign, fails: missingEntitlement)
    add("into a group that the entitlements do not name", foreign, missingEntitlement)
    delete("from a group that the entitlements do not name", foreign, missingEntitlement)
  }

  private mutating func amounts() {
    let data = itemFacts.merging(["v_Data": "0x736563726574"]) { $1 }
    copy("with its data", here.merging(["r_Data": true]) { $1 }, [data])
    copy("limit one", here.merging(["m_Limit": "m_LimitOne"]) { $1 }, [itemFacts])
    copy("a limit as a number", here.merging(["m_Limit": 1]) { $1 }, [itemFacts])
    copy("without asking a person", here.merging(["u_AuthUI": "u_AuthUIS"]) { $1 }, [itemFacts])
  }

  private mutating func attributesInQueries() {
    func with(_ name: String, _ value: any Sendable) -> Attributes {
      ["svce": service, "agrp": first, name: value]
    }
    copy("by service", ["svce": service, "agrp": first], [itemFacts])
    copy("by account", ["acct": name("a"), "agrp": first], [itemFacts])
    copy("by type", with("type", 1003), [itemFacts])
    copy("by a type in digits", with("type", "1003"), [itemFacts])
    copy("by another type", with("type", 1004), [])
    copy("by generic", with("gena", Data("g".utf8)), [itemFacts])
    copy("by another generic", with("gena", Data("h".utf8)), [])
    copy("by accessibility", with("pdmn", "cku"), [itemFacts])
    copy("by another accessibility", with("pdmn", "ck"), [])
    copy("by a service in other case", ["svce": service.uppercased(), "acct": name("a")], [])
  }

  private mutating func bytesAndTexts() {
    let bytes = Data(name("a").utf8)
    copy("a text account by its bytes", here.merging(["acct": bytes]) { $1 }, [itemFacts])
    copy(
      "a text service by its bytes", here.merging(["svce": Data(service.utf8)]) { $1 }, [itemFacts])
    copy("generic bytes by their text", here.merging(["gena": "g"]) { $1 }, [itemFacts])
    add(
      "the bytes of an account that is there as text", item.merging(["acct": bytes]) { $1 },
      duplicate)
    let account = Data(name("bytes").utf8)
    let hex = "0x" + account.map { String(format: "%02x", $0) }.joined()
    add(
      "an account of bytes", ["acct": account, "svce": service, "agrp": first, "pdmn": "cku"],
      success)
    copy(
      "an account of bytes by its text",
      ["acct": name("bytes"), "svce": service],
      [["agrp": "first", "acct": hex, "svce": service, "pdmn": "cku", "sync": "0"]])
    let composed = name("\u{E9}")
    let decomposed = name("e\u{301}")
    func accent(_ account: String) -> Attributes {
      ["acct": account, "svce": service, "agrp": first, "pdmn": "cku"]
    }
    add("a composed letter", accent(composed), success)
    copy("a composed letter by its parts", ["acct": decomposed, "svce": service], [])
    add("the letter in parts is another key", accent(decomposed), success)
  }

  private mutating func defaults() {
    let alone: Attributes = ["acct": name("alone"), "agrp": first, "pdmn": "cku"]
    let facts: Facts = [
      "agrp": "first", "acct": name("alone"), "svce": "", "pdmn": "cku", "sync": "0",
    ]
    add("an empty service", alone.merging(["svce": ""]) { $1 }, success)
    add("no service is an empty service", alone, duplicate)
    copy("by an empty service", ["acct": name("alone"), "svce": ""], [facts])
    copy("by the account alone", ["acct": name("alone")], [facts])
    add("no account", ["svce": name("other"), "agrp": first, "pdmn": "cku"], success)
    copy(
      "by an empty account", ["svce": name("other"), "acct": ""],
      [["agrp": "first", "acct": "", "svce": name("other"), "pdmn": "cku", "sync": "0"]])
    add(
      "no group is the first, no accessibility is when unlocked",
      ["acct": name("default"), "svce": service],
      returns: [
        "agrp": "first", "acct": name("default"), "svce": service, "pdmn": "ak", "sync": "0",
      ])
    copy(
      "an item without data", ["acct": name("default"), "svce": service, "r_Data": true],
      [["agrp": "first", "acct": name("default"), "svce": service, "pdmn": "ak", "sync": "0"]])
  }

  private mutating func keptAttributes() {
    let all: Attributes = [
      "acct": name("kept"), "svce": service, "agrp": first, "pdmn": "ck", "labl": "label",
      "desc": "description", "icmt": "comment", "invi": true, "type": "2002", "gena": "text",
    ]
    let facts: Facts = [
      "agrp": "first", "acct": name("kept"), "svce": service, "pdmn": "ck", "labl": "label",
      "desc": "description", "icmt": "comment", "invi": "1", "type": "2002", "gena": "text",
      "sync": "0",
    ]
    add("every attribute", all, returns: facts)
    for (name, value) in [
      ("labl", "label"), ("desc", "description"), ("icmt", "comment"), ("gena", "text"),
    ] {
      copy("by \(name)", ["svce": service, name: value], [facts])
    }
    copy("by invi", ["svce": service, "invi": true], [facts])
    copy("a type in digits is a number", ["svce": service, "type": 2002], [facts])
  }

  private mutating func synchronizable() {
    let item: Attributes = ["acct": name("sync"), "svce": service, "agrp": first, "pdmn": "ck"]
    func facts(_ sync: String) -> Facts {
      ["agrp": "first", "acct": name("sync"), "svce": service, "pdmn": "ck", "sync": sync]
    }
    let key: Attributes = ["acct": name("sync"), "svce": service]
    add("a synchronizable item", item.merging(["sync": true]) { $1 }, success)
    copy("a query without synchronizable does not see it", key, [])
    add("the same key, not synchronizable, is another item", item, success)
    copy("synchronizable items", key.merging(["sync": true]) { $1 }, [facts("1")])
    copy("both", key.merging(["sync": "syna"]) { $1 }, [facts("0"), facts("1")])
    delete("the one that is not synchronizable", key, success)
    copy("the synchronizable one stayed", key.merging(["sync": "syna"]) { $1 }, [facts("1")])
    delete("the synchronizable one", key.merging(["sync": true]) { $1 }, success)
  }

  private mutating func illegal() {
    copy("an unknown attribute", key.merging(["zzzz": 1]) { $1 }, fails: noAttribute)
    copy("an unknown key of use", key.merging(["u_None": true]) { $1 }, fails: parameter)
    copy("an unknown key of return", key.merging(["r_None": true]) { $1 }, fails: parameter)
    copy("a number as a truth value", key.merging(["r_Attributes": 1]) { $1 }, fails: parameter)
    copy("an unknown limit", key.merging(["m_Limit": "m_LimitNone"]) { $1 }, fails: parameter)
    copy("bytes as a type", key.merging(["type": Data([1])]) { $1 }, fails: parameter)
    copy("a text as a date", key.merging(["cdat": "now"]) { $1 }, fails: parameter)
    add("a text as data", key.merging(["v_Data": "text"]) { $1 }, parameter)
    let skip: Attributes = ["u_AuthUI": "u_AuthUIS"]
    add("skipping items that need a person", item.merging(skip) { $1 }, parameter)
    delete("skipping items that need a person", here.merging(skip) { $1 }, parameter)
    delete("with a limit", here.merging(["m_Limit": "m_LimitOne"]) { $1 }, parameter)
    delete("without a limit, in words", here.merging(["m_Limit": "m_LimitAll"]) { $1 }, parameter)
  }

  private mutating func deleting() {
    delete("an item that is not there", ["acct": name("nobody"), "svce": service], notFound)
    delete("one item", here, success)
    delete("one item again", here, notFound)
    copy("the one in the other group stayed", key, [otherFacts])
    delete("all of a service", ["svce": service], success)
    copy("none is left", ["svce": service, "sync": "syna"], [])
    delete("an empty account", ["svce": name("other"), "acct": ""], success)
    delete("an empty service", ["acct": name("alone"), "svce": ""], success)
  }
}
