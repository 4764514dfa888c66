// SPDX-License-Identifier: MIT
import MigrationReports

/// The lines that move the sign-ins when an app starts, for its app delegate: the migration, the wait for a device
/// that was never unlocked, and what the app saved of ADAL's users.
struct AppStartCode {
  let app: PlannedApp
  /// The keychain group, where it is not the one that both libraries use by default.
  let group: String?
  /// Whether the app keeps ADAL's archive itself, as on macOS.
  let hasArchive: Bool
  /// Whether the app saves a user id of ADAL's.
  let savesUserID: Bool
  /// Whether the delegate has to hand the broker's answer to MSAL.
  let opensURLs: Bool

  /// What stands for the key that the app saves a user id under.
  static let openKey = "USER-ID-KEY"
  /// Where the lines save the account's identifier.
  static let identifierKey = "MSALAccountIdentifier"

  var fenced: String {
    MarkdownWords.fenced(app.language.rawValue, lines)
  }

  /// Objective-C and pods take the façade for Objective-C, which Swift can call too.
  private var usesFacade: Bool { app.podfile != nil || app.language == .objectiveC }

  /// The module to import, which is the product of the package and the name of the pod.
  var module: String { usesFacade ? "ADALMigrationObjC" : "ADALMigration" }

  private var lines: [String] {
    switch app.language {
    case .objectiveC: objectiveC
    case .swift: swift
    }
  }

  private static let locked = [
    "// The device is locked, so ADAL's rows cannot be read. A notification calls again:",
    "// offer no sign-in before that.",
  ]
  private static let failed = [
    "// No row of ADAL's changed. A user whose sign-in is not moved signs in once."
  ]
  private static let start = "makes the MSALPublicClientApplication and shows the first screen"

  // Swift

  private var swift: [String] {
    let kit = app.isMac ? "AppKit" : "UIKit"
    let type = app.isMac ? "NSApplication" : "UIApplication"
    let launch =
      app.isMac
      ? ["  func applicationDidFinishLaunching(_ notification: Notification) {"]
      : [
        "  func application(", "    _ application: UIApplication,",
        "    didFinishLaunchingWithOptions options: [UIApplication.LaunchOptionsKey: Any]?",
        "  ) -> Bool {",
      ]
    let declaration =
      app.isMac
      ? "final class AppDelegate: NSObject, NSApplicationDelegate {"
      : "final class AppDelegate: UIResponder, UIApplicationDelegate {"
    return ["import \(module)"] + (opensURLs ? ["import MSAL"] : [])
      + ["import \(kit)", "", "@main", declaration]
      + ["  private var signInsAreMoved = false", ""] + launch + [
        "    let names = [", "      \(type).protectedDataDidBecomeAvailableNotification,",
      ]
      + (app.isMac
        ? []
        : [
          "      // A suspended app misses the unlocking.",
          "      UIApplication.willEnterForegroundNotification,",
        ]) + [
        "    ]", "    for name in names {",
        "      let center = NotificationCenter.default",
        "      _ = center.addObserver(forName: name, object: nil, queue: .main) { _ in",
        "        MainActor.assumeIsolated { self.moveSignIns() }", "      }", "    }",
        "    moveSignIns()",
      ] + (app.isMac ? [] : ["    return true"])
      + ["  }", ""] + (opensURLs ? Self.openedInSwift : [])
      + ["  private func moveSignIns() {", "    if signInsAreMoved { return }"]
      + (usesFacade ? swiftWithFacade : swiftWithPackage)
      + ["  }", "", "  private func signInsMoved() {", "    if signInsAreMoved { return }"]
      + ["    signInsAreMoved = true", "    startMSAL()  // \(Self.start)", "  }"]
      + (savesUserID ? [""] + (usesFacade ? savedWithFacade : savedWithPackage) : []) + ["}"]
  }

  private static let openedInSwift = [
    "  // The broker's answer.", "  func application(",
    "    _ application: UIApplication, open url: URL,",
    "    options: [UIApplication.OpenURLOptionsKey: Any] = [:]", "  ) -> Bool {",
    "    let sender = options[.sourceApplication] as? String",
    "    return MSALPublicClientApplication.handleMSALResponse(url, sourceApplication: sender)",
    "  }", "",
  ]

  private var swiftWithPackage: [String] {
    let named = group.map { "group: \"\($0.asLiteral)\"" } ?? ""
    let source = hasArchive ? ".blob([UInt8](archiveOfADAL))" : ".keychain(\(named))"
    return [
      "    Task {", "      do {",
      "        let migration = TokenCacheMigration(from: \(source), into: .keychain(\(named)))",
      savesUserID
        ? "        replaceSavedUserID(using: try await migration.run())"
        : "        _ = try await migration.run()",
      "      } catch StoreError.locked {",
    ] + Self.locked.map { "        \($0)" } + ["        return", "      } catch {"]
      + Self.failed.map { "        \($0)" } + ["      }", "      signInsMoved()", "    }"]
  }

  private var swiftWithFacade: [String] {
    ["    let migration = A2MMigration()"] + settings("    ", end: "", text: { "\"\($0)\"" }) + [
      "    migration.run { report, error in",
      "      if let error, error.domain == A2MMigration.errorDomain,",
      "        error.code == A2MErrorCode.locked.rawValue", "      {",
    ] + Self.locked.map { "        \($0)" } + ["        return", "      }"]
      + Self.failed.map { "      \($0)" }
      + (savesUserID ? ["      self.replaceSavedUserID(using: report)"] : [])
      + ["      self.signInsMoved()", "    }"]
  }

