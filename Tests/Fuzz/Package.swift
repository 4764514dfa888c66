// swift-tools-version: 6.1
// SPDX-License-Identifier: MIT
import PackageDescription

let package = Package(
  name: "adal2msal-fuzz",
  platforms: [.macOS(.v12)],
  dependencies: [.package(name: "adal2msal", path: "../..")],
  targets: [
    .systemLibrary(name: "LibFuzzer"),
    // The same folder is the target HostileInput of adal2msal itself, whose tests replay what was
    // found; names of targets must be unique, so it has another one here.
    .target(
      name: "FuzzedInput",
      dependencies: [
        .product(name: "ADALMigration", package: "adal2msal"),
        .product(name: "CacheFiles", package: "adal2msal"),
      ],
      path: "Sources/HostileInput"),
    .executableTarget(name: "Fuzz", dependencies: ["FuzzedInput", "LibFuzzer"]),
  ],
  swiftLanguageModes: [.v6]
)
