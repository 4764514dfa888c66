// swift-tools-version: 6.1
// SPDX-License-Identifier: MIT
import PackageDescription

let package = Package(
  name: "OwnStore",
  platforms: [.iOS(.v15), .macOS(.v12)],
  dependencies: [.package(name: "adal2msal", path: "../..", traits: [])],
  targets: [
    .executableTarget(
      name: "OwnStore",
      dependencies: [
        .product(name: "MigrationFiles", package: "adal2msal"),
        .product(name: "StoreConformance", package: "adal2msal"),
      ])
  ]
)
