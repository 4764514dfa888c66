// SPDX-License-Identifier: MIT
import CacheJSON
import MSALCache

extension CheckedPlan {
  /// The account map to fill in for the accounts that are not resolved.
  func accountMapTemplate(showsUserNames: Bool, mask: NameMask) -> String {
    // Environment, name, tid and oid, in the order of the lines.
    var accounts: Set<[String]> = []
    for row in plan.table.rows where row.isConvertible && row.account == nil {
      let object = plan.table.object(of: row)
      guard object != nil || row.userName != .none else { continue }
      let symbols = plan.table.symbols
      accounts.insert(
        [symbols[row.cloud], symbols[row.userName], object?.tid ?? "", object?.oid ?? ""])
    }
    let columns = AccountMap.Entry.CodingKeys.allCases.map(\.rawValue)
    let lines = accounts.ordered { $0.lexicographicallyPrecedes($1) }.map { account in
      let (cloud, name, tid, oid) = (account[0], account[1], account[2], account[3])
      // Entra ID's ids are GUIDs; another one can be a name. The columns are home_oid, home_tid, tid, oid, upn,
      // username_override, environment.
      return CSV.line([
        "", "", showsUserNames || tid.isGUID ? tid : mask.text(tid),
        showsUserNames || oid.isGUID ? oid : mask(oid), showsUserNames ? name : mask(name), "",
        cloud,
      ])
    }
    return CSV.line(columns) + lines.joined()
  }
}
