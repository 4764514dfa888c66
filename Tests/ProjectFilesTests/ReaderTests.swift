// SPDX-License-Identifier: MIT
import Foundation
import Testing

@testable import ProjectFiles

@Suite struct ReaderTests {
  @Test func propertyListsHavePositions() throws {
    let text = """
      <?xml version="1.0"?>
      <!DOCTYPE plist [<!ENTITY a "b">]>
      <plist><dict>
      <!-- adal2msal:ignore plist.url-scheme-missing not yet -->
      <key>a&amp;b</key>
      <array><string>&#x78;</string><true/></array>
      <key>c</key><integer>3</integer>
      </dict></plist>
      """
    let list = try PropertyListText(Array(text.utf8))
    #expect(list.root["a&b"]?.strings == ["x"])
    #expect(list.root.entry("c").map { list.text.position(at: $0.keyRange.lowerBound).line } == 7)
    #expect(list.remarks.map(\.words) == [" plist.url-scheme-missing not yet "])
  }

  @Test func propertyListsAreReadAsFoundationReadsThem() throws {
    let value: [String: Any] = [
      "a": ["b", "c<&>\"'"], "d": ["e": "f", "g": [["h": "i"]]], "empty": [String](),
    ]
    let data = try PropertyListSerialization.data(fromPropertyList: value, format: .xml, options: 0)
    let list = try PropertyListText(Array(data))
    #expect(list.root["a"]?.strings == ["b", "c<&>\"'"])
    #expect(list.root["d"]?["g"]?.array?.first?["h"]?.string == "i")
    #expect(list.root["empty"]?.array?.count == 0)
  }

  @Test func whatIsNoPropertyListIsRefused() {
    #expect(throws: Unreadable(why: "binary property list")) {
      try PropertyListText(Array("bplist00".utf8))
    }
    for text in ["", "<plist><dict>", "<plist><dict></array></plist>", "text"] {
      #expect(throws: Unreadable(why: "not a property list")) {
        try PropertyListText(Array(text.utf8))
      }
    }
    let deep = String(repeating: "<array>", count: 300) + String(repeating: "</array>", count: 300)
    #expect(throws: Unreadable(why: "not a property list")) {
      try PropertyListText(Array("<plist>\(deep)</plist>".utf8))
    }
  }

  @Test func projectsAndJSONAreRead() {
    let project = FileText("// !$*UTF8*$!\n{ a = (b, \"c d\", ); e /* f */ = { g = h; }; }")
    #expect(NestedText.read(project)?["a"]?.strings == ["b", "c d"])
    #expect(NestedText.read(project)?["e"]?["g"]?.string == "h")
    let json = FileText(#"{"a": [true, "b\u00e9"], "c": {"d": 1}}"#)
    #expect(NestedText.read(json)?["a"]?.strings == ["bé"])
    #expect(NestedText.read(FileText("{ a = (b; }")) == nil)
    #expect(NestedText.read(FileText(String(repeating: "{a=", count: 300))) == nil)
  }

  @Test func projectsInXMLAreRead() throws {
    let text = """
      <?xml version="1.0"?>
      <plist><dict><key>objects</key><dict>
      <key>A</key><dict><key>isa</key><string>PBXFileReference</string>
      <key>path</key><string>libs/ADAL.framework</string></dict>
      </dict></dict></plist>
      """
    let project = try XcodeProject(FileText(text, path: "a/B.xcodeproj/project.pbxproj"))
    #expect(project.files.map(\.lastName) == ["ADAL.framework"])
    #expect(project.files.map(\.span.start.line) == [4])
    #expect(project.folder == "a")
  }

  @Test func podfilesAreReadAsText() {
    let podfile = Podfile(
      FileText(
        """
        platform :ios, '9.0' # "10"
        def shared
          pod 'S'
        end
        target 'A' do
          shared
          pod "B/Sub", '~> 1'
          target 'C' do
            pod 'D' if x
          end
        end
        """))
    #expect(podfile.platforms.map(\.version) == ["9.0"])
    #expect(podfile.pods.filter { $0.name == "B/Sub" }.map(\.requirement) == ["~> 1"])
    #expect(podfile.pods.filter { $0.name == "D" }.map(\.targets) == [["A", "C"]])
    #expect(podfile.pods.contains { $0.name == "S" && $0.targets == ["A"] })
  }

  @Test func configurationFilesAreRead() {
    let (settings, includes) = BuildSettings.xcconfig(
      FileText("#include \"a.xcconfig\"\nA = b // c\nURL = https:/$()/x\n"))
    #expect(settings["A"]?.value == "b")
    #expect(settings["A"]?.span.start.line == 2)
    #expect(includes == ["a.xcconfig"])
  }

  @Test func patternsAreThoseOfGitignore() {
    #expect(PathPattern("*.m").fits("a/b/c.m"))
    #expect(PathPattern("vendor/").fits("a/vendor"))
    #expect(PathPattern("a/**/c").fits("a/x/y/c"))
    #expect(!PathPattern("a/*/c").fits("a/x/y/c"))
    #expect(PathPattern("**/b").fits("b"))
    #expect(!PathPattern("").fits("a"))
  }

  @Test func pathsStayInTheTree() {
    #expect(RelativePath.join("a/b", "../c/./d") == "a/c/d")
    #expect(RelativePath.join("a", "../../b") == nil)
    #expect(RelativePath.join("a", "/b") == nil)
  }
}
