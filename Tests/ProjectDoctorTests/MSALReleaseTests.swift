// SPDX-License-Identifier: MIT
import Testing

@testable import ProjectDoctor

/// Which systems a release of MSAL needs: table 6.4.
@Suite struct MSALReleaseTests {
  @Test(arguments: [
    ("0.1.0", "10.0", "10.11"), ("1", "10.0", "10.11"), ("1.1", "10.0", "10.11"),
    ("1.1.7", "10.0", "10.11"), ("1.1.8", "11.0", "10.12"), ("1.1.10", "11.0", "10.12"),
    ("1.2", "11.0", "10.12"), ("1.2.5", "11.0", "10.12"), ("1.2.6", "14.0", "10.13"),
    ("1.2.22", "14.0", "10.13"), ("1.4.1", "14.0", "10.13"), ("1.5", "14.0", "10.15"),
    ("1.5.0", "14.0", "10.15"), ("1.9.0", "14.0", "10.15"), ("1.10.0", "14.0", "10.15"),
    ("2.0.0", "14.0", "10.15"), ("2.0.9", "14.0", "10.15"), ("2.1", "16.0", "11.0"),
    ("2.1.0", "16.0", "11.0"), ("2.14.0", "16.0", "11.0"), ("2.99.0", "16.0", "11.0"),
    ("3.0.0", "16.0", "11.0"),
  ])
  func aReleaseNeeds(version: String, iOS: String, macOS: String) throws {
    let release = try #require(MSALRelease(version))
    #expect(release.version == version)
    #expect(release.iOS == iOS && release.macOS == macOS)
  }

  @Test(arguments: [
    "", "x", "2.x", "2.", ".2", "2..1", "1.2.3.4", "-1", "2.14.0-beta", " 2", "99999999999", "2,1",
  ])
  func whatIsNoRelease(version: String) {
    #expect(MSALRelease(version) == nil)
  }

  @Test func theNewestIsWhatItIsWithoutAWord() {
    #expect(MSALRelease.newest == MSALRelease("2.14.0"))
  }

  @Test(arguments: [
    ("9.0", "10.0", true), ("10.0", "9.0", false), ("10", "10.0", false), ("10.9", "10.10", true),
    ("8.0", "8.0.1", true), ("", "1", true), ("16.0", "16", false), ("11.0b", "11.1", true),
  ])
  func versionsAreComparedAsNumbers(left: String, right: String, isOlder: Bool) {
    #expect(left.isOlderVersion(than: right) == isOlder)
  }
}
