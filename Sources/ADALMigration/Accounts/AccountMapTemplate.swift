// SPDX-License-Identifier: MIT
import MSALCache

extension CheckedPlan {
  /// The account map to fill in for the accounts that are not resolved.
  func accountMapTemplate(showsUserNames: Bool, mask: NameMask) -> String {
    struct Person: Hashable, Comparable {
      var tid: String
      var oid: String
      var name: String
      var environment: String

      static func < (a: Person, b: Person) -> Bool {
        (a.environment, a.name, a.tid, a.oid) < (b.environment, b.name, b.tid, b.oid)
      }
    }
    var people: Set<Person> = []
    for resolved in plan.rows
    where resolved.row.isConvertible && resolved.answer.homeAccountID == nil {
      let row = resolved.row
      guard row.object != nil || row.userName != nil else { continue }
      people.insert(
        Person(
          tid: row.object?.tid ?? "", oid: row.object?.oid ?? "", name: row.userName ?? "",
          environment: row.cloud))
    }
    let columns = AccountMap.Entry.CodingKeys.allCases.map(\.rawValue)
    let lines = people.sorted().map { person in
      let name = showsUserNames ? person.name : mask(person.name)
      // Entra ID's object ids are GUIDs; another one can be a name.
      let oid = showsUserNames || person.oid.isGUID ? person.oid : mask(person.oid)
      let tid = showsUserNames || person.tid.isGUID ? person.tid : mask.text(person.tid)
      // home_oid, home_tid, tid, oid, upn, username_override, environment
      return CSV.line(["", "", tid, oid, name, "", person.environment])
    }
    return CSV.line(columns) + lines.joined()
  }
}
