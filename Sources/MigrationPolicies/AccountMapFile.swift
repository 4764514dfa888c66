// SPDX-License-Identifier: MIT
import ADALMigration
import Foundation
import MSALCache

extension AccountMap {
  /// The map in a file: a JSON array of objects, or CSV with a header line.
  ///
  /// CSV has commas, or semicolons as in locales with decimal commas.
  ///
  /// - Throws: ``TokenCacheMigration/MigrationError/invalidPolicy(_:)`` with the line of the error.
  public init(file bytes: [UInt8]) throws {
    var content = bytes[...]
    if content.starts(with: [0xEF, 0xBB, 0xBF]) { content = content.dropFirst(3) }
    let text = String(decoding: content, as: UTF8.self)
    guard text.utf8.elementsEqual(content) else {
      throw MigrationError.invalidPolicy("the account map is not UTF-8")
    }
    if text.trimmed.hasPrefix("[") {
      try self.init(json: text)
    } else {
      try self.init(csv: text)
    }
  }

  private init(json text: String) throws {
    let lines: [Entry]
    do {
      lines = try JSONDecoder().decode([Entry].self, from: Data(text.utf8))
    } catch let error as MigrationError {
      throw error
    } catch {
      throw MigrationError.invalidPolicy(
        "the account map is not a JSON array of objects with text values")
    }
    try self.init(lines)
  }

  private init(csv text: String) throws {
    let records = try CSV.records(of: text)
    guard let header = records.first else {
      throw MigrationError.invalidPolicy("the account map is empty; it needs a header line")
    }
    let columns = header.fields.map { $0.normalized }
    let known = Entry.CodingKeys.allCases.map(\.rawValue)
    for column in columns where !known.contains(column) {
      throw MigrationError.invalidPolicy(
        "line \(header.line): unknown column \"\(column)\"; known are \(known.joined(separator: ", "))"
      )
    }
    for required in ["home_oid", "home_tid"] where !columns.contains(required) {
      throw MigrationError.invalidPolicy("line \(header.line): the column \(required) is missing")
    }
    try self.init(
      numbered: records.dropFirst().map { record in
        let place = "line \(record.line)"
        guard record.fields.count == columns.count else {
          throw MigrationError.invalidPolicy(
            "\(place): \(record.fields.count) fields, but the header has \(columns.count)")
        }
        let fields = record.fields.map(CSV.withoutGuard)
        let values = Dictionary(zip(columns, fields)) { first, _ in first }
        return (
          place,
          Entry(
            homeOID: values["home_oid"] ?? "", homeTID: values["home_tid"] ?? "",
            tid: values["tid"], oid: values["oid"], upn: values["upn"],
            usernameOverride: values["username_override"], environment: values["environment"])
        )
      })
  }
}

extension AccountMap.Entry: Decodable {
  enum CodingKeys: String, CodingKey, CaseIterable {
    case homeOID = "home_oid"
    case homeTID = "home_tid"
    case tid, oid, upn
    case usernameOverride = "username_override"
    case environment
  }

  package init(from decoder: any Decoder) throws {
    try UnknownKeys.refuse(
      in: decoder, known: CodingKeys.allCases.map(\.rawValue), of: "the account map")
    let values = try decoder.container(keyedBy: CodingKeys.self)
    func text(_ key: CodingKeys) throws -> String? {
      try values.decodeIfPresent(String.self, forKey: key)
    }
    self.init(
      homeOID: try text(.homeOID) ?? "", homeTID: try text(.homeTID) ?? "", tid: try text(.tid),
      oid: try text(.oid), upn: try text(.upn), usernameOverride: try text(.usernameOverride),
      environment: try text(.environment))
  }
}
