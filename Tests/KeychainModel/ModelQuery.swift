// SPDX-License-Identifier: MIT
import Foundation

/// An item of the model.
struct ModelRow {
  /// The attributes that make a generic password unique. Accounts and services count by their bytes.
  struct Key: Hashable {
    let group: String
    let account: Data
    let service: Data
    let isSynchronizable: Bool
  }

  let attributes: [String: Any]

  init(_ attributes: [String: Any]) { self.attributes = attributes }

  var group: String { attributes["agrp"] as? String ?? "" }
  var accessibility: String { attributes["pdmn"] as? String ?? "cku" }
  var needsPerson: Bool { attributes["accc"] != nil }

  var key: Key {
    func bytes(_ name: String) -> Data { attributes[name].flatMap(ModelQuery.bytes) ?? Data() }
    return Key(
      group: group, account: bytes("acct"), service: bytes("svce"),
      isSynchronizable: attributes["sync"].flatMap(ModelQuery.number) == 1)
  }
}

/// A query of the model: which rows match, and what is returned of them.
struct ModelQuery {
  private let arguments: [String: Any]
  /// How many items are returned; nil for all.
  let limit: Int?

  init(_ arguments: [String: Any]) {
    self.arguments = arguments
    limit =
      arguments["m_Limit"] as? String == "m_LimitAll" ? nil : arguments["m_Limit"] as? Int ?? 1
  }

  var skipsRowsThatNeedPerson: Bool { arguments["u_AuthUI"] as? String == "u_AuthUIS" }

  /// The returned attributes of a row.
  func shown(_ row: ModelRow) -> [String: Any] {
    guard arguments["r_Attributes"] as? Bool == true else { return [:] }
    let withData = arguments["r_Data"] as? Bool == true
    return withData ? row.attributes : row.attributes.filter { $0.key != "v_Data" }
  }

  func matches(_ row: ModelRow) -> Bool {
    guard matchesSynchronizability(row) else { return false }
    return arguments.allSatisfy { name, value in
      let own = row.attributes[name]
      if Self.blobs.contains(name) {
        // Absent accounts and services are kept as empty ones.
        let kept: Any? = ["acct", "svce"].contains(name) ? own ?? "" : own
        return kept.flatMap(Self.bytes) == Self.bytes(value)
      }
      if Self.texts.contains(name) { return own as? String == value as? String }
      if Self.numbers.contains(name), name != "sync" {
        return own.flatMap(Self.number) == Self.number(value)
      }
      return true
    }
  }

  private func matchesSynchronizability(_ row: ModelRow) -> Bool {
    guard let value = arguments["sync"] else { return !row.key.isSynchronizable }
    return value as? String == "syna" || (Self.number(value) == 1) == row.key.isSynchronizable
  }

  /// Attributes that are kept as text or bytes and compared by their bytes.
  private static let blobs: Set = ["acct", "svce", "gena", "labl", "desc", "icmt", "alis"]
  private static let texts: Set = ["agrp", "pdmn"]
  private static let numbers: Set = ["type", "invi", "sync", "crtr", "nega", "cusi", "scrp"]
  private static let dates: Set = ["cdat", "mdat"]
  /// The attributes that an item keeps when it is added.
  static let kept = blobs.union(texts).union(numbers).union(["accc", "v_Data"])

  /// Why securityd's parser of queries rejects arguments: `SecDbQuery.c`.
  static func defect(of arguments: [String: Any]) -> Int32? {
    guard arguments["class"] as? String == "genp" else { return -50 }
    // A dictionary has no order; the smallest key's defect is named.
    return arguments.sorted { $0.key < $1.key }.lazy.compactMap(defect).first
  }

  private static func defect(_ name: String, _ value: Any) -> Int32? {
    let isSound: Bool
    switch name {
    case "class": isSound = true
    case "accc", "nleg": isSound = true
    case "m_Limit":
      isSound = value is Int || ["m_LimitOne", "m_LimitAll"].contains(value as? String)
    case "r_Attributes", "r_Data": isSound = value is Bool
    case "u_AuthUI": isSound = value is String
    case "v_Data": isSound = value is Data
    case _ where blobs.contains(name): isSound = bytes(value) != nil
    case _ where texts.contains(name): isSound = value is String
    case "sync" where value as? String == "syna": isSound = true
    case _ where numbers.contains(name): isSound = number(value) != nil
    case _ where dates.contains(name): isSound = value is Date
    case _ where name.utf8.count == 4: return -25303
    default: isSound = name.hasPrefix("m_")
    }
    return isSound ? nil : -50
  }

  static func bytes(_ value: Any) -> Data? {
    value as? Data ?? (value as? String).map { Data($0.utf8) }
  }

  static func number(_ value: Any) -> Int? {
    switch value {
    case let flag as Bool: flag ? 1 : 0
    case let text as String: Int(text)
    case let number as NSNumber: number.intValue
    default: nil
    }
  }
}
