// SPDX-License-Identifier: MIT
import ADALMigration
import MigrationReports

/// A filled-in `MSALPublicClientApplicationConfig`, in the language of the app.
struct ApplicationConfiguration {
  let diagnosis: ProjectDiagnosis
  let app: PlannedApp

  /// What stands for a client id that is not known.
  static let openClientID = "CLIENT-ID"

  private var client: String {
    (diagnosis.facts.clientIDs.first?.value ?? Self.openClientID).asLiteral
  }
  private var authority: String {
    (diagnosis.facts.authorities.first?.value ?? "https://login.microsoftonline.com/common")
      .asLiteral
  }
  private var redirect: String? { app.redirectURI?.asLiteral }
  private var group: String? { app.group(diagnosis.facts)?.asLiteral }
  /// Whether the code has authorities that MSAL does not know by itself.
  private var namesAuthorities: Bool {
    diagnosis.counted.contains {
      [.authorityValidationOff, .authorityUnknownHost].contains($0.check)
    }
  }

  var fenced: String {
    MarkdownWords.fenced(app.language.rawValue, app.language == .swift ? swift : objectiveC)
  }

  private static let chosenByMSAL = "// nil: MSAL makes the redirect URI of each app's bundle id."

  private var swift: [String] {
    var lines = [
      "import MSAL", "", "func makeApplication() throws -> MSALPublicClientApplication {",
      "  let authority = try MSALAADAuthority(url: URL(string: \"\(authority)\")!)",
    ]
    if redirect == nil { lines.append("  \(Self.chosenByMSAL)") }
    lines += [
      "  let configuration = MSALPublicClientApplicationConfig(",
      "    clientId: \"\(client)\",",
      "    redirectUri: \(redirect.map { "\"\($0)\"" } ?? "nil"), authority: authority)",
    ]
    if namesAuthorities { lines.append("  configuration.knownAuthorities = [authority]") }
    if let group {
      lines.append("  configuration.cacheConfig.keychainSharingGroup = \"\(group)\"")
    }
    return lines + [
      "  return try MSALPublicClientApplication(configuration: configuration)", "}",
    ]
  }

  private var objectiveC: [String] {
    var lines = [
      "#import <MSAL/MSAL.h>", "",
      "static MSALPublicClientApplication *MakeApplication(NSError **error) {",
      "  NSURL *url = [NSURL URLWithString:@\"\(authority)\"];",
      "  MSALAADAuthority *authority = [[MSALAADAuthority alloc] initWithURL:url error:error];",
      "  if (authority == nil) return nil;",
    ]
    if redirect == nil { lines.append("  \(Self.chosenByMSAL)") }
    lines += [
      "  MSALPublicClientApplicationConfig *configuration = [[MSALPublicClientApplicationConfig alloc]",
      "      initWithClientId:@\"\(client)\"",
      "           redirectUri:\(redirect.map { "@\"\($0)\"" } ?? "nil")",
      "             authority:authority];",
    ]
    if namesAuthorities { lines.append("  configuration.knownAuthorities = @[ authority ];") }
    if let group {
      lines.append("  configuration.cacheConfig.keychainSharingGroup = @\"\(group)\";")
    }
    return lines + [
      "  return [[MSALPublicClientApplication alloc] initWithConfiguration:configuration error:error];",
      "}",
    ]
  }
}

extension String {
  /// Text inside a literal of code, which it cannot end.
  var asLiteral: String {
    PlainText.show(maskedAddress).filter { !"\"\\`".contains($0) }
  }
}
