// SPDX-License-Identifier: MIT
@testable import ProjectDoctor

extension RuleSample {
  /// Objective-C that signs in, with a call that gets values, in a project.
  private static func call(_ values: String) -> [String: String] {
    SampleProject.signingIn {
      $0.more["App/SignIn.m"] = "#import <ADAL/ADAL.h>\n" + values
    }
  }

  private static func acquire(redirect: String = "@\"x://com.contoso.app\"", resource: String = "r")
    -> [String: String]
  {
    call(
      "[c acquireTokenWithResource:\(resource) clientId:i\n redirectUri:[NSURL URLWithString:\(redirect)] completionBlock:b];"
    )
  }

  private static func context(_ authority: String) -> [String: String] {
    call("c = [ADAuthenticationContext authenticationContextWithAuthority:\(authority) error:&e];")
  }

  private static func group(_ value: String, _ groups: String) -> [String: String] {
    SampleProject.signingIn {
      $0.entitlements = SampleProject.entitlements(groups)
      $0.more["App/SignIn.m"] = "#import <ADAL/ADAL.h>\n[s setDefaultKeychainGroup:\(value)];"
    }
  }

  private static func locked(
    _ pod: String, groups: String = "com.contoso.app"
  ) -> [String: String] {
    SampleProject.signingIn {
      $0.entitlements = SampleProject.entitlements(groups)
      $0.more["App/SignIn.m"] = "#import <ADALiOS/ADAL.h>\nADAuthenticationContext *c;"
      $0.more["Podfile.lock"] = "PODS:\n  - \(pod)\n"
    }
  }

  /// An app beside the project of a framework, or of another app, that uses ADAL.
  private static func beside(_ product: String, _ code: String) -> [String: String] {
    var other = SampleProject()
    other.productType = "com.apple.product-type.\(product)"
    return SampleProject.signingIn {
      $0.entitlements = SampleProject.entitlements("a.b")
      $0.more["Store/Store.xcodeproj/project.pbxproj"] = other.pbxproj
      $0.more["Store/Store.m"] = "#import <ADAL/ADAL.h>\n" + code
    }
  }

  private static func mac(_ groups: String) -> [String: String] {
    SampleProject.signingIn {
      $0.settings = [
        "SDKROOT = macosx;", "CODE_SIGN_ENTITLEMENTS = App/App.entitlements;",
        "MACOSX_DEPLOYMENT_TARGET = 11.0;",
      ]
      $0.entitlements = SampleProject.entitlements(groups)
    }
  }

  private static let project = "App.xcodeproj/project.pbxproj"

