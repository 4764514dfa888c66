// swift-tools-version: 6.1
// SPDX-License-Identifier: MIT
import PackageDescription

// In a clone the command is what one builds. An app gets this package from a repository, where SwiftPM reads this file
// in the repository itself or in its folder `checkouts`: there the command, and the package that it needs, must be
// asked for. Xcode could not turn a default off before 26.4.
let isClone =
  Context.packageDirectory.count > 1 && !Context.packageDirectory.contains("/checkouts/")

// SwiftPM's access to a resource imports all of Foundation, which the command on Linux must not have inside.
#if os(macOS)
  let isForApple = true
#else
  let isForApple = false
#endif
let privacy = ["PrivacyInfo.xcprivacy"]

let package = Package(
  name: "adal2msal",
  platforms: [.iOS(.v15), .macOS(.v12)],
  products: [
    .library(name: "ADALMigration", targets: ["ADALMigration", "KeychainItems"]),
    .library(name: "ADALMigrationObjC", targets: ["ADALMigrationObjC"]),
    .library(name: "MigrationPolicies", targets: ["MigrationPolicies"]),
    .library(name: "MigrationReports", targets: ["MigrationReports"]),
    .library(name: "MigrationUndo", targets: ["MigrationUndo"]),
    .library(name: "MigrationReceipts", targets: ["MigrationReceipts"]),
    .library(name: "MigrationDocuments", targets: ["MigrationDocuments"]),
    .library(name: "CacheFiles", targets: ["CacheFiles", "KeychainItems"]),
    .library(name: "MigrationFiles", targets: ["MigrationFiles"]),
    .library(
      name: "StoreConformance", targets: ["ItemStoreConformance", "DocumentStoreConformance"]),
    .executable(name: "adal2msal", targets: ["adal2msal"]),
  ],
  traits: [
    .trait(name: "Command", description: "The command adal2msal, which an app does not need."),
    .default(enabledTraits: isClone ? ["Command"] : []),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.5.0")
  ],
  targets: [
    .target(name: "PlatformFoundation"),
    .target(name: "KeyedArchive"),
    .target(name: "CacheJSON"),
    .target(name: "KeychainItems", dependencies: ["PlatformFoundation"]),
    .systemLibrary(
      name: "CKeychainSnapshot",
      providers: [.apt(["libsqlite3-dev"])]),
    .target(name: "CProcess"),
    .target(
      name: "CacheFiles",
      dependencies: ["PlatformFoundation", "KeychainItems", "CacheJSON", "CKeychainSnapshot"]),
    .target(name: "ADALCache", dependencies: ["KeyedArchive", "CacheJSON", "KeychainItems"]),
    .target(name: "MSALCache", dependencies: ["KeychainItems", "CacheJSON"]),
    .target(name: "MSALLookup", dependencies: ["MSALCache", "CacheJSON", "KeychainItems"]),
    .target(
      name: "LookupAnswers",
      dependencies: ["MSALLookup", "MSALCache", "CacheJSON", "KeychainItems"]),
    .target(
      name: "ADALMigration",
      dependencies: [
        "PlatformFoundation", "ADALCache", "MSALCache", "MSALLookup", "KeychainItems", "CacheJSON",
      ],
      exclude: isForApple ? [] : privacy, resources: isForApple ? privacy.map { .copy($0) } : []),
    .target(name: "ADALMigrationObjC", dependencies: ["ADALMigration", "MigrationPolicies"]),
    .target(
      name: "MigrationPolicies", dependencies: ["PlatformFoundation", "ADALMigration", "MSALCache"]),
    .target(
      name: "MigrationReports", dependencies: ["PlatformFoundation", "ADALMigration", "CacheJSON"],
      resources: [
        .embedInCode("Pages/ReasonPages.md"), .embedInCode("HTML/Page.html.template"),
        .embedInCode("HTML/Page.css"), .embedInCode("HTML/Page.js"),
      ]),
    .target(
      name: "MigrationUndo",
      dependencies: ["PlatformFoundation", "ADALMigration", "MSALCache", "KeychainItems"]),
    .target(
      name: "MigrationReceipts",
      dependencies: ["ADALMigration", "ADALCache", "MSALCache", "KeychainItems"]),
    .target(
      name: "MigrationDocuments",
      dependencies: [
        "PlatformFoundation", "ADALMigration", "ADALCache", "MSALCache", "KeychainItems",
        "CacheJSON",
      ]),
    .target(
      name: "MigrationFiles",
      dependencies: [
        "PlatformFoundation",
        "ADALMigration", "MigrationDocuments", "CacheFiles", "MSALCache", "KeychainItems",
      ]),
    .target(
      name: "CacheScrub",
      dependencies: ["KeyedArchive", "CacheJSON", "KeychainItems", "ADALCache", "MSALCache"]),
    .target(name: "ProjectFiles", dependencies: ["PlatformFoundation"]),
    .target(
      name: "ProjectDoctor",
      dependencies: [
        "PlatformFoundation", "ProjectFiles", "MigrationReports", "ADALMigration", "CacheJSON",
      ],
      resources: [
        .embedInCode("Diagnosis/CheckPages.md"), .embedInCode("Facts/ADALNames.md"),
        .embedInCode("Plan/AppDelegate.swift.template"),
        .embedInCode("Plan/AppDelegate.m.template"),
        .embedInCode("Plan/Application.swift.template"),
        .embedInCode("Plan/Application.m.template"),
      ]),
    .executableTarget(
      name: "adal2msal",
      dependencies: [
        "PlatformFoundation",
        "ADALMigration", "MigrationDocuments", "MigrationFiles", "MigrationPolicies",
        "MigrationReports", "MigrationUndo", "MSALCache", "MSALLookup", "LookupAnswers",
        "CacheJSON", "KeychainItems", "CacheFiles", "CacheScrub", "ProjectFiles", "ProjectDoctor",
        "CProcess",
        .product(
          name: "ArgumentParser", package: "swift-argument-parser",
          condition: .when(traits: ["Command"])),
      ],
      resources: [
        .embedInCode("contoso.adalcache"), .embedInCode("Commands/Help.md"),
        .embedInCode("Commands/PredicatePages.md"),
        .embedInCode("Commands/github.yml.template"), .embedInCode("Commands/azure.yml.template"),
      ]),

    .target(
      name: "ItemStoreConformance", dependencies: ["KeychainItems"],
      path: "Tests/ItemStoreConformance"),
    .target(
      name: "DocumentStoreConformance", dependencies: ["KeychainItems"],
      path: "Tests/DocumentStoreConformance"),
    .target(name: "KeychainModel", dependencies: ["KeychainItems"], path: "Tests/KeychainModel"),
    .target(
      name: "SyntheticCaches", dependencies: ["KeychainItems"], path: "Tests/SyntheticCaches"),
    .testTarget(
      name: "ProjectTests",
      dependencies: ["ADALCache", "CacheFiles", "CacheJSON", "KeychainItems", "KeyedArchive"]),
    .target(name: "ArchiveBytes", path: "Tests/ArchiveBytes"),
    .executableTarget(
      name: "plist-dump", dependencies: ["KeyedArchive"], path: "Tests/Judges/PlistDump"),
    .executableTarget(
      name: "rows-dump", dependencies: ["ADALCache", "MigrationDocuments", "KeychainItems"],
      path: "Tests/Judges/RowsDump"),
    .testTarget(name: "KeyedArchiveTests", dependencies: ["KeyedArchive", "ArchiveBytes"]),
    .testTarget(name: "CacheJSONTests", dependencies: ["CacheJSON"]),
    .testTarget(
      name: "KeychainItemsTests",
      dependencies: [
        "KeychainItems", "ItemStoreConformance", "DocumentStoreConformance", "KeychainModel",
      ]),
    .testTarget(
      name: "CacheFilesTests",
      dependencies: [
        "CacheFiles", "KeychainItems", "ItemStoreConformance", "DocumentStoreConformance",
        "ProcessUsage",
      ]),
    .testTarget(
      name: "ADALCacheTests",
      dependencies: [
        "ADALCache", "MigrationDocuments", "CacheJSON", "KeychainItems", "KeyedArchive",
        "ArchiveBytes", "SyntheticCaches", "ProcessUsage",
      ]),
    .target(
      name: "UnifiedVectors", dependencies: ["CacheJSON", "KeychainItems"],
      path: "Tests/UnifiedVectors"),
    .testTarget(
      name: "MSALCacheTests",
      dependencies: [
        "MSALCache", "MigrationDocuments", "CacheJSON", "KeychainItems", "UnifiedVectors",
      ]),
    .testTarget(
      name: "MSALLookupTests",
      dependencies: [
        "MSALLookup", "LookupAnswers", "MSALCache", "CacheJSON", "KeychainItems", "UnifiedVectors",
        "SyntheticCaches", "ProcessUsage",
      ]),
    .testTarget(
      name: "CacheScrubTests",
      dependencies: [
        "CacheScrub", "ADALMigration", "MigrationDocuments", "ADALCache", "MSALCache", "CacheFiles",
        "CacheJSON",
        "KeychainItems", "KeyedArchive", "SyntheticCaches", "ProcessUsage",
      ]),
    .testTarget(
      name: "MigrationFilesTests",
      // The modules that MigrationFiles exports are named too, so that a build notices when its layout changes.
      dependencies: [
        "MigrationFiles", "MigrationDocuments", "ADALMigration", "CacheFiles", "KeychainItems",
      ]),
    .testTarget(name: "ProjectFilesTests", dependencies: ["ProjectFiles"]),
    .testTarget(
      name: "ProjectDoctorTests",
      dependencies: ["ProjectDoctor", "ProjectFiles", "FolderModel", "ProcessUsage"],
      exclude: ["Projects"]),
    .target(name: "FolderModel", dependencies: ["ProjectFiles"], path: "Tests/FolderModel"),
    .target(name: "ProcessUsage", path: "Tests/ProcessUsage"),
    .target(
      name: "HostileInput",
      dependencies: [
        "KeyedArchive", "ADALCache", "MSALCache", "MSALLookup", "CacheFiles", "KeychainItems",
        "ProjectFiles", "ProjectDoctor", "CacheJSON", "ADALMigration", "MigrationDocuments",
        "MigrationReports", "CacheScrub", "FolderModel",
      ],
      path: "Tests/Fuzz/Sources/HostileInput"),
    .testTarget(
      name: "HostileTests",
      dependencies: ["HostileInput", "ProcessUsage"]),
    .testTarget(
      name: "CommandTests",
      dependencies: ["adal2msal", "ADALMigration", "MigrationUndo", "MSALLookup", "LookupAnswers"],
      exclude: ["Scripts"]),
    .testTarget(
      name: "ADALMigrationTests",
      dependencies: [
        "ADALMigration", "MigrationDocuments", "MigrationPolicies", "MigrationReceipts",
        "MigrationReports",
        "MigrationUndo", "ADALCache", "MSALCache", "MSALLookup", "LookupAnswers", "CacheJSON",
        "KeychainItems",
        "CacheFiles", "KeychainModel", "SyntheticCaches", "KeyedArchive",
      ]),
  ],
  swiftLanguageModes: [.v6]
)

