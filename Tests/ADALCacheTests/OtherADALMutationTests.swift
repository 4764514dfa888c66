// SPDX-License-Identifier: MIT
import ADALCache
import CacheJSON
import MigrationDocuments
import SyntheticCaches
import Testing

/// Every change of one byte and every truncation of a small blob or list: rows and reasons, never a trap,
/// and never a row that the reader cannot have read.
@Suite struct OtherADALMutationTests {
  private static let value = """
    {"RawClientInfo":"ci","RefreshToken":"rt","ResourceInResponse":"r","Result":{"AccessToken":"at",\
    "ExpiresOn":{"DateTime":"\\/Date(17000)\\/"},"UserInfo":{"UniqueId":"ü"}}}
    """
  private static let blobs: [String: [UInt8]] = [
    "schema 3": BlobBytes(value, "{}").bytes,
    "schema 2": BlobBytes(schema: 2, "{\"RefreshToken\":\"rt\",\"UserInfo\":{}}", "{}").bytes,
    "schema 1": BlobBytes(
      schema: 1, Base64.text(of: Array("{\"AccessToken\":\"at\"}".utf8), .standard)
    ).bytes,
    "long": BlobBytes("{}" + String(repeating: " ", count: 200)).bytes,
  ]
  private static let lists: [String: [UInt8]] = [
    "python": Array(
      """
      [{"_clientId": "c", "_authority": "a", "expiresOn": "2023-11-14 23:03:19.5", "expiresIn": 3599, \
      "isMRRT": true, "x": [1, {"y": null}]}, {"servicePrincipalId": "s", "accessToken": "k"}]
      """.utf8),
    "node": Array(
      "[{\"expiresOn\":\"2023-11-14T23:03:19.191Z\",\"_clientId\":\"\\u00e9\",\"_authority\":null}]"
        .utf8),
  ]

  /// The problem with the result of reading `bytes`; nil if there is none.
  private static func complaint(
    _ tokens: [LegacyToken], _ unreadable: [UnreadableToken], _ bytes: [UInt8]
  ) -> String? {
    var places: Set<Int> = []
    for place in tokens.map(\.place) + unreadable.map(\.place) {
      guard case .row(let key) = place, places.insert(key.index).inserted else { return "\(place)" }
    }
    if places.max() ?? -1 != places.count - 1 { return "a row is missing" }
    for token in tokens where !(token.expiresOn ?? 0).isFinite { return "a date without end" }
    for row in unreadable {
      if !(0...bytes.count).contains(row.offset ?? -1) { return "\(row)" }
      if (row.archiveError != nil) != (row.code == .undecodable) { return "\(row)" }
    }
    return nil
  }

  private static func complaint(aboutBlob bytes: [UInt8]) -> String? {
    do {
      let blob = try DotNetBlob(bytes)
      return complaint(blob.tokens, blob.unreadable, bytes)
    } catch {
      return (0...bytes.count).contains(error.offset) ? nil : "\(error)"
    }
  }

  private static func complaint(aboutList bytes: [UInt8]) -> String? {
    guard let list = try? TokenList(bytes, localTime: .utc) else { return nil }
    return complaint(list.tokens, list.unreadable, bytes)
  }

  private static func complaint(about bytes: [UInt8], isBlob: Bool) -> String? {
    isBlob ? complaint(aboutBlob: bytes) : complaint(aboutList: bytes)
  }

  private static let names = (Array(blobs.keys) + Array(lists.keys)).sorted()

  @Test("every byte as every other", arguments: names)
  func changes(name: String) throws {
    let bytes = try #require(Self.blobs[name] ?? Self.lists[name])
    let isBlob = Self.blobs[name] != nil
    #expect(Self.complaint(about: bytes, isBlob: isBlob) == nil)
    var mutant = bytes
    for position in bytes.indices {
      for change in 1...255 as ClosedRange<UInt8> {
        mutant[position] = bytes[position] ^ change
        if let complaint = Self.complaint(about: mutant, isBlob: isBlob) {
          Issue.record("byte \(position) ^ \(change): \(complaint)")
        }
      }
      mutant[position] = bytes[position]
    }
  }

  @Test("every beginning of a blob has its rows and a reason", arguments: blobs.keys.sorted())
  func truncatedBlobs(name: String) throws {
    let bytes = try #require(Self.blobs[name])
    let whole = try DotNetBlob(bytes)
    for count in 1..<bytes.count {
      let beginning = Array(bytes.prefix(count))
      #expect(Self.complaint(aboutBlob: beginning) == nil, "\(count) bytes")
      guard let blob = try? DotNetBlob(beginning) else { continue }
      #expect(blob.tokens == Array(whole.tokens.prefix(blob.tokens.count)), "\(count) bytes")
      #expect(blob.unreadable.map(\.archiveError) == ["truncated"], "\(count) bytes")
    }
  }

  @Test("every beginning of a list has its rows and a reason", arguments: lists.keys.sorted())
  func truncatedLists(name: String) throws {
    let bytes = try #require(Self.lists[name])
    let whole = try TokenList(bytes, localTime: .utc)
    for count in 1..<bytes.count {
      let list = try TokenList(Array(bytes.prefix(count)), localTime: .utc)
      #expect(Self.complaint(list.tokens, list.unreadable, bytes) == nil, "\(count) bytes")
      #expect(list.tokens == Array(whole.tokens.prefix(list.tokens.count)), "\(count) bytes")
      // Where the beginning ends with a bracket of the text itself, it does not look cut off.
      let last = list.unreadable.last
      let isClosed = bytes[count - 1] == UInt8(ascii: "]")
      #expect(last?.archiveError == (isClosed ? "malformed-json" : "truncated"), "\(count) bytes")
      #expect(isClosed || last?.offset == count)
      #expect(isClosed || last?.isCutOff ?? false)
    }
  }

  @Test("every beginning of a given cache", arguments: ["adal-net-5.2.9/guests/cache.dat"])
  func truncatedVector(path: String) throws {
    let bytes = try Vectors.bytes("other-adals/\(path)")
    let whole = try DotNetBlob(bytes)
    for count in stride(from: 8, to: bytes.count, by: 97) {
      guard let blob = try? DotNetBlob(Array(bytes.prefix(count))) else { continue }
      #expect(blob.tokens == Array(whole.tokens.prefix(blob.tokens.count)))
      #expect(blob.unreadable.map(\.archiveError) == ["truncated"])
    }
  }
}