  private static let later = "// Later starts keep what the app has saved since then."

  private static let keepsIdentifier = [
    "    \(later)", "    if defaults.string(forKey: \"\(identifierKey)\") != nil { return }",
  ]

  private var savedWithPackage: [String] {
    [
      "  private func replaceSavedUserID(using report: TokenCacheMigration.Report) {",
      "    let defaults = UserDefaults.standard",
    ] + Self.keepsIdentifier + [
      "    guard let saved = defaults.string(forKey: \"\(Self.openKey)\") else { return }",
      "    // MSAL knows no identifier yet of an account that it finds by name only.",
      "    guard let identifier = report.account(forADALUserID: saved)?.identifier else { return }",
      "    defaults.set(identifier, forKey: \"\(Self.identifierKey)\")", "  }",
    ]
  }

  private var savedWithFacade: [String] {
    [
      "  private func replaceSavedUserID(using report: A2MReport?) {",
      "    let defaults = UserDefaults.standard",
    ] + Self.keepsIdentifier + [
      "    // Compares names in any case, as ADAL and MSAL do.",
      "    let saved = defaults.string(forKey: \"\(Self.openKey)\")",
      "    // MSAL knows no identifier yet of an account that it finds by name only.",
      "    guard let identifier = report?.account(forADALUserID: saved)?.identifier else { return }",
      "    defaults.set(identifier, forKey: \"\(Self.identifierKey)\")", "  }",
    ]
  }

  private func settings(
    _ indent: String, end: String, text: (String) -> String
  ) -> [String] {
    (group.map { ["\(indent)migration.accessGroup = \(text($0.asLiteral))\(end)"] } ?? [])
      + (hasArchive ? ["\(indent)migration.blob = archiveOfADAL\(end)"] : [])
  }

  // Objective-C

  private var objectiveC: [String] {
    let type = app.isMac ? "NSApplication" : "UIApplication"
    let launch =
      app.isMac
      ? ["- (void)applicationDidFinishLaunching:(NSNotification *)notification {"]
      : [
        "- (BOOL)application:(UIApplication *)application",
        "    didFinishLaunchingWithOptions:(NSDictionary *)launchOptions {",
      ]
    return [
      "@import ADALMigrationObjC;"
    ] + (opensURLs ? ["#import <MSAL/MSAL.h>"] : []) + [
      "", "@interface AppDelegate ()",
      "@property (nonatomic) BOOL signInsAreMoved;", "@end", "", "@implementation AppDelegate", "",
    ] + launch
      + observer("\(type)ProtectedDataDidBecomeAvailable\(app.isMac ? "Notification" : "")")
      + (app.isMac
        ? []
        : ["  // A suspended app misses the unlocking."]
          + observer("UIApplicationWillEnterForegroundNotification"))
      + ["  [self moveSignIns];"] + (app.isMac ? [] : ["  return YES;"]) + [
        "}", "",
      ] + (opensURLs ? Self.openedInObjectiveC : []) + [
        "- (void)moveSignIns {", "  if (self.signInsAreMoved) return;",
        "  A2MMigration *migration = [A2MMigration new];",
      ] + settings("  ", end: ";", text: { "@\"\($0)\"" }) + [
        "  [migration runWithCompletion:^(A2MReport *report, NSError *error) {",
        "    BOOL isOurs = [error.domain isEqualToString:A2MMigration.errorDomain];",
        "    if (isOurs && error.code == A2MErrorCodeLocked) {",
      ] + Self.locked.map { "      \($0)" } + [
        "      return;", "    }", "    if (self.signInsAreMoved) return;",
      ]
      + Self.failed.map { "    \($0)" }
      + (savesUserID ? ["    [self replaceSavedUserIDUsing:report];"] : []) + [
        "    self.signInsAreMoved = YES;", "    [self startMSAL];  // \(Self.start)", "  }];", "}",
      ] + (savesUserID ? savedInObjectiveC : []) + ["", "@end"]
  }

  private func observer(_ name: String) -> [String] {
    [
      "  [NSNotificationCenter.defaultCenter addObserver:self",
      "                                         selector:@selector(moveSignIns)",
      "                                             name:\(name)",
      "                                           object:nil];",
    ]
  }

  private static let openedInObjectiveC = [
    "// The broker's answer.", "- (BOOL)application:(UIApplication *)application",
    "            openURL:(NSURL *)url", "            options:(NSDictionary *)options {",
    "  NSString *sender = options[UIApplicationOpenURLOptionsSourceApplicationKey];",
    "  return [MSALPublicClientApplication handleMSALResponse:url sourceApplication:sender];", "}",
    "",
  ]

  private var savedInObjectiveC: [String] {
    [
      "", "- (void)replaceSavedUserIDUsing:(A2MReport *)report {",
      "  NSUserDefaults *defaults = NSUserDefaults.standardUserDefaults;", "  \(Self.later)",
      "  if ([defaults stringForKey:@\"\(Self.identifierKey)\"] != nil) return;",
      "  // Compares names in any case, as ADAL and MSAL do.",
      "  A2MAccount *account = [report accountForADALUserID:[defaults stringForKey:@\"\(Self.openKey)\"]];",
      "  // MSAL knows no identifier yet of an account that it finds by name only.",
      "  if (account.identifier == nil) return;",
      "  [defaults setObject:account.identifier forKey:@\"\(Self.identifierKey)\"];", "}",
    ]
  }
}
