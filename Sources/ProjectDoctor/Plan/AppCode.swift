// SPDX-License-Identifier: MIT
import MigrationReports

/// The lines that move the sign-ins when an app starts, for its app delegate: the migration, the wait for a device
/// that was never unlocked, and what the app saved of ADAL's users.
extension PlannedApp {
  /// Where the lines save the account's identifier.
  static let identifierKey = "MSALAccountIdentifier"

  /// Objective-C and pods take the façade for Objective-C, which Swift can call too.
  private var usesFacade: Bool { podfile != nil || !isSwift }

  /// The module to import, which is the product of the package and the name of the pod.
  var module: String { usesFacade ? "ADALMigrationObjC" : "ADALMigration" }

  var startCode: String {
    let group = group?.asLiteral
    let keychain = ".keychain(\(group.map { "group: \"\($0)\"" } ?? ""))"
    return fenced(
      swift: PackageResources.AppDelegate_swift_template,
      objectiveC: PackageResources.AppDelegate_m_template,
      where: [
        "mac": isMac, "phone": !isMac, "facade": usesFacade, "package": !usesFacade,
        "opens": opensURLs, "saves": !diagnosis.savedUserIDs.isEmpty,
        "forgets": diagnosis.savedUserIDs.isEmpty, "grouped": group != nil, "blob": hasArchive,
      ],
      [
        "application": isMac ? "NSApplication" : "UIApplication",
        "unlocked": "ProtectedDataDidBecomeAvailable\(isMac ? "Notification" : "")",
        "group": group ?? "", "keychain": keychain,
        "source": hasArchive ? ".blob([UInt8](archiveOfADAL))" : keychain,
        "identifierKey": Self.identifierKey, "savedKey": Self.openKey,
      ])
  }

  /// A filled-in `MSALPublicClientApplicationConfig`, in the language of the app.
  var configuration: String {
    let facts = diagnosis.facts
    let client = facts[.clientID].first?.value ?? Self.openClientID
    let authority =
      facts[.authority].first?.value ?? "https://login.microsoftonline.com/common"
    let literal = isSwift ? "" : "@"
    return fenced(
      swift: PackageResources.Application_swift_template,
      objectiveC: PackageResources.Application_m_template,
      where: [
        "open": redirectURI == nil, "grouped": group != nil,
        // The code has authorities that MSAL does not know by itself.
        "known": !diagnosis.counted([.authorityValidationOff, .authorityUnknownHost]).isEmpty,
      ],
      [
        "client": client.asLiteral, "authority": authority.asLiteral,
        "group": group?.asLiteral ?? "",
        "redirect": redirectURI.map { "\(literal)\"\($0.asLiteral)\"" } ?? "nil",
      ])
  }

  /// The lines of a template in the language of the app, as Markdown.
  private func fenced(
    swift: [UInt8], objectiveC: [UInt8], where conditions: [String: Bool],
    _ values: [String: String]
  ) -> String {
    let lines = Template.lines(of: isSwift ? swift : objectiveC, where: conditions, values)
    return MarkdownWords.fenced(isSwift ? "swift" : "objective-c", lines)
  }
}
