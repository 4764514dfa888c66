// SPDX-License-Identifier: MIT
import Testing

@testable import ProjectDoctor

/// A sample of a rule: files with what must be found, and files that look like it where nothing must.
struct RuleSample: Sendable {
  var check: Check
  var hit: [String: String]
  /// As `file:line`, with the severity where it is not the rule's own.
  var places: [String]
  var miss: [String: String]

  init(
    _ check: Check, _ hit: [String: String], _ places: [String], miss: [String: String]
  ) {
    self.check = check
    self.hit = hit
    self.places = places
    self.miss = miss
  }

  /// Objective-C that uses ADAL, from line 2 on.
  static func objectiveC(
    _ check: Check, _ hit: String, _ lines: [String] = ["2"], miss: String
  ) -> RuleSample {
    RuleSample(
      check, ["A.m": "#import <ADAL/ADAL.h>\n" + hit], lines.map { "A.m:\($0)" },
      miss: ["A.m": "#import <ADAL/ADAL.h>\n" + miss])
  }

  /// Swift that uses ADAL, from line 2 on.
  static func swift(
    _ check: Check, _ hit: String, _ lines: [String] = ["2"], miss: String
  ) -> RuleSample {
    RuleSample(
      check, ["A.swift": "import ADAL\n" + hit], lines.map { "A.swift:\($0)" },
      miss: ["A.swift": "import ADAL\n" + miss])
  }

  static let dependencies = [
    RuleSample(
      .adalDeclared, ["Podfile": "target 'A' do\n  pod 'ADAL', '~> 2.2'\nend\n"], ["Podfile:2"],
      miss: ["Podfile": "target 'A' do\n  # pod 'ADAL'\n  pod 'ADALExtras'\nend\n"]),
    RuleSample(
      .adalDeclared,
      ["Cartfile": "github \"AzureAD/azure-activedirectory-library-for-objc\" \"2.6.3\"\n"],
      ["Cartfile:1"],
      miss: ["README.md": "github \"AzureAD/azure-activedirectory-library-for-objc\"\n"]),
    RuleSample(
      .adalDeclared,
      [
        ".gitmodules":
          "[submodule \"ADAL\"]\n\tpath = ADAL\n"
          + "\turl = https://github.com/AzureAD/azure-activedirectory-library-for-ios.git\n"
      ], [".gitmodules:3"],
      miss: [".gitmodules": "[submodule \"A\"]\n\turl = https://github.com/contoso/adal.git\n"]),
    RuleSample(
      .adalVersion, ["Podfile.lock": "PODS:\n  - ADAL (2.6.0):\n    - ADAL/app-lib (= 2.6.0)\n"],
      ["Podfile.lock:2"],
      miss: ["Podfile.lock": "PODS:\n  - B (1.0)\n\nDEPENDENCIES:\n  - ADAL (~> 2.2)\n"]),
    RuleSample(
      .adalVendored,
      [
        "lib/ADAuthenticationContext.h": "", "lib/ADAuthenticationSettings.h": "",
        "lib/ADAuthenticationResult.h": "",
        "lib/x.m": "#import \"ADAuthenticationContext.h\"\n",
      ], ["lib/ADAuthenticationContext.h:1"],
      miss: ["lib/ADAuthenticationContext.h": "", "lib/ADAuthenticationSettings.h": ""]),
    RuleSample(
      .adalVendored, ["lib/ADAL.framework/Info.plist": "", "lib/ADAL.framework/ADAL": ""],
      ["lib/ADAL.framework/Info.plist:1"],
      miss: ["Carthage/Build/iOS/ADAL.framework/Info.plist": ""]),
    RuleSample(
      .adalLinked,
      SampleProject.signingIn {
        $0.references = [
          "X = {isa = PBXFileReference; path = libs/ADAL.framework; sourceTree = \"<group>\"; };"
        ]
      }, ["App.xcodeproj/project.pbxproj:21"],
      miss: SampleProject.signingIn {
        $0.references = [
          "X = {isa = PBXReferenceProxy; path = ADAL.framework; };",
          "Y = {isa = PBXFileReference; path = ADALTest.framework; sourceTree = \"<group>\"; };",
        ]
      }),
    RuleSample(
      .adalPlugin,
      ["package.json": "{\n \"dependencies\": {\n  \"react-native-ms-adal\": \"^1.0\"\n }\n}\n"],
      ["package.json:3"],
      miss: ["package.json": "{\n \"name\": \"react-native-ms-adal\"\n}\n"]),
    RuleSample(
      .adalPlugin,
      [
        "config.xml":
          "<widget>\n<plugin name=\"cordova-plugin-ms-adal\" spec=\"~0.8\" />\n</widget>"
      ],
      ["config.xml:2"],
      miss: ["plugin.xml": "<plugin id=\"cordova-plugin-ms-adal\"><name>x</name></plugin>"]),
    RuleSample(
      .adalTransitive,
      ["Podfile.lock": "PODS:\n  - ADAL (2.7.2)\n  - SomeSDK (1.0):\n    - ADAL (~> 2.7)\n"],
      ["Podfile.lock:4"],
      miss: ["Podfile.lock": "PODS:\n  - ADAL (2.6.0):\n    - ADAL/app-lib (= 2.6.0)\n"]),
    RuleSample(
      .adalBesideMSAL, ["Podfile": "target 'A' do\n  pod 'ADAL'\n  pod 'MSAL'\nend\n"],
      ["Podfile:2"],
      miss: ["Podfile": "target 'A' do\n pod 'ADAL'\nend\ntarget 'B' do\n pod 'MSAL'\nend\n"]),
    RuleSample(
      .adalBesideMSAL,
      ["Podfile": "pod 'ADAL', '2.6.10'\npod 'MSAL'\ntarget 'A' do\n pod 'X'\nend\n"],
      ["Podfile:1 warning"],
      miss: ["Podfile": "pod 'ADAL', '2.6.10'\n# pod 'MSAL'\ntarget 'A' do\n pod 'X'\nend\n"]),
    RuleSample(
      .adalFork, ["Podfile": "pod 'ADAL', :git => 'https://x.com/y.git', :branch => 'dev'\n"],
      ["Podfile:1"], miss: ["Podfile": "pod 'ADAL', '2.7'\npod 'B', :git => 'https://x.com/b'\n"]),
    RuleSample(
      .sdkWithADAL,
      [
        "Podfile": "pod 'Office365/Outlook', '0.9.1'\n",
        "A.m": "@property ADALDependencyResolver *resolver;\n",
      ], ["A.m:1", "Podfile:1"],
      miss: ["Podfile": "pod 'MyOffice365'\n", "A.m": "// ADALDependencyResolver\n"]),
    RuleSample(
      .intuneSDK, ["Podfile": "pod 'ADAL'\npod 'IntuneMAMSwift'\n"], ["Podfile:2"],
      miss: ["Podfile": "pod 'IntuneMAMSwift'\n"]),
  ]