// libFuzzer needs a build of its own, with sanitizers (scripts/fuzz); no other build has these targets.
if Context.environment["FUZZING"] != nil {
  package.targets += [
    .systemLibrary(name: "LibFuzzer", path: "Tests/Fuzz/Sources/LibFuzzer"),
    .executableTarget(
      name: "Fuzz", dependencies: ["HostileInput", "LibFuzzer"], path: "Tests/Fuzz/Sources/Fuzz"),
  ]
}

// What is measured (scripts/benchmark): rounds of what has a peer, and an app that links nothing but the library.
if Context.environment["BENCHMARKS"] != nil {
  package.targets += [
    .executableTarget(
      name: "Rounds",
      dependencies: ["ADALMigration", "MigrationReceipts", "CacheFiles", "ADALCache"],
      path: "Tests/Benchmarks/Sources/Rounds"),
    .executableTarget(
      name: "App", dependencies: ["ADALMigration"], path: "Tests/Benchmarks/Sources/App"),
  ]
}

// Tests of optimized libraries take less time (scripts/needs.sh). To optimize the tests, too, and the rooms that they
// ask for little, takes longer than they do. The caches of the laws are made all the time.
if Context.environment["OPTIMIZED_FOR_TESTS"] != nil {
  let seldomAsked: Set = ["adal2msal", "LookupAnswers", "MigrationReports", "ProjectDoctor"]
  for target in package.targets where target.name != "SyntheticCaches" {
    let isOfTests = target.path?.hasPrefix("Tests") ?? (target.type == .test)
    if isOfTests || seldomAsked.contains(target.name) {
      target.swiftSettings = [.unsafeFlags(["-Onone"])]
    }
  }
}
