// SPDX-License-Identifier: MIT
import MigrationReports

/// ADAL's public names with their replacements, from ADALNames.md (specification, tables 6.1 to 6.3). It is a closed
/// list and never a prefix, because apps and other libraries have names with the same beginning.
enum ADALNames {
  /// The rule for a name, and its replacement.
  struct Counterpart {
    /// The receiver that a member needs to be ADAL's; nil if the name alone tells.
    enum Owner: String { case user, context, item }

    let owner: Owner?
    let check: Check
    let severity: Severity?
    let becomes: String?

    /// The rule and the words for a name; nil without a rule.
    fileprivate init?(_ row: [String: String], _ check: Check? = nil) {
      guard let check = check ?? row["rule"].flatMap(Check.init) else { return nil }
      self.check = check
      owner = row["of"].flatMap(Owner.init)
      severity = row["severity"].flatMap(Severity.init)
      becomes = row["becomes"]
    }
  }

  /// The rows of each table, by its heading.
  static let tables = MarkdownTables(PackageResources.ADALNames_md)

  static let types = tables["Types"].reduce(into: [String: String]()) { types, row in
    for name in words(row) {
      let isOld = name.hasPrefix("AD")
      for start in isOld ? [""] : ["AD", "ADAL"] { types[start + name] = row["becomes"] }
    }
  }

  private static let newTypes = Set(
    types.keys.filter { $0.hasPrefix("ADAL") && types["AD" + $0.dropFirst(4)] != nil })

  static let constants = counterparts("Constants")
    .merging(counterparts("Error codes", of: .errorCode, after: "AD_ERROR_")) { $1 }

  static let members = counterparts("Members")

  static let cacheCalls = counterparts("Calls of a token cache")

  private static func words(_ row: [String: String]) -> [String] {
    (row["names"] ?? "").split(separator: " ").map(String.init)
  }

  private static func counterparts(
    _ heading: String, of check: Check? = nil, after start: String = ""
  ) -> [String: Counterpart] {
    tables[heading].reduce(into: [:]) { all, row in
      for name in words(row) { all[start + name] = Counterpart(row, check) }
    }
  }

  /// The replacement of an error code as Swift names it: `ERROR_SERVER_OAUTH`.
  static func error(_ name: String) -> String? {
    let code = name.hasPrefix("ERROR_") ? "AD_" + name : name
    let known = constants[code].flatMap { $0.check == .errorCode ? $0.becomes : nil }
    return known ?? constants["AD_ERROR_UNEXPECTED"]?.becomes
  }

  /// Names of the public headers that are no names of types.
  private static let otherHeaders: Set<String> = [
    "ADAL", "ADALiOS", "ADErrorCodes", "ADALErrorCodes",
  ]
  private static let internalHeaders: Set<String> = [
    "ADAL_Internal.h", "ADKeychainUtil.h", "ADWorkPlaceJoinUtil.h",
    "ADRegistrationInformation.h", "ADEnrollmentGateway.h",
  ]

  /// The rule for an import with this path, or nil where that is not ADAL's.
  static func check(ofHeader path: String) -> Check? {
    let parts = path.split(separator: "/")
    guard let name = parts.last.map(String.init) else { return nil }
    let stem = name.hasSuffix(".h") ? String(name.dropLast(2)) : name
    if stem == "ADALDependencyResolver" { return .sdkWithADAL }
    let isPrivate = stem.hasSuffix("+Internal") && types[String(stem.dropLast(9))] != nil
    if isPrivate || internalHeaders.contains(name) { return .importInternal }
    let isInFolder = parts.count > 1 && ["adal", "adalios"].contains(parts[0].lowercased())
    return isInFolder || types[stem] != nil || otherHeaders.contains(stem) ? .importADAL : nil
  }

  static let modules: Set<String> = ["ADAL", "ADALiOS"]

  /// The spelling of 1.x to 5.x: `ADTokenCacheItem` for `ADALTokenCacheItem`.
  static func canonical(_ name: String) -> String {
    newTypes.contains(name) ? "AD" + name.dropFirst(4) : name
  }

  static func version(of name: String) -> String? {
    if newTypes.contains(name) { return "6" }
    return ["ADTokenCacheStoreItem", "ADTokenCacheStoring"].contains(name) ? "1" : nil
  }
}

/// A library as projects refer to it.
struct LibraryNames {
  let binaries: Set<String>
  let pods: Set<String>
  /// Names of its repositories and of forks of them, in lower case.
  let repositories: [String]

  static let adal = LibraryNames(
    binaries: ["ADAL.framework", "libADAL.a", "ADALiOS.framework", "libADALiOS.a"],
    pods: ["ADAL", "ADALiOS"],
    repositories: [
      "azure-activedirectory-library-for-objc", "azure-activedirectory-library-for-ios",
    ])
  static let msal = LibraryNames(
    binaries: ["MSAL.framework", "MSAL.xcframework", "libMSAL.a"], pods: ["MSAL"],
    repositories: ["microsoft-authentication-library-for-objc"])

  /// Whether a pod is the library or a part of it.
  func hasPod(_ name: String) -> Bool { pods.contains(String(name.prefix { $0 != "/" })) }

  func hasRepository(_ url: String) -> Bool {
    let url = url.lowercased()
    return repositories.contains(where: url.contains)
  }
}
