# SPDX-License-Identifier: MIT
# The pod of the framework that `scripts/xcframework` builds, for projects that cannot take a Swift package.
Pod::Spec.new do |spec|
  spec.name = "ADALMigrationObjC"
  spec.version = "@VERSION@"
  spec.summary = "Moves an app's signed-in users from ADAL to MSAL."
  spec.description = <<-TEXT
    Reads the tokens that ADAL for iOS and macOS left in the keychain and adds MSAL's entries for them when an app
    starts, so that users stay signed in. For apps in Objective-C, and in Swift.
  TEXT
  spec.homepage = "https://github.com/adal2msal/adal2msal"
  spec.license = { :type => "MIT" }
  spec.author = "The adal2msal authors"
  spec.source = {
    :http => "https://github.com/adal2msal/adal2msal/releases/download/v@VERSION@/ADALMigrationObjC.xcframework.zip",
    :sha256 => "@CHECKSUM@",
  }
  spec.ios.deployment_target = "15.0"
  spec.osx.deployment_target = "12.0"
  spec.vendored_frameworks = "ADALMigrationObjC.xcframework"
  spec.frameworks = "Foundation", "Security"
end
