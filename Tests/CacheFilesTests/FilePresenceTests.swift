// SPDX-License-Identifier: MIT
import Foundation
import KeychainItems
import Testing

@testable import CacheFiles

/// Absent is what the system calls so, and nothing else.
@Suite struct FilePresenceTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  @Test(
    "a slash and an accent after it are two names",
    arguments: [
      "\u{301}b.json", "\u{301}b.json/", "c\u{0600}/", "c",
    ])
  func namesAreBytes(name: String) throws {
    let path = folder.path(name)
    let place = try FilePlace(path, for: .writing)
    let endsInSlash = path.utf8.last == UInt8(ascii: "/")
    #expect(place.real.utf8.elementsEqual(path.utf8.dropLast(endsInSlash ? 1 : 0)))
    #expect(!place.name.utf8.contains(UInt8(ascii: "/")))
  }

  @Test func onlyNoSuchFileIsAbsent() throws {
    try folder.write("x", to: "file")
    #expect(symlink("loop", folder.path("loop")) == 0)
    #expect(symlink("none", folder.path("dangling")) == 0)
    for (name, followed) in [
      ("none", false), ("none/x", false), ("file/x", false), ("dangling", true),
    ] {
      let found = try FileStatus.at(folder.path(name), followsLinks: followed)
      #expect(found?.identity == nil)
    }
    #expect(
      try FileStatus.at(folder.path("dangling"), followsLinks: false)?.isLink == true)
    #expect(try FileStatus.at(folder.path("file"), followsLinks: true)?.isRegular == true)
    let long = String(repeating: "x", count: 300)
    for (name, number) in [
      ("loop", ELOOP), ("loop/x", ELOOP), (long, ENAMETOOLONG), ("a\0b", EINVAL),
    ] {
      do {
        _ = try FileStatus.at(folder.path(name), followsLinks: true)
        Issue.record("\(name) is absent")
      } catch {
        #expect(error.number == number)
      }
    }
  }

  @Test func aFolderThatMayNotBeSearchedIsNotEmpty() async {
    await #expect(processExitsWith: .success) {
      let folder = try TemporaryFolder()
      let path = folder.path("inside/cache.json")
      precondition(mkdir(folder.path("inside"), 0o700) == 0)
      try folder.write("{}", to: "inside/cache.json")
      precondition(chmod(folder.path, 0o755) == 0)
      if geteuid() == 0 {
        precondition(setgid(65534) == 0 && setuid(65534) == 0)
      } else {
        precondition(chmod(folder.path("inside"), 0) == 0)
      }
      #expect(throws: StoreError(.unreadable, "")) { try DocumentFile(path: path).read() }
      #expect(throws: StoreError(.unwritable, "")) { try OutputFile(path: path).exists }
      #expect(throws: StoreError(.unreadable, "")) {
        try SnapshotFile(path: path, missing: .isEmpty).items()
      }
      #expect(throws: StoreError(.unreadable, "")) {
        try ItemFile(path: path, missing: .isEmpty).items()
      }
      chmod(folder.path("inside"), 0o700)
    }
  }

  /// A store that was told of a file does not make it anew when it is gone.
  @Test func whatWasThereIsNotMadeAnew() throws {
    let one = KeychainItem(accessGroup: "G", account: "a", service: "s")
    for store in [
      SnapshotFile(path: folder.path("a.sqlite")), ItemFile(path: folder.path("a.items.json")),
    ] as [any ItemStore] {
      #expect(throws: StoreError.self) { try store.add([one]) }
    }
    #expect(try folder.names == [])
  }

  @Test func aPlaceIsWithoutLinks() throws {
    let real = try FilePlace(folder.path("x"), for: .reading).folder
    try folder.write("x", to: "file")
    #expect(symlink("file", folder.path("one")) == 0)
    #expect(symlink("one", folder.path("two")) == 0)
    #expect(symlink("none", folder.path("dangling")) == 0)
    for (name, end) in [("file", "file"), ("two", "file"), ("none", "none"), ("./file", "file")] {
      let place = try FilePlace(folder.path(name), for: .writing)
      #expect((place.folder, place.name) == (real, end))
    }
    #expect(try FilePlace.find(folder.path("none/x"), for: .reading)?.name == nil)
    for (use, code) in [(.reading, .unreadable), (.writing, .unwritable)]
      as [(FilePlace.Use, StoreError.Code)]
    {
      do {
        _ = try FilePlace(folder.path("dangling"), for: use)
        Issue.record("found")
      } catch {
        #expect(error.code == code)
        #expect(error.message.hasSuffix("dangling is a link to none, which does not exist"))
      }
    }
  }
}
