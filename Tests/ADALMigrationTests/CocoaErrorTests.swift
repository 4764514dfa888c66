// SPDX-License-Identifier: MIT
import Foundation
import MSALCache
import Testing

@testable import ADALMigration
@testable import MigrationUndo

// On Apple's systems they are declared in Sources.
#if !canImport(Darwin)
  extension StoreError: CustomNSError {}
  extension MigrationError: CustomNSError {}
  extension JournalError: CustomNSError {}
#endif

/// The properties of an error that Cocoa, Objective-C and an app's alert use.
@Suite struct CocoaErrorTests {
  /// Every error that an app can meet: its code and its name in Objective-C, and what to do.
  private static let cocoa: [(error: any Error, code: Int, name: String, remedy: String)] = [
    (
      StoreError(.notACache, ""), 1, "notACache",
      "Pass the complete, decrypted bytes that ADAL or MSAL stored."
    ),
    (
      StoreError(.unreadable, ""), 2, "unreadable",
      "Check that the place exists and that this program may read it."
    ),
    (
      StoreError(.unwritable, ""), 3, "unwritable",
      "Check that this program may write there, and run it again. Nothing was changed."
    ),
    (
      StoreError(.interrupted, ""), 4, "interrupted",
      "Run it again: it adds the missing entries."
    ),
    (
      StoreError(.locked, ""), 5, "locked",
      "Run it again once the device was unlocked, or when the other program is done."
    ),
    (
      StoreError(.unavailable, ""), 6, "unavailable",
      "Use another place: only Apple's systems have a keychain."
    ),
    (
      StoreError(.refused, ""), 7, "refused",
      "Name the access group in the app's entitlement keychain-access-groups, and sign the app with "
        + "its team's certificate."
    ),
    (
      MigrationError.accessGroupNeeded, 21, "accessGroupNeeded",
      "Name the group with its team prefix, as in "
        + ".items(store, accessGroup: \"ABCDE12345.com.microsoft.adalcache\")."
    ),
    (
      MigrationError.accessGroupWithoutTeam("g", suggestions: []), 23, "accessGroupWithoutTeam",
      "Put the team's prefix before it, as in ABCDE12345.GROUP."
    ),
    (
      MigrationError.accessGroupWithoutTeam("g", suggestions: ["A.g", "B.g"]), 23,
      "accessGroupWithoutTeam",
      "Put the team's prefix before it; the cache suggests A.g or B.g."
    ),
    (
      MigrationError.invalidPolicy("line 2 is wrong"), 31, "policy",
      "Correct the policy or the account map as the sentence says; nothing was read or written."
    ),
    (
      JournalError.notAJournal, 41, "notAJournal",
      "Pass the journal that the migration wrote, unchanged."
    ),
    (
      JournalError.otherVersion(2), 42, "otherVersion",
      "Undo with the version of adal2msal that wrote the journal, or a newer one."
    ),
  ]

  @Test func cocoaKnowsEachErrorByItsCodeAndWhatToDo() {
    for (error, code, name, remedy) in Self.cocoa {
      let cocoa = error as NSError
      #expect(cocoa.domain == "ADALMigrationErrorDomain", "\(name)")
      #expect(cocoa.code == code, "\(name)")
      #expect(cocoa.localizedDescription == "\(error)", "\(name)")
      #expect(cocoa.localizedRecoverySuggestion == remedy, "\(name)")
    }
  }

  /// The names for Objective-C, of which no build on Linux has any, are those of the errors.
  @Test func objectiveCHasTheSameCodes() throws {
    let source = URL(fileURLWithPath: #filePath)
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
      .appendingPathComponent("Sources/ADALMigrationObjC/A2MErrorCode.swift")
    let cases = try String(contentsOf: source, encoding: .utf8).split(separator: "\n").compactMap {
      line -> String? in
      let words = line.split(separator: " ")
      return words.first == "case" ? "\(words[1]) = \(words[3])" : nil
    }
    let codes = Self.cocoa.map { "\($0.name) = \($0.code)" }
    #expect(cases == codes.enumerated().filter { $0 == 0 || codes[$0 - 1] != $1 }.map(\.element))
  }

  /// The likely kind of bytes that are not a blob. The error discloses nothing of them.
  @Test func aBlobThatIsNoneSaysWhatItLooksLike() {
    let blobs: [([UInt8], String)] = [
      ([], "it is empty"),
      ([0, 0, 0, 0], "it contains only zeros"),
      (
        Array("SQLite format 3\0".utf8),
        "it looks like a SQLite database; open a keychain snapshot as a store, with Source.items"
      ),
      (
        Array("<?xml version=\"1.0\"?><plist/>".utf8),
        "it looks like a property list in XML; ADAL's archives are binary"
      ),
      (
        Array(" [{}]".utf8),
        "it looks like a JSON list of ADAL for Python or Node; use Source.list of MigrationDocuments"
      ),
      (
        Array("{}".utf8),
        "it looks like a JSON object, as MSAL's cache document is; use Source.document of MigrationDocuments"
      ),
      (
        [3, 0, 0, 0, 1, 0, 0, 0],
        "it looks like a cache of ADAL.NET; use Source.dotNet of MigrationDocuments"
      ),
      (
        [1, 0, 0, 0, 0xD0, 0x8C, 0x9D, 0xDF, 1],
        "it looks encrypted by Windows (DPAPI); let the app itself pass the bytes after "
          + "ProtectedData.Unprotect"
      ),
      (
        Array("YnBsaXN0MDDUAQ==".utf8), "it looks like an archive in base64; decode it first"
      ),
      (
        Array("62706c6973743030".utf8), "it looks like an archive in hexadecimal; decode it first"
      ),
      (
        Array("\n62706C6973743030".utf8), "it looks like an archive in hexadecimal; decode it first"
      ),
      (
        Array("<plist/>".utf8), "it looks like a property list in XML; ADAL's archives are binary"
      ),
      ([0x1F, 0x8B, 8], "it looks like a compressed file; unpack it first"),
      (Array("PK\u{3}\u{4}".utf8), "it looks like a compressed file; unpack it first"),
      (Array("hello".utf8), "it looks like text"),
      ([4, 0, 0, 0], "its format is unknown; if the app encrypts it, decrypt it first"),
      ([3, 0, 1, 0], "its format is unknown; if the app encrypts it, decrypt it first"),
      (
        [0x9A, 0x01, 0xFE, 0x44],
        "its format is unknown; if the app encrypts it, decrypt it first"
      ),
    ]
    for (bytes, words) in blobs {
      #expect(
        throws: StoreError(.notACache, ""),
        "\(words)"
      ) { try Migration(from: .blob(bytes), into: .items(MemoryStore())).plan() }
      #expect(sentence(.blob(bytes)) == "the blob is not a token cache: \(words)")
    }
    #expect(
      sentence(.blob(Array("bplist00".utf8), file: "mac.adalcache"))
        == "mac.adalcache is not a token cache, or is damaged: truncated at byte 8")
  }

  private func sentence(_ source: Source) -> String {
    do {
      _ = try Migration(from: source, into: .items(MemoryStore())).plan()
      return "done"
    } catch {
      return "\(error)"
    }
  }
}
