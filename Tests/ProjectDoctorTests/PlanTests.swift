// SPDX-License-Identifier: MIT
import Foundation
import ProjectFiles
import Testing

@testable import ProjectDoctor

/// Plans that somebody follows to the letter.
@Suite struct PlanTests {
  private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  /// An app in Objective-C without a Podfile, whose client id is a variable and whose group is its own.
  static let objectiveC = SampleProject.signingIn {
    $0.settings = [
      "SDKROOT = iphoneos;", "INFOPLIST_FILE = App/Info.plist;",
      "CODE_SIGN_ENTITLEMENTS = App/App.entitlements;", "IPHONEOS_DEPLOYMENT_TARGET = 15.0;",
      "PRODUCT_NAME = \"$(TARGET_NAME)\";",
      "PRODUCT_BUNDLE_IDENTIFIER = \"com.contoso.$(PRODUCT_NAME:rfc1034identifier)\";",
    ]
    $0.info = SampleProject.info(schemes: ["contoso"], queries: ["msauthv2"])
    $0.more["App/SignIn.m"] = """
      #import <ADAL/ADAL.h>
      [[ADAuthenticationSettings sharedInstance] setDefaultKeychainGroup:@"com.contoso.shared"];
      [context acquireTokenWithResource:@"https://graph.microsoft.com" clientId:CLIENT
        redirectUri:[NSURL URLWithString:@"contoso://com.contoso.App"] userId:user];
      """
  }

  /// An app in Swift with packages, which saves a user id and has the scheme already.
  static let swift = SampleProject.signingIn {
    $0.settings = [
      "SDKROOT = iphoneos;", "INFOPLIST_FILE = App/Info.plist;",
      "CODE_SIGN_ENTITLEMENTS = App/App.entitlements;", "IPHONEOS_DEPLOYMENT_TARGET = 17.0;",
      "PRODUCT_BUNDLE_IDENTIFIER = com.contoso.app;",
    ]
    $0.info = SampleProject.info(schemes: ["msauth.$(PRODUCT_BUNDLE_IDENTIFIER)"])
    $0.sources = ["App/AppDelegate.swift"]
    $0.delegate = ""
    $0.more["App/AppDelegate.swift"] = """
      import ADAL
      class AppDelegate: UIResponder, UIApplicationDelegate {
        func a() {
          UserDefaults.standard.set(result.tokenCacheItem.userInformation?.userId, forKey: "user")
          context.acquireToken(withResource: "https://graph.microsoft.com/",
            clientId: "aaaaaaaa-bbbb-cccc-dddd-eeeeeeeeeeee", redirectUri: nil)
        }
      }
      """
  }

  private static func legacyApp() -> ProjectDiagnosis {
    let disk = DiskFolder(path: root.appendingPathComponent("Samples/LegacyApp").path)
    return Doctor.ofTests.diagnose("LegacyApp", ProjectFolder(disk), disk)
  }

  @Test(arguments: ["legacy-app", "objective-c", "swift"]) func plansAreAsRecorded(
    _ name: String
  ) throws {
    let diagnosis =
      switch name {
      case "legacy-app": Self.legacyApp()
      case "objective-c": Doctor.ofTests.diagnose(Self.objectiveC)
      default: Doctor.ofTests.diagnose(Self.swift)
      }
    let plan = MigrationChecklist(diagnosis)
    let file = Self.root.appendingPathComponent("Tests/Goldens/plans/\(name).txt")
    if ProcessInfo.processInfo.environment["RECORD_GOLDENS"] != nil {
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try plan.text.write(to: file, atomically: true, encoding: .utf8)
    }
    #expect(try plan.text == String(contentsOf: file, encoding: .utf8))
    let reading = PlanReading(plan.text)
    #expect(reading.contradictions(diagnosis) == [])
    #expect(plan.steps == reading.steps.count && plan.steps > 10)
  }

