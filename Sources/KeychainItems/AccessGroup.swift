// SPDX-License-Identifier: MIT

package struct AccessGroup: Sendable, Hashable {
  package let name: String

  package init(_ name: String) { self.name = name }

  /// The team ID at the start of the name: ten upper-case letters and digits. Nil if there is none.
  package var teamID: Substring? {
    let start = name.prefix { $0 != "." }
    let isTeamID =
      start.utf8.count == 10 && start.utf8.count < name.utf8.count
      && start.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) }
    return isTeamID ? start : nil
  }

  /// Whether ADAL and MSAL look for items under this name as it is: they put the team id before every other
  /// one, those of App Groups included.
  package var isComplete: Bool { teamID != nil }

  /// The group of the same name of this team.
  package func prefixed(with teamID: some StringProtocol) -> AccessGroup {
    AccessGroup("\(teamID).\(name)")
  }
}
