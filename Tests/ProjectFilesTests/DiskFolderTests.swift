// SPDX-License-Identifier: MIT
import Foundation
import Testing

@testable import ProjectFiles

/// A folder on disk with what a hostile one may have.
@Suite struct DiskFolderTests {
  private let root: String

  init() throws {
    root = NSTemporaryDirectory() + "doctor-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: root, withIntermediateDirectories: true)
  }

  private func write(_ path: String, _ text: String = "a") throws {
    let folder = root + "/" + RelativePath.folder(of: path)
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try Data(text.utf8).write(to: URL(fileURLWithPath: root + "/" + path))
  }

  @Test func linksAndSpecialFilesAreLeftOut() throws {
    defer { try? FileManager.default.removeItem(atPath: root) }
    try write("a.m")
    try FileManager.default.createSymbolicLink(
      atPath: root + "/out", withDestinationPath: "/")
    try FileManager.default.createSymbolicLink(
      atPath: root + "/b.m", withDestinationPath: "/etc/passwd")
    #expect(mkfifo(root + "/c.m", 0o600) == 0)
    let folder = ProjectFolder(DiskFolder(path: root))
    #expect(folder.files.map(\.path) == ["a.m"])
    #expect(
      folder.skipped.sorted { $0.path < $1.path } == [
        Skipped(path: "b.m", why: "symbolic link"), Skipped(path: "c.m", why: "special file"),
        Skipped(path: "out", why: "symbolic link"),
      ])
    let disk = DiskFolder(path: root)
    #expect(throws: Unreadable(why: "symbolic link")) {
      try disk.bytes(of: "b.m", atMost: 10)
    }
  }

  @Test func whatIsTooLargeIsLeftOut() throws {
    defer { try? FileManager.default.removeItem(atPath: root) }
    try write("a.m")
    let file = fopen(root + "/big.m", "w")
    // A gigabyte that takes no room.
    fseek(file, 1 << 30, SEEK_SET)
    fputc(0, file)
    fclose(file)
    let disk = DiskFolder(path: root)
    var folder = ProjectFolder(disk)
    let read = folder.files.compactMap { folder.read($0, from: disk) }
    #expect(read == [[0x61]])
    #expect(folder.skipped == [Skipped(path: "big.m", why: "larger than 4 MiB")])
  }

  @Test func depthAndNumberAreLimited() throws {
    defer { try? FileManager.default.removeItem(atPath: root) }
    try write("a/b/c/d.m")
    try write("e.m")
    try write("Pods/f.m")
    try write("x.framework/g.m")
    let disk = DiskFolder(path: root)
    let shallow = ProjectFolder(disk, mostFolders: 2)
    #expect(shallow.files.map(\.path) == ["e.m"])
    #expect(shallow.skipped.map(\.path) == ["a/b"])
    #expect(shallow.bundles == ["x.framework"])
    let small = ProjectFolder(disk, mostEntries: 1, mostFolders: 2)
    #expect(small.skipped.map(\.why) == ["more than 1 entries"])
    #expect(ProjectFolder(disk, excluding: [PathPattern("a/**")]).files.map(\.path) == ["e.m"])
  }
}