  @Test func theFollowerCanFail() throws {
    let diagnosis = Self.legacyApp()
    let text = MigrationChecklist(diagnosis).text
    func broken(_ old: String, _ new: String) -> [String] {
      let other = text.replacingOccurrences(of: old, with: new)
      #expect(other != text, "\(old)")
      return PlanReading(other).contradictions(diagnosis)
    }
    #expect(
      broken("<string>msauth.com", "<string>msauth.org") == ["no scheme of com.contoso.legacy"])
    #expect(broken("msauthv3", "msauth") == ["no query schemes of LegacyApp"])
    #expect(!broken("redirectUri: \"msauth.com", "redirectUri: \"msauth.org").isEmpty)
    #expect(!broken("<string>$(AppIdentifierPrefix)com.microsoft", "<string>com.ms").isEmpty)
    #expect(!broken("pod 'ADALMigrationObjC'", "pod 'Other'").isEmpty)
    #expect(!broken("pod 'MSAL'", "pod 'ADAL'").isEmpty)
    #expect(!broken("`USER-ID-KEY`", "`KEY`").isEmpty)
    #expect(!broken("import ADALMigrationObjC", "import MSAL").isEmpty)
  }

  @Test func theSchemeOfTheRedirectURIIsAlwaysThere() {
    // The old URI is one that MSAL accepts, and its scheme is registered: the new one is not yet.
    let plan = MigrationChecklist(Self.legacyApp()).text
    #expect(plan.contains("<string>msauth.com.contoso.legacy</string>"))
    #expect(plan.contains("- [ ] Add the redirect URI `msauth.com.contoso.legacy://auth`"))
    #expect(plan.contains("Keep the redirect URI `legacyapp://com.contoso.legacy`"))
  }

  @Test func nothingUnexpandedLooksReal() throws {
    let diagnosis = Doctor.ofTests.diagnose(Self.objectiveC)
    #expect(diagnosis.targets.map(\.bundleIDs) == [["com.contoso.App"]])
    var open = SampleProject()
    open.settings[4] = "PRODUCT_BUNDLE_IDENTIFIER = \"com.$(COMPANY:rfc1034identifier).app\";"
    open.info = SampleProject.info(schemes: [], queries: [])
    open.more["App/SignIn.m"] = "#import <ADAL/ADAL.h>\n"
    let other = Doctor.ofTests.diagnose(open.files)
    #expect(other.targets.map(\.bundleID) == [nil])
    let plan = PlanReading(MigrationChecklist(other).text)
    #expect(plan.schemes == ["msauth.BUNDLE-ID"])
    #expect(plan.redirectURIs == ["msauth.BUNDLE-ID://auth"])
    #expect(plan.toFillIn == ["BUNDLE-ID", "CLIENT-ID"])
    // A client id that is a variable is no reason for nothing to register.
    #expect(plan.steps.contains("Keep the registration `CLIENT-ID`"))
    #expect(plan.contradictions(other) == [])
  }

  @Test func eachConfigurationHasItsBundleID() {
    var project = SampleProject()
    project.settings[4] = "PRODUCT_BUNDLE_IDENTIFIER = com.contoso.app.debug;"
    project.info = SampleProject.info(schemes: [])
    project.more["App/SignIn.m"] = "#import <ADAL/ADAL.h>\n"
    var files = project.files
    files["App.xcodeproj/project.pbxproj"] = project.pbxproj
      .replacingOccurrences(
        of: "buildConfigurations = (C1);", with: "buildConfigurations = (C1, C3);"
      )
      .replacingOccurrences(
        of: "C2 = ",
        with: """
          C3 = {isa = XCBuildConfiguration; name = Release; buildSettings = {
          SDKROOT = iphoneos; INFOPLIST_FILE = App/Info.plist;
          PRODUCT_BUNDLE_IDENTIFIER = com.contoso.app; }; };
          C2 =
          """ + " ")
    let diagnosis = Doctor.ofTests.diagnose(files)
    #expect(diagnosis.targets.map(\.bundleIDs) == [["com.contoso.app.debug", "com.contoso.app"]])
    let plan = PlanReading(MigrationChecklist(diagnosis).text)
    #expect(plan.schemes == ["msauth.com.contoso.app.debug", "msauth.com.contoso.app"])
    #expect(plan.redirectURIs == [""])
    #expect(plan.contradictions(diagnosis) == [])
  }

  @Test func versionsArePinnedToWhatTheDeploymentTargetAllows() {
    var doctor = Doctor.ofTests
    #expect(
      MigrationChecklist(doctor.diagnose(Self.swift)).text.contains(
        ".upToNextMinor(from: \"2.14.0\")"))
    let plan = MigrationChecklist(doctor.diagnose(Self.objectiveC)).text
    #expect(plan.contains("An app that stays on iOS 15.0 takes MSAL 2.0.0"))
    doctor.msal = MSALRelease("2.0") ?? .newest
    let older = MigrationChecklist(doctor.diagnose(Self.objectiveC)).text
    #expect(older.contains(".upToNextMinor(from: \"2.0.0\")"))
    #expect(!older.contains("stays on"))
    #expect(MSALRelease.newest(onIOS: "13.7")?.version == "1.2.5")
    #expect(MSALRelease.newest(onIOS: "9.0") == nil)
    // The library needs a newer macOS than MSAL does.
    var mac = SampleProject()
    mac.settings = ["SDKROOT = macosx;", "MACOSX_DEPLOYMENT_TARGET = 11.0;"]
    mac.more["App/SignIn.m"] = "#import <ADAL/ADAL.h>\n"
    #expect(
      MigrationChecklist(doctor.diagnose(mac.files)).text
        .contains("Raise the deployment target of `App` to macOS 12.0, which adal2msal needs"))
  }

  @Test func aProjectWithoutADALHasNothingToMigrate() {
    let plan = MigrationChecklist(Doctor.ofTests.diagnose(["a.m": "int a;"]))
    #expect(
      plan.text == "# From ADAL to MSAL: what to do\n\nNo trace of ADAL or MSAL in this folder.\n")
    #expect(plan.steps == 0)
  }

  @Test func nothingIsSaidTwiceOrLeftOut() {
    var project = SampleProject()
    project.entitlements = nil
    project.settings.remove(at: 2)
    project.delegate = "@interface AppDelegate : UIResponder <UIApplicationDelegate>\n@end"
    project.more["App/SignIn.m"] = """
      #import <ADAL/ADAL.h>
      c = [ADAuthenticationContext authenticationContextWithAuthority:a error:&e];
      NSString *r = item.refreshToken;
      [c acquireTokenByRefreshToken:r clientId:i];
      [[NSHTTPCookieStorage sharedHTTPCookieStorage] deleteCookie:k];
      """
    var diagnosis = Doctor.ofTests.diagnose(project.files)
    let plan = PlanReading(MigrationChecklist(diagnosis).text)
    #expect(Set(plan.steps).count == plan.steps.count)
    let rows = plan.text.split(separator: "\n").filter { $0.hasPrefix("| [") }
    #expect(Set(rows).count == rows.count)
    #expect(rows.count { $0.contains("SignIn.m:2`") } == 1)
    #expect(plan.steps.contains { $0.hasPrefix("Signing out deletes cookies") })
    // Items without a group stay in the app's own one.
    let list = plan.blocks.first { $0.text.contains("keychain-access-groups") }?.text
    let own = list?.range(of: "com.contoso.app<")?.lowerBound
    let shared = list?.range(of: "com.microsoft.adalcache<")?.lowerBound
    #expect(own.flatMap { own in shared.map { own < $0 } } == true)
    // The lines for the delegate handle the broker's answer; what is left to write has a name.
    #expect(plan.blocks.contains { $0.text.contains("handleMSALResponse:url") })
    #expect(!plan.steps.contains { $0.hasPrefix("Handle the broker's answer") })
    #expect(plan.steps.contains { $0.hasPrefix("`startMSAL`: ") })
    #expect(!plan.text.contains("Keep this file"))
    diagnosis.path = "../a`b"
    #expect(MigrationChecklist(diagnosis).text.contains("Keep this file in ``../a`b``: its links"))
  }

  @Test(arguments: [
    ("  - ADALiOS (1.0.2)", "", "com.contoso.shared"),
    ("  - ADALiOS (1.2.4)", "[s setSharedGroup:nil];", "com.contoso.shared"),
    ("  - ADALiOS (1.2.5)", "[s setSharedGroup:nil];", "com.contoso.app"),
    ("  - ADALiOS (2.0.2)", "[s setSharedGroup:nil];", "com.contoso.shared"),
    ("  - ADALiOS (2.0.3)", "[s setSharedGroup:nil];", "com.contoso.app"),
    ("  - ADALiOS (1.1.0)", "", nil),
    ("pod 'ADALiOS', '~>1.0.0'", "", "com.contoso.shared"),
    ("pod 'ADALiOS', '1.0.2'", "", "com.contoso.shared"),
    ("pod 'ADALiOS', '= 1.0.2'", "", "com.contoso.shared"),
    ("pod 'ADALiOS', '~> 1.0'", "", nil),
    ("pod 'ADALiOS', '>= 1.0.2'", "", nil),
    ("pod 'ADALiOS'", "", nil),
    ("pod 'ADALiOS', '~> 1.2.1'", "[s setSharedGroup:nil];", "com.contoso.app"),
  ])
  func theGroupIsThatOfTheADALInUse(_ pod: String, _ code: String, _ group: String?) {
    var project = SampleProject()
    project.entitlements = SampleProject.entitlements(
      "com.contoso.shared", "com.microsoft.adalcache")
    project.more["App/SignIn.m"] = "#import <ADALiOS/ADAL.h>\nADAuthenticationContext *c;\n" + code
    project.more[pod.hasPrefix("pod") ? "Podfile" : "Podfile.lock"] = "PODS:\n\(pod)\n"
    var doctor = Doctor.ofTests
    let rows = "ABCDE12345.\(group ?? "com.microsoft.adalcache")"
    doctor.evidence = [
      CacheEvidence(place: "c.sqlite", clients: [:], groups: [rows: 1], resources: [:])
    ]
    let diagnosis = doctor.diagnose(project.files)
    let plan = PlanReading(MigrationChecklist(diagnosis).text)
    #expect(plan.migrationGroups == Set([group].compactMap(\.self)))
    #expect(plan.sharingGroups == plan.migrationGroups)
    #expect(diagnosis.places(.groupDiffers) == [])
  }

  @Test func eachAppHasTheGroupOfItsADAL() {
    func app(_ folder: String, _ requirement: String) -> [(String, String)] {
      var project = SampleProject()
      project.settings[4] = "PRODUCT_BUNDLE_IDENTIFIER = com.contoso.\(folder);"
      project.entitlements = SampleProject.entitlements("com.contoso.\(folder)")
      project.more["App/SignIn.m"] = "#import <ADALiOS/ADAL.h>\nADAuthenticationContext *c;"
      project.more["Podfile"] = "pod 'ADALiOS', '\(requirement)'"
      return project.files.map { ("\(folder)/\($0)", $1) }
    }
    let files = app("one", "~> 1.0.0") + app("two", "1.0.2") + app("three", "~> 2.6.0")
    let diagnosis = Doctor.ofTests.diagnose(Dictionary(uniqueKeysWithValues: files))
    let plan = PlanReading(MigrationChecklist(diagnosis).text)
    #expect(diagnosis.places(.groupPrivate) == ["one/Podfile:1", "two/Podfile:1"])
    #expect(diagnosis.places(.groupMissing) == ["three/App/App.entitlements:3"])
    #expect(plan.migrationGroups == ["com.contoso.one", "com.contoso.two"])
    #expect(plan.sharingGroups == plan.migrationGroups)
    #expect(plan.entitled == ["com.microsoft.adalcache"])
  }

  @Test func aLineWithTwoPlacesIsLinkedOnce() {
    var project = SampleProject()
    project.more["App/SignIn.m"] = """
      #import <ADAL/ADAL.h>
      a = [[ADALDependencyResolver alloc] init]; b = [[ADALDependencyResolver alloc] init];
      c = [[ADALDependencyResolver alloc] init];
      """
    let plan = MigrationChecklist(Doctor.ofTests.diagnose(project.files)).text
    let links = plan.split(separator: "\n").filter { $0.hasPrefix("  - [`App/SignIn.m:") }
    #expect(
      links == [
        "  - [`App/SignIn.m:2`](App/SignIn.m#L2)", "  - [`App/SignIn.m:3`](App/SignIn.m#L3)",
      ])
  }

  @Test(arguments: [("https://contoso", 0), ("msauth.com.contoso.app:///", 1)])
  func aRejectedRedirectURIHasOneStep(_ uri: String, _ steps: Int) {
    var project = SampleProject()
    project.more["App/SignIn.m"] = """
      #import <ADAL/ADAL.h>
      [c acquireTokenWithResource:r clientId:i
       redirectUri:[NSURL URLWithString:@"\(uri)"] completionBlock:b];
      """
    let diagnosis = Doctor.ofTests.diagnose(project.files)
    let plan = PlanReading(MigrationChecklist(diagnosis).text)
    #expect(diagnosis.places([.redirectUnusable]).map(\.shown) == ["App/SignIn.m:3"])
    #expect(plan.steps.count { $0.hasPrefix("Keep the redirect URI `\(uri)`") } == 1 - steps)
    #expect(plan.steps.count { $0.hasPrefix("Redirect URI that MSAL rejects") } == steps)
  }

  @Test func nothingOfAProjectEndsItsCode() {
    var project = SampleProject()
    project.more["App/SignIn.m"] = """
      #import <ADAL/ADAL.h>
      [[ADAuthenticationSettings sharedInstance] setDefaultKeychainGroup:@"a```b\\"; evil(); `"];
      [c acquireTokenWithResource:@"https://a.com/`x`" clientId:@"aaaaaaaa-bbbb-cccc-dddd-eeeeeeeeeeee"];
      """
    let diagnosis = Doctor.ofTests.diagnose(project.files)
    let reading = PlanReading(MigrationChecklist(diagnosis).text)
    #expect(reading.migrationGroups == ["ab; evil(); "])
    let console = reading.blocks.first { $0.language == "console" }?.text
    #expect(
      console
        == "adal2msal migrate device.sqlite -n --client-id aaaaaaaa-bbbb-cccc-dddd-eeeeeeeeeeee"
        + " --access-group 'a```b\\\"; evil(); `'")
    #expect(reading.text.contains("\n````console\n"))
    #expect(reading.text.contains("``https://a.com/`x`/.default``"))
    #expect(reading.text.contains("`` https://a.com/`x` ``"))
  }
}
