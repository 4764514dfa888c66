// swift-tools-version: 6.1
// SPDX-License-Identifier: MIT
import PackageDescription

let package = Package(
  name: "StartupMigration",
  platforms: [.iOS(.v15), .macOS(.v12)],
  dependencies: [.package(name: "adal2msal", path: "../..", traits: [])],
  targets: [
    .executableTarget(
      name: "StartupMigration",
      dependencies: [
        .product(name: "ADALMigration", package: "adal2msal"),
        .product(name: "CacheFiles", package: "adal2msal"),
      ])
  ]
)