  static let state = [
    RuleSample(
      .groupCustom, group("@\"com.contoso.shared\"", "com.contoso.shared"), ["App/SignIn.m:2"],
      miss: group("@\"com.microsoft.adalcache\"", "com.microsoft.adalcache")),
    RuleSample(
      .groupPrivate, group("nil", "com.contoso.app"), ["App/SignIn.m:2"],
      miss: group("name", "com.contoso.app")),
    RuleSample(
      .groupPrivate, locked("ADALiOS (1.0.2)"), ["Podfile.lock:2"], miss: locked("ADALiOS (1.1.0)")),
    RuleSample(
      .groupMissing, locked("ADALiOS (1.1.0)", groups: "a.b"), ["App/App.entitlements:3"],
      miss: locked("ADALiOS (1.0.2)", groups: "a.b")),
    RuleSample(
      .groupMissing, beside("framework", ""), ["App/App.entitlements:3"],
      miss: beside("framework", "[s setSharedGroup:nil];")),
    RuleSample(
      .groupMissing, beside("application", "[s setSharedGroup:nil];"), ["App/App.entitlements:3"],
      miss: beside("framework", "[s setSharedGroup:nil];")),
    RuleSample(
      .groupNotEntitled, group("@\"com.contoso.shared\"", "com.microsoft.adalcache"),
      ["App/App.entitlements:3"], miss: group("@\"com.contoso.app\"", "com.microsoft.adalcache")),
    RuleSample(
      .groupMissing,
      SampleProject.signingIn { $0.entitlements = SampleProject.entitlements("a.b") },
      ["App/App.entitlements:3"], miss: group("nil", "a.b")),
    RuleSample(
      .groupMissing,
      SampleProject.signingIn {
        $0.settings.removeAll { $0.hasPrefix("CODE_SIGN") }
        $0.entitlements = nil
      }, ["\(project):5"],
      // The entitlements are somewhere that was not read.
      miss: SampleProject.signingIn { $0.entitlements = nil }),
    RuleSample(
      .universalStorageMissing, mac("com.microsoft.adalcache"), ["App/App.entitlements:3"],
      miss: mac("com.microsoft.identity.universalstorage")),
    RuleSample(
      .querySchemesMissing,
      SampleProject.signingIn { $0.info = SampleProject.info(queries: ["msauth", "msauthv3"]) },
      ["App/Info.plist:6"],
      miss: [
        "App.xcodeproj/project.pbxproj": SampleProject().pbxproj,
        "App/Info.plist": SampleProject.info(schemes: ["msal00000000"], queries: []),
        "App/A.swift": "import MSAL\nlet a: MSALPublicClientApplication",
      ]),
    RuleSample(
      .urlSchemeMissing,
      SampleProject.signingIn { $0.info = SampleProject.info(schemes: ["contoso"]) },
      ["App/Info.plist:11"],
      // The scheme of a redirect URI in ADAL's form will do.
      miss: acquire(redirect: "@\"contoso://com.contoso.app\"").merging([
        "App/Info.plist": SampleProject.info(schemes: ["contoso"])
      ]) { $1 }),
    RuleSample(
      .urlSchemeReserved,
      SampleProject.signingIn {
        $0.info = SampleProject.info(schemes: ["msauth.com.contoso.app", "msauthv2"])
      }, ["App/Info.plist:13"], miss: SampleProject.signingIn()),
    RuleSample(
      .redirectUnusable, acquire(redirect: "@\"https://contoso.com\""), ["App/SignIn.m:3"],
      miss: acquire(redirect: "@\"ENTER_REDIRECT_URI_HERE\"")),
    RuleSample(
      .redirectBundleMismatch, acquire(redirect: "@\"x://com.contoso.other\""), ["App/SignIn.m:3"],
      miss: acquire(redirect: "@\"msauth.com.contoso.other://auth\"")),
    RuleSample(
      .redirectADALForm, acquire(), ["App/SignIn.m:3"],
      miss: acquire(redirect: "@\"msauth.com.contoso.app://auth\"")),
    RuleSample(
      .authorityClosedCloud, context("@\"https://login.microsoftonline.de/common\""),
      ["App/SignIn.m:2"], miss: context("@\"https://login.microsoftonline.us/common\"")),
    RuleSample(
      .authorityADFS, context("@\"https://fs.contoso.com/adfs\""), ["App/SignIn.m:2"],
      miss: context("@\"https://login.microsoftonline.com/adfsish\"")),
    RuleSample(
      .authorityB2C, context("@\"https://contoso.b2clogin.com/tfp/contoso/policy\""),
      ["App/SignIn.m:2"], miss: context("@\"https://login.microsoftonline.com/common\"")),
    RuleSample(
      .authorityDomain, context("@\"https://login.windows.net/contoso.onmicrosoft.com\""),
      ["App/SignIn.m:2"], miss: context("@\"https://login.windows.net/common\"")),
    RuleSample(
      .authorityValidationOff,
      call(
        "[ADAuthenticationContext authenticationContextWithAuthority:a validateAuthority:NO error:&e];"
      ),
      ["App/SignIn.m:2"],
      miss: call(
        "[ADAuthenticationContext authenticationContextWithAuthority:a validateAuthority:v error:&e];"
      )),
    RuleSample(
      .authorityUnknownHost, context("@\"https://login.contoso.com/common\""), ["App/SignIn.m:2"],
      miss: call("NSString *s = @\"https://login.contoso.com/common\";")),
    RuleSample(
      .resourceAADGraph, call("s = @\"https://graph.windows.net/me\";"), ["App/SignIn.m:2"],
      miss: ["A.m": "s = @\"https://graph.windows.net/me\";"]),
    RuleSample(
      .resourceDiscovery, call("s = @\"https://api.office.com/discovery/\";"), ["App/SignIn.m:2"],
      miss: call("s = @\"https://api.office.com/other\";")),
    RuleSample(
      .resourceTrailingSlash, acquire(resource: "@\"https://contoso.com/api/\""),
      ["App/SignIn.m:2"], miss: acquire(resource: "@\"https://graph.windows.net/\"")),
    RuleSample(
      .clientChanged, clients("11111111-2222-3333-4444-555555555555"), ["B.swift:2"],
      miss: clients("AAAAAAAA-bbbb-cccc-dddd-eeeeeeeeeeee")),
    RuleSample(
      .deployTarget,
      SampleProject.signingIn { $0.settings[3] = "IPHONEOS_DEPLOYMENT_TARGET = 15.6;" },
      ["\(project):7"],
      miss: SampleProject.signingIn {
        $0.settings[3] = "IPHONEOS_DEPLOYMENT_TARGET = 8.0;"
        $0.productType = "com.apple.product-type.bundle.unit-test"
      }),
    RuleSample(
      .deployTarget,
      ["Podfile": "platform :ios, '8.0'\npod 'ADAL'\n", "A.m": "#import <ADAL/ADAL.h>"],
      ["Podfile:1"],
      miss: ["Podfile": "platform :ios, '8.0'\npod 'X'\n", "A.m": "#import <ADAL/ADAL.h>"]),
    RuleSample(
      .openURLMissing,
      SampleProject.signingIn {
        $0.delegate = "@interface AppDelegate : UIResponder <UIApplicationDelegate>\n@end"
      }, ["App/AppDelegate.m:1"],
      miss: SampleProject.signingIn { $0.delegate = "id<UIApplicationDelegate> x;" }),
    RuleSample(
      .openURLMissing,
      SampleProject.signingIn {
        $0.info = SampleProject.info(more: "<key>UIApplicationSceneManifest</key>\n<dict/>")
        $0.more["App/Scene.swift"] = "class S: UIResponder, UIWindowSceneDelegate {}"
      }, ["App/Scene.swift:1"],
      miss: SampleProject.signingIn {
        $0.info = SampleProject.info(more: "<key>UIApplicationSceneManifest</key>\n<dict/>")
        $0.more["App/Scene.swift"] = """
          class S: UIResponder, UIWindowSceneDelegate {
            func scene(_ s: UIScene, openURLContexts c: Set<UIOpenURLContext>) {
              MSALPublicClientApplication.handleMSALResponse(c.first)
            }
          }
          """
      }),
    RuleSample(
      .appExtension,
      SampleProject.signingIn {
        $0.productType = "com.apple.product-type.app-extension"
        $0.sources = ["App/SignIn.m"]
      }, ["App/SignIn.m:1"],
      miss: SampleProject.signingIn { $0.productType = "com.apple.product-type.app-extension" }),
  ]

  private static func clients(_ new: String) -> [String: String] {
    [
      "A.m": """
      #import <ADAL/ADAL.h>
      [c acquireTokenWithResource:r clientId:@"aaaaaaaa-bbbb-cccc-dddd-eeeeeeeeeeee" redirectUri:u];
      """,
      "B.swift": "import MSAL\nlet c = MSALPublicClientApplicationConfig(clientId: \"\(new)\")",
    ]
  }
}
