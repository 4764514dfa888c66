// SPDX-License-Identifier: MIT
import Foundation
import Testing

/// The walls between the rooms (architecture), which the compiler sees only in part: an import that
/// arrives through a dependency passes its check.
@Suite struct WallTests {
  /// The imports that each target may have.
  private static let table: [String: Set<String>] = [
    "PlatformFoundation": [
      "Foundation", "FoundationEssentials", "Glibc", "Musl",
    ],
    "KeyedArchive": [],
    "CacheJSON": [],
    "KeychainItems": ["PlatformFoundation", "Security"],
    "CKeychainSnapshot": [],
    "CProcess": [],
    "CacheFiles": ["PlatformFoundation", "KeychainItems", "CacheJSON", "CKeychainSnapshot"],
    "ADALCache": ["KeyedArchive", "CacheJSON", "KeychainItems"],
    "MSALCache": ["KeychainItems", "CacheJSON"],
    "MSALLookup": ["KeychainItems", "CacheJSON", "MSALCache"],
    "LookupAnswers": ["KeychainItems", "CacheJSON", "MSALCache", "MSALLookup"],
    "ADALMigration": [
      "PlatformFoundation", "ADALCache", "MSALCache", "MSALLookup", "KeychainItems", "CacheJSON",
    ],
    "ADALMigrationObjC": ["Foundation", "ADALMigration", "MigrationPolicies"],
    "MigrationPolicies": ["PlatformFoundation", "ADALMigration", "MSALCache"],
    "MigrationReports": ["PlatformFoundation", "ADALMigration", "CacheJSON"],
    "MigrationUndo": ["PlatformFoundation", "ADALMigration", "MSALCache", "KeychainItems"],
    "MigrationReceipts": ["ADALMigration", "ADALCache", "MSALCache", "KeychainItems"],
    "MigrationDocuments": [
      "PlatformFoundation", "ADALMigration", "ADALCache", "MSALCache", "KeychainItems", "CacheJSON",
    ],
    "MigrationFiles": [
      "PlatformFoundation", "ADALMigration", "MigrationDocuments", "CacheFiles", "MSALCache",
      "KeychainItems",
    ],
    "CacheScrub": ["KeyedArchive", "CacheJSON", "KeychainItems", "ADALCache", "MSALCache"],
    "ProjectFiles": ["PlatformFoundation"],
    "ProjectDoctor": [
      "PlatformFoundation", "ProjectFiles", "MigrationReports", "ADALMigration", "CacheJSON",
    ],
    "adal2msal": [
      "PlatformFoundation", "ADALMigration", "MigrationDocuments", "MigrationFiles",
      "MigrationPolicies",
      "MigrationReports", "MigrationUndo", "MSALCache", "MSALLookup", "LookupAnswers", "CacheJSON",
      "KeychainItems",
      "CacheFiles",
      "CacheScrub", "ProjectFiles",
      "ProjectDoctor", "CProcess", "ArgumentParser",
    ],
  ]

  /// The targets that an app links.
  private static let appFacing = [
    "PlatformFoundation", "KeyedArchive", "CacheJSON", "KeychainItems", "ADALCache", "MSALCache",
    "MSALLookup",
    "ADALMigration", "ADALMigrationObjC", "MigrationUndo", "MigrationReceipts",
    "MigrationDocuments", "MigrationPolicies",
  ]

  private func report(_ sources: [SourceFile], _ find: (SourceFile) -> [Int]) -> [String] {
    sources.flatMap { file in find(file).map { "\(file.path):\($0)" } }
  }

