// SPDX-License-Identifier: MIT
import ADALMigration
import CacheJSON
import KeychainItems
import LookupAnswers
import MSALCache
import MSALLookup
import MigrationReports

/// A file of queries, which a team keeps as a check (contract §7).
struct QueryFile {
  /// An answer and whether it is the one that the query carries.
  struct Answer {
    var operation: String
    var value: JSONValue
    var isFound: Bool
    /// The answers that MSAL may give instead, because set order is undefined.
    var alternatives: [JSONValue]
    /// Whether MSAL may find nothing where it usually finds something, or the other way round (D45).
    var isFoundByChance: Bool
    /// Nil when the query carries none.
    var agrees: Bool?
  }

  /// The clock of the file, in Unix seconds.
  let now: Double?
  /// Whether the reader has instance metadata.
  let knowsClouds: Bool
  private let queries: [(query: LookupQuery, recorded: RecordedAnswer)]

  init(path: String) throws {
    let file: JSONValue = try ReadingOptions.read(path) { bytes in
      do {
        return try JSONValue(bytes)
      } catch {
        throw MigrationError.invalidPolicy("it is not JSON: \(error)")
      }
    }
    let members = file.object ?? [:]
    guard case .array(let queries)? = members["queries"] else {
      throw Failure(.usage, "\(path) has no list \"queries\"")
    }
    now = try Self.now(members["now"], path)
    switch members["metadata"] {
    case nil, .null?, .bool(true)?: knowsClouds = true
    case .bool(false)?: knowsClouds = false
    default: throw Failure(.usage, "\(path): \"metadata\" is neither true nor false")
    }
    self.queries = try queries.enumerated().map { number, value in
      do {
        return (try LookupQuery(value), RecordedAnswer(Self.withoutSecrets(value)))
      } catch let error as Lookup.Failure {
        throw Failure(.usage, "\(path): query \(number + 1): \(error)")
      }
    }
  }

  private static func now(_ value: JSONValue?, _ path: String) throws -> Double? {
    switch value {
    case nil, .null?: return nil
    case .integer(let seconds)?: return Double(seconds)
    case .number(let seconds)?: return seconds
    case .string(let text)?:
      if let instant = (try? Instant(word: text)) { return instant.seconds }
    default: break
    }
    throw Failure(.usage, "\(path): \"now\" is not a time")
  }

  func answers(of lookup: Lookup) -> [Answer] {
    queries.map { query in
      let values = lookup.possibleAnswers(query.query).map {
        $0.json { ("secretSha256", Self.digest($0)) }
      }
      return Answer(
        operation: query.query.operation.rawValue, value: values[0],
        isFound: values[0].object?["found"] == .bool(true),
        alternatives: Array(values.dropFirst()),
        isFoundByChance: values.count > 1
          && values.contains { $0.object?["found"] != .bool(true) },
        agrees: query.recorded.isPresent
          ? values.contains { query.recorded.agrees(with: $0) } : nil)
    }
  }

  private static func digest(_ secret: TokenSecret) -> String { String(secret.digest.prefix(16)) }

  /// The value, with each token of its author replaced as in answers.
  private static func withoutSecrets(_ value: JSONValue) -> JSONValue {
    switch value {
    case .array(let elements): return .array(elements.map(withoutSecrets))
    case .object(var members):
      if case .string(let text)? = members["secret"] {
        members["secret"] = nil
        members["secretSha256"] = .string(digest(TokenSecret(text)))
      }
      return .object(members.mapValues(withoutSecrets))
    default: return value
    }
  }
}

extension [QueryFile.Answer] {
  var json: String {
    let dependent = enumerated().filter { !$0.element.alternatives.isEmpty }.map { number, answer in
      JSONValue.object([
        "query": .integer(number), "alternatives": .array(answer.alternatives),
      ])
    }
    let value = JSONValue.members([
      "version": .integer(1), "answers": .array(map(\.value)),
      "orderDependent": dependent.isEmpty ? nil : .array(dependent),
    ])
    return JSONText.harmless(String(decoding: value.encoded(pretty: true), as: UTF8.self)) + "\n"
  }

  var text: String {
    let differing = filter { $0.agrees == false }.count
    let compared = filter { $0.agrees != nil }.count
    let headline =
      compared == 0
      ? "\(count.counted("query")) answered."
      : "\(compared - differing) of \(compared) answers are as recorded."
    let lines = enumerated().map { number, answer in
      let word =
        switch answer.agrees {
        case nil: ""
        case true?: ", as recorded"
        case false?: ", not as recorded"
        }
      let found = answer.isFound ? "found" : "not found"
      let chance = answer.alternatives.isEmpty ? "" : ", order undefined"
      return "  \(number + 1)  \(answer.operation)  \(found)\(word)\(chance)"
    }
    return ([headline, ""] + lines).joined(separator: "\n") + "\n"
  }
}
