// SPDX-License-Identifier: MIT
import ADALCache
import ArchiveBytes
import KeychainItems
import Testing

/// An unreadable name of a field may be that of any field which is missing.
@Suite struct DamagedNameTests {
  /// The fields that every ADAL archives, possibly as null.
  private static let always = ["authority", "clientId", "resource", "accessToken", "refreshToken"]

  /// An item with these fields, one more under a name of half a character where that is asked for.
  private func item(_ names: [String], isDamaged: Bool) -> LegacyItem {
    var archive = ArchiveBytes(width: 1)
    var keys = names.map { archive.string($0) }
    if isDamaged { keys.append(archive.add([0x62, 0, 0x65, 0xD8, 0x3D])) }
    let values = keys.indices.map { archive.uid(archive.string("text \($0)")) }
    let record = archive.record("ADTokenCacheItem")
    let root = archive.container(0xD0, keys + [archive.string("$class")] + values + [record])
    return LegacyItem(archive: archive.bytes(root: root))
  }

  @Test("nothing is known of a row that lacks one", arguments: always)
  func missing(name: String) {
    let others = Self.always.filter { $0 != name }
    guard case .unreadable(let row) = item(others, isDamaged: true) else {
      Issue.record("a row without \(name) is read")
      return
    }
    #expect(row.code == .undecodable && row.archiveError == "malformed-string")
    guard case .token = item(others, isDamaged: false) else {
      Issue.record("a row without \(name) is not read though its names are")
      return
    }
  }

  @Test("a row that has them all has lost something else") func complete() {
    guard case .token(let token) = item(Self.always, isDamaged: true) else {
      Issue.record("no row is read")
      return
    }
    #expect(token.droppedFields == ["?"])
    #expect(token.authority == "text 0" && token.resource == "text 2")
  }

  /// The archive's reader knows names of classes as it knows those of fields.
  @Test("a field that is named as a class is none") func className() {
    guard case .token(let token) = item(Self.always + ["ADUserInformation"], isDamaged: false)
    else {
      Issue.record("no row is read")
      return
    }
    #expect(token.droppedFields == [] && token.refreshToken == TokenSecret("text 4"))
  }

  /// It has no number, so that it is known by its text.
  @Test("a class that is spelled in UTF-16 is ADAL's") func wideClassName() {
    var archive = ArchiveBytes(width: 1)
    func record(_ name: String) -> Int {
      let text =
        PropertyListBytes.head(0x60, UInt64(name.utf8.count)) + name.utf8.flatMap { [0, $0] }
      return archive.uid(
        archive.container(0xD0, [archive.string("$classname"), archive.add(text)]))
    }
    let id = archive.uid(archive.string("user@contoso.com"))
    let user = archive.uid(archive.object(record: record("ADUserInformation"), [("userId", id)]))
    let root = archive.object(record: record("ADTokenCacheItem"), [("userInformation", user)])
    guard case .token(let token) = LegacyItem(archive: archive.bytes(root: root)) else {
      Issue.record("no row is read")
      return
    }
    #expect(token.archivedUserID == "user@contoso.com" && token.className == "ADTokenCacheItem")
    #expect(token.droppedFields == [] && !token.failsSecureCoding)
  }
}
