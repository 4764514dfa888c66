// SPDX-License-Identifier: MIT
import FolderModel
import Foundation
import ProcessUsage
import ProjectFiles
import Testing

@testable import ProjectDoctor

/// Whatever a project is made of ends in findings or in what was left out.
@Suite struct HostileProjectTests {
  /// Files of every kind that are as they should be.
  private static let seeds = SampleProject.signingIn {
    $0.settings[3] = "IPHONEOS_DEPLOYMENT_TARGET = 8.0;"
    $0.references = ["X = {isa = PBXFileReference; path = ADAL.framework; };"]
    $0.info = SampleProject.info(schemes: ["a"], queries: [])
    $0.more = [
      "App/SignIn.m": """
      #import <ADAL/ADAL.h>
      #define R @"https://x"
      [[ADAuthenticationContext alloc] initWithAuthority:@"https://a.b/c" error:&e];
      [c acquireTokenWithResource:R clientId:i redirectUri:[NSURL URLWithString:R]
        completionBlock:^(ADAuthenticationResult *r) { s = r.tokenCacheItem.userInformation.userId; }];
      """,
      "App/SignIn.swift": """
      import ADAL
      let r = URL(string: "x://y\\(z("a"))")!
      c.acquireTokenSilent(withResource: "https://graph.windows.net", clientId: i, redirectUri: r)
      """,
      "Podfile": "platform :ios, '8.0'\ntarget 'A' do\n  pod 'ADAL', :git => 'x'\nend\n",
      "Podfile.lock": "PODS:\n  - ADAL (2.6.0)\n  - B (1):\n    - ADAL (~> 2)\n",
      "Cartfile": "github \"AzureAD/azure-activedirectory-library-for-objc\"\n",
      "Package.resolved":
        #"{"pins":[{"location":"https://x/azure-activedirectory-library-for-objc"}]}"#,
      "package.json": #"{"dependencies":{"react-native-ms-adal":"1"}}"#,
      "plugin.xml": "<plugin><framework src=\"ADAL\"/></plugin>",
      "App/a.xcconfig": "#include \"a.xcconfig\"\nA = $(A)\n",
      ".gitmodules": "url = https://x/azure-activedirectory-library-for-ios\n",
    ]
  }

  /// A generator whose numbers are always the same.
  private struct Numbers: RandomNumberGenerator {
    var state: UInt64
    mutating func next() -> UInt64 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return state ^ (state >> 29)
    }
  }

  @Test func damagedFilesAreReadToTheirEnd() {
    var numbers = Numbers(state: 17)
    let paths = Self.seeds.keys.sorted()
    let pieces = [
      "\"", "\\(", "[", "]", "{", "}", "(", ")", "<", "/*", "#if 0\n", "\u{0}", "é", ":",
    ]
    for _ in 0..<25 {
      var files = MemoryFolder(Self.seeds)
      for path in paths {
        var bytes = files.files[path] ?? []
        for _ in 0..<Int.random(in: 0..<4, using: &numbers) where !bytes.isEmpty {
          let index = Int.random(in: 0..<bytes.count, using: &numbers)
          switch Int.random(in: 0..<4, using: &numbers) {
          case 0: bytes[index] = UInt8.random(in: .min ... .max, using: &numbers)
          case 1: bytes.removeSubrange(index..<min(bytes.count, index + 9))
          case 2: bytes.removeLast(bytes.count - index)
          default:
            bytes.insert(
              contentsOf: Array((pieces.randomElement(using: &numbers) ?? "").utf8), at: index)
          }
        }
        files.files[path] = bytes
      }
      let diagnosis = Doctor.ofTests.diagnose(".", ProjectFolder(files), files)
      #expect(diagnosis.readFiles + diagnosis.skipped.count >= paths.count)
      for format in DiagnosisFormat.allCases {
        #expect(!format.render(diagnosis, root: "file:///x/").isEmpty)
      }
      #expect(MigrationChecklist(diagnosis).text == MigrationChecklist(diagnosis).text)
    }
  }

  @Test(arguments: [
    ("a.m", "#import <ADAL/ADAL.h>\n[ADAuthenticationError a:", "]"),
    ("a.m", "#import <ADAL/ADAL.h>\nx.userInformation.userId ", ""),
    ("a.swift", "import ADAL\nf(a.userInformation.userId, ", ")"), ("a.swift", "\"\\(", ")\""),
    ("a.swift", "// adal2msal:ignore api.type x\n", ""),
    ("a.plist", "<dict><key>a</key>", "</dict>"),
    ("Podfile", "target 'A' do\npod 'ADAL'\n", "end\n"),
    ("a.xcodeproj/project.pbxproj", "{a=", ";}"),
    ("a.m", "a = @\"https://graph.windows.net\"; ", ""),
    ("a.m", "#define A [NSURL URLWithString:A]\n", ""),
  ])
  func workGrowsWithTheInputAlone(path: String, open: String, close: String) {
    func seconds(_ count: Int) -> Double {
      let text = String(repeating: open, count: count) + String(repeating: close, count: count)
      let start = ProcessUsage.seconds
      _ = Doctor.ofTests.diagnose([path: text])
      return ProcessUsage.seconds - start
    }
    _ = seconds(10)
    let small = seconds(100)
    let large = seconds(800)
    // Eight times the input takes about eight times as long, and not sixty-four times.
    #expect(large < 30 * max(small, 0.02), "\(path): \(small) and \(large)")
  }

  @Test func orderAndRepetitionChangeNothing() {
    let doctor = Doctor.ofTests
    let one = doctor.diagnose(Self.seeds)
    for _ in 0..<5 { #expect(doctor.diagnose(Self.seeds) == one) }
  }
}
