// SPDX-License-Identifier: MIT
import ADALMigration
import MigrationReports
import ProjectFiles

/// A filled-in `MSALPublicClientApplicationConfig`, in the language of the project's files.
struct ApplicationConfiguration {
  private let diagnosis: ProjectDiagnosis

  init(_ diagnosis: ProjectDiagnosis) { self.diagnosis = diagnosis }

  private var isSwift: Bool {
    let files = diagnosis.findings.filter { $0.check.family == "api" }.flatMap(\.places).map(\.file)
    let swift = files.filter { RelativePath.fileExtension(of: $0) == "swift" }.count
    return 2 * swift >= files.count
  }

  private var client: String { literal(diagnosis.facts.clientIDs.first?.value ?? "CLIENT-ID") }
  private var authority: String {
    literal(
      diagnosis.facts.authorities.first?.value ?? "https://login.microsoftonline.com/common")
  }
  private var redirect: String {
    literal("msauth.\(diagnosis.targets.lazy.compactMap(\.bundleID).first ?? "BUNDLE-ID")://auth")
  }
  private var group: String? {
    diagnosis.facts.keychainGroups.first.map { literal($0.value.groupName) }
  }
  /// Whether the code has authorities that MSAL does not know by itself.
  private var namesAuthorities: Bool {
    diagnosis.counted.contains {
      [.authorityValidationOff, .authorityUnknownHost].contains($0.check)
    }
  }

  /// Text inside a literal of code.
  private func literal(_ text: String) -> String {
    PlainText.show(text.maskedAddress).filter { !"\"\\`".contains($0) }
  }

  var lines: [String] {
    MigrationChecklist.fence(isSwift ? "swift" : "objective-c", isSwift ? swift : objectiveC)
  }

  private var swift: [String] {
    var lines = [
      "let authority = try MSALAuthority(url: URL(string: \"\(authority)\")!)",
      "let configuration = MSALPublicClientApplicationConfig(",
      "  clientId: \"\(client)\", redirectUri: \"\(redirect)\", authority: authority)",
    ]
    if namesAuthorities { lines.append("configuration.knownAuthorities = [authority]") }
    if let group {
      lines.append("configuration.cacheConfig.keychainSharingGroup = \"\(group)\"")
    }
    return lines + [
      "let application = try MSALPublicClientApplication(configuration: configuration)"
    ]
  }

  private var objectiveC: [String] {
    var lines = [
      "NSError *error = nil;",
      "MSALAuthority *authority = [MSALAuthority authorityWithURL:"
        + "[NSURL URLWithString:@\"\(authority)\"] error:&error];",
      "MSALPublicClientApplicationConfig *configuration =",
      "    [[MSALPublicClientApplicationConfig alloc] initWithClientId:@\"\(client)\"",
      "                                                    redirectUri:@\"\(redirect)\"",
      "                                                      authority:authority];",
    ]
    if namesAuthorities { lines.append("configuration.knownAuthorities = @[ authority ];") }
    if let group {
      lines.append("configuration.cacheConfig.keychainSharingGroup = @\"\(group)\";")
    }
    return lines + [
      "MSALPublicClientApplication *application =",
      "    [[MSALPublicClientApplication alloc] initWithConfiguration:configuration error:&error];",
    ]
  }
}
