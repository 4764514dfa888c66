// SPDX-License-Identifier: MIT
import Foundation
import ProjectFiles
import Testing

/// The project of Tests/Apple, which XcodeGen made, says what the files beside it say.
@Suite struct AppleProjectTests {
  private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()
  private static let apple = "Tests/Apple"

  private let project: XcodeProject

  init() throws {
    let path = "\(Self.apple)/AppleCheck.xcodeproj/project.pbxproj"
    let bytes = try Data(contentsOf: Self.root.appendingPathComponent(path))
    project = try XcodeProject(FileText([UInt8](bytes), path: path))
  }

  /// The files with these endings in folders of Tests/Apple.
  private func files(_ folders: [String], _ endings: Set<String>) throws -> Set<String> {
    let paths = try folders.flatMap { folder in
      let path = "\(Self.apple)/\(folder)"
      return try FileManager.default.contentsOfDirectory(
        atPath: Self.root.appendingPathComponent(path).path
      )
      .map { "\(path)/\($0)" }
    }
    return Set(paths.filter { endings.contains(($0 as NSString).pathExtension) })
  }

  @Test(arguments: [
    ("Check", ["Check", "Checks"], ["Tests/KeychainModel/ScriptedCalls.swift"]),
    ("CheckTests", ["CheckTests"], []), ("Writer", ["Writer"], []),
    ("WriterTests", ["WriterTests"], []), ("Reader", ["Reader"], []),
    ("ReaderTests", ["ReaderTests"], []),
  ])
  func everySourceIsInItsTarget(name: String, folders: [String], others: [String]) throws {
    let target = try #require(project.targets.first { $0.name == name })
    let there = try files(folders, ["swift", "m"])
    #expect(Set(target.sources) == there.union(others))
    #expect(!there.isEmpty)
  }

  @Test func everyFileOfTheProjectIsThere() {
    let located = project.files.compactMap(\.location)
      .filter { !$0.hasSuffix(".app") && !$0.hasSuffix(".xctest") }
    #expect(located.contains("Samples/Caches/contoso.items.json"))
    #expect(located.contains("Tests/Apple/rows.json"))
    for path in located {
      let url = Self.root.appendingPathComponent(path)
      #expect(FileManager.default.fileExists(atPath: url.path), "\(path)")
    }
  }

  @Test func theAppsHaveTheirEntitlements() {
    // Xcode sorts the objects of a file by their ids, which say nothing.
    let apps = project.targets.filter(\.isApplication)
    let entitlements = Dictionary(
      uniqueKeysWithValues: apps.map { target in
        (
          target.name,
          target.configurations.map { $0.settings["CODE_SIGN_ENTITLEMENTS"]?.value ?? "" }
        )
      })
    #expect(
      entitlements == [
        "Check": ["Check.entitlements", "Check.entitlements"],
        "Reader": ["Host.entitlements", "Host.entitlements"],
        "Writer": ["Host.entitlements", "Host.entitlements"],
      ])
  }

  @Test func theTestsRunInTheirApps() {
    let hosts = project.targets.filter(\.isTest).flatMap { target in
      target.configurations.map { $0.settings["TEST_HOST"]?.value ?? "" }
    }
    #expect(
      Set(hosts) == [
        "$(BUILT_PRODUCTS_DIR)/Check.app/$(BUNDLE_EXECUTABLE_FOLDER_PATH)/Check",
        "$(BUILT_PRODUCTS_DIR)/Reader.app/Reader", "$(BUILT_PRODUCTS_DIR)/Writer.app/Writer",
      ])
  }

  @Test func productsAreThoseOfThePackage() {
    let linked = Dictionary(uniqueKeysWithValues: project.targets.map { ($0.name, $0.linked) })
    #expect(linked["Check"].map(Set.init) == ["ADALMigration", "StoreConformance"])
    #expect(linked["ReaderTests"] == ["ADALMigration"])
    // The package is the one that the project is in; no other is resolved.
    #expect(project.packages.isEmpty)
  }

  @Test func theDeploymentTargetsAreThoseOfThePackage() {
    for configuration in project.configurations {
      #expect(configuration.settings["IPHONEOS_DEPLOYMENT_TARGET"]?.value == "15.0")
      #expect(configuration.settings["MACOSX_DEPLOYMENT_TARGET"]?.value == "12.0")
    }
    #expect(project.configurations.map(\.name).sorted() == ["Debug", "Release"])
  }
}
