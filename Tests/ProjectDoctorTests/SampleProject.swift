// SPDX-License-Identifier: MIT

/// A small Xcode project of our own, to be changed a little for each test.
struct SampleProject {
  var settings = [
    "SDKROOT = iphoneos;", "INFOPLIST_FILE = App/Info.plist;",
    "CODE_SIGN_ENTITLEMENTS = App/App.entitlements;",
    "IPHONEOS_DEPLOYMENT_TARGET = 16.0;", "PRODUCT_BUNDLE_IDENTIFIER = com.contoso.app;",
  ]
  var productType = "com.apple.product-type.application"
  var references: [String] = []
  var objects: [String] = []
  var linked: [String] = []
  var sources = ["App/AppDelegate.m"]
  var info = SampleProject.info()
  var entitlements: String? = SampleProject.entitlements("com.microsoft.adalcache")
  var delegate = """
    #import <UIKit/UIKit.h>
    @interface AppDelegate : UIResponder <UIApplicationDelegate>
    - (BOOL)open:(NSURL *)url { return [MSALPublicClientApplication handleMSALResponse:url]; }
    @end
    """
  var more: [String: String] = [:]

  /// An Info.plist; nothing of it is missing for MSAL.
  static func info(
    schemes: [String] = ["msauth.com.contoso.app"],
    queries: [String] = ["msauthv2", "msauthv3"], more: String = ""
  ) -> String {
    let strings = { (list: [String]) in
      list.map { "<string>\($0)</string>" }.joined(separator: "\n")
    }
    let types =
      schemes.isEmpty
      ? ""
      : """
      <key>CFBundleURLTypes</key>
      <array><dict>
      <key>CFBundleURLSchemes</key>
      <array>\(strings(schemes))</array>
      </dict></array>
      """
    let asked =
      queries.isEmpty
      ? "" : "<key>LSApplicationQueriesSchemes</key>\n<array>\(strings(queries))</array>"
    return """
      <?xml version="1.0" encoding="UTF-8"?>
      <plist version="1.0">
      <dict>
      <key>CFBundleIdentifier</key>
      <string>$(PRODUCT_BUNDLE_IDENTIFIER)</string>
      \(asked)
      \(types)
      \(more)
      </dict>
      </plist>
      """
  }

  static func entitlements(_ groups: String...) -> String {
    """
    <plist version="1.0">
    <dict>
    <key>keychain-access-groups</key>
    <array>
    \(groups.map { "<string>$(AppIdentifierPrefix)\($0)</string>" }.joined(separator: "\n"))
    </array>
    </dict>
    </plist>
    """
  }

  /// The project file. The settings begin at line 4, one a line.
  var pbxproj: String {
    let files = sources.enumerated().map { index, path in
      """
      F\(index) = {isa = PBXFileReference; path = \(path); sourceTree = SOURCE_ROOT; };
      B\(index) = {isa = PBXBuildFile; fileRef = F\(index); };
      """
    }
    let links = linked.enumerated().map { index, name in
      """
      L\(index) = {isa = PBXFileReference; path = \(name); sourceTree = BUILT_PRODUCTS_DIR; };
      M\(index) = {isa = PBXBuildFile; fileRef = L\(index); };
      """
    }
    let lists = { (prefix: String, count: Int) in
      (0..<count).map { "\(prefix)\($0)" }.joined(separator: ", ")
    }
    return """
      // !$*UTF8*$!
      {objects = {
      C1 = {isa = XCBuildConfiguration; name = Debug; buildSettings = {
      \(settings.joined(separator: "\n"))
      }; };
      C2 = {isa = XCBuildConfiguration; name = Debug; buildSettings = { }; };
      K1 = {isa = XCConfigurationList; buildConfigurations = (C1); };
      K2 = {isa = XCConfigurationList; buildConfigurations = (C2); };
      P1 = {isa = PBXSourcesBuildPhase; files = (\(lists("B", files.count))); };
      P2 = {isa = PBXFrameworksBuildPhase; files = (\(lists("M", links.count))); };
      T1 = {isa = PBXNativeTarget; name = App; productType = "\(productType)";
        buildConfigurationList = K1; buildPhases = (P1, P2); };
      R = {isa = PBXProject; buildConfigurationList = K2; targets = (T1); };
      \(files.joined(separator: "\n"))
      \(links.joined(separator: "\n"))
      \(references.joined(separator: "\n"))
      \(objects.joined(separator: "\n"))
      }; rootObject = R; }
      """
  }

  var files: [String: String] {
    var files = [
      "App.xcodeproj/project.pbxproj": pbxproj, "App/Info.plist": info,
      "App/AppDelegate.m": delegate,
    ]
    if let entitlements { files["App/App.entitlements"] = entitlements }
    return files.merging(more) { $1 }
  }

  /// The project with a file that signs in with ADAL.
  static func signingIn(_ change: (inout SampleProject) -> Void = { _ in }) -> [String: String] {
    var project = SampleProject()
    project.more["App/SignIn.m"] = "#import <ADAL/ADAL.h>\n"
    change(&project)
    return project.files
  }
}