  static let imports = [
    RuleSample(
      .importADAL, ["A.h": "#import \"x.h\"\n#import <ADAliOS/ADAL.h>\n"], ["A.h:2"],
      miss: [
        "A.h": "// #import <ADAL/ADAL.h>\n#import <ADAPI/ADAPI.h>\n#import \"ADBannerView.h\"\n"
      ]),
    RuleSample(
      .importADAL, ["A.m": "#import <ADAuthenticationContext.h>\n"], ["A.m:1"],
      miss: ["A.m": "#if 0\n#import <ADAuthenticationContext.h>\n#endif\n"]),
    RuleSample(
      .importADAL, ["A.swift": "import UIKit\n@testable import ADAL\n"], ["A.swift:2"],
      miss: ["A.swift": "import ADALKit\nlet s = \"import ADAL\"\n/* import ADAL /* */ */\n"]),
    RuleSample(
      .importInternal, ["A.m": "#import \"ADTokenCacheItem+Internal.h\"\n"], ["A.m:1"],
      miss: ["A.m": "#import \"ADBanner+Internal.h\"\n#import <ADAL/ADTokenCacheItem.h>\n"]),
    .objectiveC(
      .customStore, "@interface Store : NSObject <ADTokenCacheStoring>\n@end",
      miss: "id<ADTokenCacheStoring> store;"),
    .objectiveC(
      .customStore,
      "c = [ADAuthenticationContext authenticationContextWithAuthority:a tokenCacheStore:s error:&e];",
      miss: "c = [ADAuthenticationContext authenticationContextWithAuthority:a error:&e];"),
    .objectiveC(
      .macArchive, "[ADAuthenticationSettings sharedInstance].defaultStorageDelegate = self;",
      miss: "self.storageDelegate = self;"),
  ]
}

extension RuleSample: CustomTestStringConvertible {
  var testDescription: String { "\(check.code) at \(places)" }
}
