// swift-tools-version: 6.1
// SPDX-License-Identifier: MIT
import PackageDescription

// Three packages that use this one: an app that links only the library, an app with names of its own beside it, and a
// server that reads files. The tests check the packages that they resolve and link.
let package = Package(
  name: "Consumer",
  platforms: [.iOS(.v15), .macOS(.v12)],
  dependencies: [.package(name: "adal2msal", path: "../..", traits: [])],
  targets: [
    .executableTarget(
      name: "Consumer", dependencies: [.product(name: "ADALMigration", package: "adal2msal")]),
    .target(name: "AppNames"),
    .executableTarget(
      name: "NamesConsumer",
      dependencies: ["AppNames", .product(name: "ADALMigration", package: "adal2msal")]),
    .executableTarget(
      name: "FileConsumer",
      dependencies: [.product(name: "MigrationFiles", package: "adal2msal")]),
  ]
)
