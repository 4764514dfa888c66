// SPDX-License-Identifier: MIT
import ADALMigration
import MSALCache

extension Inspection {
  /// An account map to fill in, as CSV, with one line for every account without a home account ID.
  ///
  /// The home columns are empty, and the others have the known values (mapping-rules §2.6).
  ///
  /// - Parameters:
  ///   - showsUserNames: whether the column `upn` has real names. Otherwise they are masked as in reports, and
  ///     you must complete a line that has no other key.
  ///   - mask: the mask of user names.
  package func accountMapTemplate(showsUserNames: Bool, mask: NameMask = .msal) -> String {
    let columns = AccountMap.Entry.CodingKeys.allCases.map(\.rawValue)
    let lines = unresolvedUsers.map { user in
      let (cloud, name, tid, oid) = (user[0], user[1], user[2], user[3])
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