  @Test func everyRoomImportsOnlyWhatIsBelowIt() throws {
    let sources = try SourceFile.all(in: "Sources")
    let rooms = try FileManager.default.contentsOfDirectory(atPath: "\(SourceFile.root)/Sources")
    #expect(Set(rooms.filter { !$0.hasPrefix(".") }) == Set(Self.table.keys))
    for file in sources {
      let allowed = Self.table[file.room] ?? []
      #expect(
        file.imports.filter { !allowed.contains($0) } == [], "\(file.path) imports what it may not")
    }
    // An importer that found nothing would pass too.
    #expect(sources.contains { $0.imports.contains("CKeychainSnapshot") })
  }

  @Test func everySQLiteCallIsInOneFile() throws {
    let files = try SourceFile.all(in: "Sources")
      .filter { $0.hasCode(with: "sqlite3_") }
    #expect(files.map(\.path) == ["Sources/CacheFiles/Snapshot/Database.swift"])
  }

  /// Comparing texts, making keys and splitting URLs each have one place in the package. Two places would differ in an
  /// overlooked case.
  @Test(arguments: [
    (
      ".lowercased()", ["MSALCache", "MSALLookup", "LookupAnswers", "ADALMigration"],
      "MSALCache/Keys/Normalization"
    ),
    ("== 36", [], "CacheJSON/Bytes"), ("\"://\"", [], "MSALCache/Keys/WebAddress"),
    ("\"appmetadata-", [], "MSALCache/Keys/KeyRendering"),
    ("\"foci-", [], "MSALCache/Keys/FamilyClient"),
    ("URLComponents", [], nil),
  ])
  func everyKeyIsSpelledOnce(spelling: String, rooms: [String], file: String?) throws {
    let sources = try SourceFile.all(in: "Sources")
      .filter { rooms.isEmpty || rooms.contains($0.room) }
      .filter { $0.hasCode(with: spelling) }
    #expect(sources.map(\.path) == (file.map { ["Sources/\($0).swift"] } ?? []))
  }

  /// A declaration that an app cannot import is not a promise.
  @Test func onlyProductsArePublic() throws {
    let products = [
      "KeychainItems", "CacheFiles", "ADALMigration", "ADALMigrationObjC", "MigrationDocuments",
      "MigrationFiles", "MigrationPolicies", "MigrationReceipts", "MigrationReports",
      "MigrationUndo",
    ]
    let files = try SourceFile.all(in: "Sources")
      .filter { !products.contains($0.room) }
      .filter { file in
        file.lines.contains {
          SourceFile.code(of: $0).split(separator: " ").first.map { $0 == "public" } ?? false
        }
      }
    // Swift wants what a public type has for another package's protocol to be public.
    #expect(files.map(\.path) == ["Sources/adal2msal/Options/OptionWord.swift"])
  }

  /// How many declarations an app meets with the product that it links, at most.
  private static let mostOfAnApp = 120

  @Test func theDoorIsSmall() throws {
    let declarations = try SourceFile.all(in: "Sources").filter { $0.room == "ADALMigration" }
      .flatMap { file in
        file.lines.filter {
          SourceFile.code(of: $0).split(separator: " ").prefix(3).contains("public")
        }
      }
    #expect(declarations.count <= Self.mostOfAnApp)
    // A count that found nothing would pass too.
    #expect(declarations.count > Self.mostOfAnApp / 2)
    // Everything but the one type is nested in it.
    let top = declarations.filter { !$0.hasPrefix(" ") }
    #expect(top == ["public struct TokenCacheMigration: Sendable {"])
  }

  @Test func everyRevealedSecretSaysWhy() throws {
    let sources = try SourceFile.all(in: "Sources")
    #expect(report(sources, \.unexplainedReveals) == [])
    #expect(sources.contains { $0.lines.contains { $0.contains("// Reveal: ") } })
  }

  /// Newer than iOS 15 and macOS 12, which a build on Linux does not notice.
  private static let newer = [
    "String(validating:", "Mutex", "Atomic", "Duration", "ContinuousClock",
    "SuspendingClock", "Regex", "RegexBuilder", "InlineArray", "Span", "MutableSpan", "RawSpan",
    "UTF8Span", "OutputSpan", "appending(path:", "appending(component:", "append(path:",
    "Observable", "OSAllocatedUnfairLock", "URL.homeDirectory", "firstMatch(of:", "wholeMatch(of:",
    "prefixMatch(of:", "firstRange(of:", "ranges(of:", "replacing(", "trimmingPrefix(",
    "Task.sleep(for:", "path(percentEncoded:", "any Collection<",
    "any Sequence<", "isolated deinit",
  ]

  /// Each asks for a declared reason in an app's privacy manifest.
  private static let requiredReasons = [
    "stat", "fstat", "lstat", "fstatat", "statfs", "statvfs", "getattrlist", "attributesOfItem",
    "attributesOfFileSystem", "creationDate", "modificationDate", "fileModificationDate",
    "contentModificationDateKey", "creationDateKey", "volumeAvailableCapacityKey", "systemFreeSize",
    "systemUptime", "mach_absolute_time", "UserDefaults", "activeInputModes",
  ]

  @Test func appFacingRoomsUseNothingNewOrDeclared() throws {
    let sources = try SourceFile.all(in: "Sources").filter { Self.appFacing.contains($0.room) }
    #expect(report(sources) { $0.lines(with: Self.newer) } == [])
    #expect(report(sources, \.regexLiterals) == [])
    #expect(report(sources) { $0.lines(with: Self.requiredReasons) } == [])
  }

  @Test func regularExpressionsAreNoticed() {
    let text = """
      let a = /x+/
      let b = c / d // = /x/
      let e = "https://x, /y"
      f(/[a-z]/, 1)
      let g = #/x/#
      """
    #expect(SourceFile(path: "", text: text).regexLiterals == [1, 4, 5])
  }

  /// A line left from development would write what a cache says where logs are kept.
  @Test func nothingIsPrintedInPassing() throws {
    let sources = try SourceFile.all(in: "Sources").filter { !$0.path.contains(".docc/") }
    #expect(report(sources) { $0.lines(with: ["print(", "debugPrint(", "NSLog("]) } == [])
    let left = SourceFile(path: "", text: "a()\nif b { print(c) }\nfingerprint(d)")
    #expect(left.lines(with: ["print("]) == [2])
  }

  @Test func knowledgeStaysInItsRoom() throws {
    let rooms: [(words: [String], rooms: Set<String>)] = [
      (["SecItemCopyMatching", "SecItemDelete"], ["KeychainItems"]),
      // As calls, and as names in an app's code.
      (["SecItemAdd", "SecItemUpdate"], ["KeychainItems", "ProjectDoctor"]),
      (["MSOpenTech.ADAL.1", "additionalServer\""], ["ADALCache"]),
      // Names of fields stay when a cache is scrubbed.
      (
        ["ADAL.PCL.iOS", "RawClientInfo", "isUserIdDisplayable"],
        ["ADALCache", "MigrationDocuments", "CacheScrub"]
      ),
      // As a class in an archive, as a name in an app's code, and as a name that stays when a cache is scrubbed.
      (["ADTokenCacheStoreItem"], ["ADALCache", "ProjectDoctor", "CacheScrub"]),
      (
        ["\"credential_type\"", "\"home_account_id\""],
        ["MSALCache", "MSALLookup", "LookupAnswers"]
      ),
      (["FileManager", "fopen(", "rename("], ["CacheFiles"]),
      (["isatty", "STDERR_FILENO", "exit("], ["adal2msal"]),
    ]
    let sources = try SourceFile.all(in: "Sources")
    for (words, allowed) in rooms {
      #expect(
        report(sources.filter { !allowed.contains($0.room) }) { $0.lines(with: words) } == [],
        "\(words)")
    }
  }
}
