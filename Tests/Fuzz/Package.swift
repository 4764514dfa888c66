// swift-tools-version: 6.1
// SPDX-License-Identifier: MIT
import PackageDescription

/// The rooms of `doctor` are in no product of adal2msal, so they are compiled here, through links to
/// their folders. The same folder is the target HostileInput of adal2msal itself, whose tests replay what
/// was found. Names of targets must be unique, so each has another one here, and goes by its own name
/// in `import` lines.
let names: [SwiftSetting] = [
  .unsafeFlags([
    "-module-alias", "ProjectFiles=FuzzedProjectFiles",
    "-module-alias", "ProjectDoctor=FuzzedProjectDoctor",
  ])
]

let package = Package(
  name: "adal2msal-fuzz",
  platforms: [.macOS(.v12)],
  dependencies: [
    .package(name: "adal2msal", path: "../..", traits: [])
  ],
  targets: [
    .systemLibrary(name: "LibFuzzer"),
    .target(name: "FuzzedProjectFiles", path: "Sources/ProjectFiles"),
    .target(
      name: "FuzzedProjectDoctor",
      dependencies: [
        "FuzzedProjectFiles", .product(name: "ADALMigration", package: "adal2msal"),
      ],
      path: "Sources/ProjectDoctor",
      exclude: ["Reports", "Plan"],
      swiftSettings: names),
    .target(
      name: "FuzzedInput",
      dependencies: [
        "FuzzedProjectFiles", "FuzzedProjectDoctor",
        .product(name: "ADALMigration", package: "adal2msal"),
        .product(name: "MigrationReports", package: "adal2msal"),
        .product(name: "CacheFiles", package: "adal2msal"),
      ],
      path: "Sources/HostileInput",
      swiftSettings: names),
    .executableTarget(name: "Fuzz", dependencies: ["FuzzedInput", "LibFuzzer"]),
  ],
  swiftLanguageModes: [.v6]
)
