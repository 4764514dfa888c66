// swift-tools-version: 6.1
// SPDX-License-Identifier: MIT
import PackageDescription

/// What `scripts/benchmark` builds: the command, rounds of what has a peer, and the app of Tests/Consumer.
let package = Package(
  name: "adal2msal-benchmarks",
  platforms: [.iOS(.v15), .macOS(.v12)],
  dependencies: [.package(name: "adal2msal", path: "../..")],
  targets: [
    .executableTarget(
      name: "Rounds",
      dependencies: [
        .product(name: "ADALMigration", package: "adal2msal"),
        .product(name: "CacheFiles", package: "adal2msal"),
      ]),
    .executableTarget(
      name: "App", dependencies: [.product(name: "ADALMigration", package: "adal2msal")]),
  ],
  swiftLanguageModes: [.v6]
)
