// SPDX-License-Identifier: MIT

/// The lines that move the sign-ins when an app starts, for its app delegate: the migration, the wait for a device
/// that was never unlocked, and what the app saved of ADAL's users.
extension PlannedApp {
  /// Where the lines save the account's identifier.
  static let identifierKey = "MSALAccountIdentifier"

  /// Objective-C and pods take the façade for Objective-C, which Swift can call too.
  private var usesFacade: Bool { podfile != nil || !isSwift }

  /// The module to import, which is the product of the package and the name of the pod.
  var module: String { usesFacade ? "ADALMigrationObjC" : "ADALMigration" }

  private var application: String { isMac ? "NSApplication" : "UIApplication" }

  var startCode: String {
    fenced(
      isSwift ? swift : objectiveC,
      where: [
        "mac": isMac, "phone": !isMac, "facade": usesFacade, "package": !usesFacade,
        "opens": opensURLs, "saves": !diagnosis.savedUserIDs.isEmpty,
        "forgets": diagnosis.savedUserIDs.isEmpty, "grouped": group != nil, "blob": hasArchive,
      ])
  }

  private var swift: String {
    let group = group?.asLiteral
    let keychain = ".keychain(\(group.map { "group: \"\($0)\"" } ?? ""))"
    let source = hasArchive ? ".blob([UInt8](archiveOfADAL))" : keychain
    return """
      facade|import ADALMigrationObjC
      package|import ADALMigration
      opens|import MSAL
      mac|import AppKit
      phone|import UIKit

      @main
      mac|final class AppDelegate: NSObject, NSApplicationDelegate {
      phone|final class AppDelegate: UIResponder, UIApplicationDelegate {
        private var signInsAreMoved = false

      mac|  func applicationDidFinishLaunching(_ notification: Notification) {
      phone|  func application(
      phone|    _ application: UIApplication,
      phone|    didFinishLaunchingWithOptions options: [UIApplication.LaunchOptionsKey: Any]?
      phone|  ) -> Bool {
          let names = [
            \(application).protectedDataDidBecomeAvailableNotification,
      phone|      // A suspended app misses the unlocking.
      phone|      UIApplication.willEnterForegroundNotification,
          ]
          for name in names {
            let center = NotificationCenter.default
            _ = center.addObserver(forName: name, object: nil, queue: .main) { _ in
              MainActor.assumeIsolated { self.moveSignIns() }
            }
          }
          moveSignIns()
      phone|    return true
        }

      opens|  // The broker's answer.
      opens|  func application(
      opens|    _ application: UIApplication, open url: URL,
      opens|    options: [UIApplication.OpenURLOptionsKey: Any] = [:]
      opens|  ) -> Bool {
      opens|    let sender = options[.sourceApplication] as? String
      opens|    return MSALPublicClientApplication.handleMSALResponse(url, sourceApplication: sender)
      opens|  }
      opens|
        private func moveSignIns() {
          if signInsAreMoved { return }
      package|    Task {
      package|      do {
      package|        let migration = TokenCacheMigration(from: \(source), into: \(keychain))
      package|saves|        replaceSavedUserID(using: try await migration.run())
      package|forgets|        _ = try await migration.run()
      package|      } catch StoreError.locked {
      facade|    let migration = A2MMigration()
      facade|grouped|    migration.accessGroup = "\(group ?? "")"
      facade|blob|    migration.blob = archiveOfADAL
      facade|    migration.run { report, error in
      facade|      if let error, error.domain == A2MMigration.errorDomain,
      facade|        error.code == A2MErrorCode.locked.rawValue
      facade|      {
              // The device is locked, so ADAL's rows cannot be read. A notification calls again:
              // offer no sign-in before that.
              return
      package|      } catch {
      package|        // No row of ADAL's changed. A user whose sign-in is not moved signs in once.
      package|      }
      package|      signInsMoved()
      facade|      }
      facade|      // No row of ADAL's changed. A user whose sign-in is not moved signs in once.
      facade|saves|      self.replaceSavedUserID(using: report)
      facade|      self.signInsMoved()
          }
        }

        private func signInsMoved() {
          if signInsAreMoved { return }
          signInsAreMoved = true
          startMSAL()  // makes the MSALPublicClientApplication and shows the first screen
        }
      saves|
      saves|package|  private func replaceSavedUserID(using report: TokenCacheMigration.Report) {
      saves|facade|  private func replaceSavedUserID(using report: A2MReport?) {
      saves|    let defaults = UserDefaults.standard
      saves|    // Later starts keep what the app has saved since then.
      saves|    if defaults.string(forKey: "\(Self.identifierKey)") != nil { return }
      saves|package|    guard let saved = defaults.string(forKey: "\(Self.openKey)") else { return }
      saves|facade|    // Compares names in any case, as ADAL and MSAL do.
      saves|facade|    let saved = defaults.string(forKey: "\(Self.openKey)")
      saves|    // MSAL knows no identifier yet of an account that it finds by name only.
      saves|package|    guard let identifier = report.account(forADALUserID: saved)?.identifier else { return }
      saves|facade|    guard let identifier = report?.account(forADALUserID: saved)?.identifier else { return }
      saves|    defaults.set(identifier, forKey: "\(Self.identifierKey)")
      saves|  }
      }
      """
  }

  private var objectiveC: String {
    let unlocked = "ProtectedDataDidBecomeAvailable\(isMac ? "Notification" : "")"
    return """
      @import ADALMigrationObjC;
      opens|#import <MSAL/MSAL.h>

      @interface AppDelegate ()
      @property (nonatomic) BOOL signInsAreMoved;
      @end

      @implementation AppDelegate

      mac|- (void)applicationDidFinishLaunching:(NSNotification *)notification {
      phone|- (BOOL)application:(UIApplication *)application
      phone|    didFinishLaunchingWithOptions:(NSDictionary *)launchOptions {
        [NSNotificationCenter.defaultCenter addObserver:self
                                               selector:@selector(moveSignIns)
                                                   name:\(application)\(unlocked)
                                                 object:nil];
      phone|  // A suspended app misses the unlocking.
      phone|  [NSNotificationCenter.defaultCenter addObserver:self
      phone|                                         selector:@selector(moveSignIns)
      phone|                                             name:UIApplicationWillEnterForegroundNotification
      phone|                                           object:nil];
        [self moveSignIns];
      phone|  return YES;
      }

      opens|// The broker's answer.
      opens|- (BOOL)application:(UIApplication *)application
      opens|            openURL:(NSURL *)url
      opens|            options:(NSDictionary *)options {
      opens|  NSString *sender = options[UIApplicationOpenURLOptionsSourceApplicationKey];
      opens|  return [MSALPublicClientApplication handleMSALResponse:url sourceApplication:sender];
      opens|}
      opens|
      - (void)moveSignIns {
        if (self.signInsAreMoved) return;
        A2MMigration *migration = [A2MMigration new];
      grouped|  migration.accessGroup = @"\(group?.asLiteral ?? "")";
      blob|  migration.blob = archiveOfADAL;
        [migration runWithCompletion:^(A2MReport *report, NSError *error) {
          BOOL isOurs = [error.domain isEqualToString:A2MMigration.errorDomain];
          if (isOurs && error.code == A2MErrorCodeLocked) {
            // The device is locked, so ADAL's rows cannot be read. A notification calls again:
            // offer no sign-in before that.
            return;
          }
          if (self.signInsAreMoved) return;
          // No row of ADAL's changed. A user whose sign-in is not moved signs in once.
      saves|    [self replaceSavedUserIDUsing:report];
          self.signInsAreMoved = YES;
          [self startMSAL];  // makes the MSALPublicClientApplication and shows the first screen
        }];
      }
      saves|
      saves|- (void)replaceSavedUserIDUsing:(A2MReport *)report {
      saves|  NSUserDefaults *defaults = NSUserDefaults.standardUserDefaults;
      saves|  // Later starts keep what the app has saved since then.
      saves|  if ([defaults stringForKey:@"\(Self.identifierKey)"] != nil) return;
      saves|  // Compares names in any case, as ADAL and MSAL do.
      saves|  A2MAccount *account = [report accountForADALUserID:[defaults stringForKey:@"\(Self.openKey)"]];
      saves|  // MSAL knows no identifier yet of an account that it finds by name only.
      saves|  if (account.identifier == nil) return;
      saves|  [defaults setObject:account.identifier forKey:@"\(Self.identifierKey)"];
      saves|}

      @end
      """
  }
}
