// SPDX-License-Identifier: MIT
import CacheJSON
import MSALLookup

extension LookupQuery {
  /// The query that this JSON object spells; null is as good as absent.
  ///
  /// - Throws: ``Lookup.Failure`` naming what is unknown or of the wrong type.
  package init(_ value: JSONValue) throws(Lookup.Failure) {
    guard let members = value.object else {
      throw Lookup.Failure(description: "a query is not an object")
    }
    guard let name = members["op"]?.string, let operation = Operation(rawValue: name) else {
      throw Lookup.Failure(description: "a query has no operation \"op\" that is known")
    }
    self.init(operation)
    for (name, value) in members.sorted(by: { $0.key < $1.key }) where value != .null {
      switch (name, value) {
      case ("op", _), ("answer", _), ("alternatives", _), ("orderDependent", _): break
      case ("clientId", .string(let text)): clientID = text
      case ("scopes", .string(let text)): scopes = text
      case ("authority", .string(let text)): authority = text
      case ("homeAccountId", .string(let text)): homeAccountID = text
      case ("username", .string(let text)): username = text
      case ("familyId", .string(let text)): familyID = text
      case ("realmHint", .string(let text)): realmHint = text
      case ("identifier", .string(let text)): identifier = text
      case ("tenantProfileId", .string(let text)): tenantProfileID = text
      case ("signedInOnly", .bool(let flag)): signedInOnly = flag
      case ("v1", .bool(let flag)): isV1 = flag
      case ("withLegacy", .bool(let flag)): withLegacy = flag
      default:
        throw Lookup.Failure(
          description: "a query has \"\(name)\", which is unknown or not of its type")
      }
    }
  }
}
