// SPDX-License-Identifier: MIT
import ADALCache
import CacheFiles
import KeychainItems
import MigrationDocuments

func readDotNet(_ bytes: [UInt8]) throws {
  let place = LegacyPlace.KeychainKey(
    accessGroup: "G", account: "ADAL.PCL.iOS cache", service: "ADAL.PCL.iOS Service")
  let item = LegacyItem(
    KeychainItem(
      accessGroup: place.accessGroup, account: place.account, service: place.service,
      data: TokenSecret(bytes)))
  let blob: DotNetBlob
  do {
    blob = try DotNetBlob(bytes)
  } catch {
    try promise((0...bytes.count).contains(error.offset), "an error beyond the blob")
    let row = UnreadableToken(
      place: .keychain(place), code: .undecodable, archiveError: error.code.description,
      offset: error.offset)
    guard case .unreadable(row) = item else {
      throw BrokenPromise("an item is not refused as its blob is")
    }
    return
  }
  try checkRows(blob.tokens, blob.unreadable, bytes)
  guard case .cache(let inItem) = item else { throw BrokenPromise("an item is no cache") }
  try promise(
    inItem.tokens.map(\.refreshToken) == blob.tokens.map(\.refreshToken),
    "an item has other rows than its blob")
  guard let beginning = try? DotNetBlob(Array(bytes.prefix(bytes.count * 3 / 4))) else { return }
  try promise(
    blob.tokens.starts(with: beginning.tokens), "the beginning of a blob has other rows")
}

func readList(_ bytes: [UInt8]) throws {
  // Half a day ahead, half of the time; the clock is put back where that ends.
  let localTime = LocalTime { Int($0.rounded(.down)) & 0x80_0000 == 0 ? 43200 : 0 }
  let list: TokenList
  do {
    list = try TokenList(bytes, localTime: localTime)
  } catch {
    try promise((0...bytes.count).contains(error.offset), "an error beyond the list")
    return
  }
  try checkRows(list.tokens, list.unreadable, bytes)
  for token in list.tokens {
    try promise((token.expiresOn ?? 0).isFinite, "an instant without end")
  }
  let half = Array(bytes.prefix(bytes.count / 2))
  guard let beginning = try? TokenList(half, localTime: localTime) else { return }
  try promise(
    list.tokens.starts(with: beginning.tokens), "the beginning of a list has other rows")
}

/// Each row has its place, and each reason its own in the bytes.
private func checkRows(
  _ tokens: [LegacyToken], _ unreadable: [UnreadableToken], _ bytes: [UInt8]
) throws {
  var places: Set<Int> = []
  for place in tokens.map(\.place) + unreadable.map(\.place) {
    guard case .row(let key) = place else { throw BrokenPromise("a row is in no row") }
    try promise(places.insert(key.index).inserted, "two rows are one")
  }
  try promise((places.max() ?? -1) == places.count - 1, "a row has no entry")
  for row in unreadable {
    try promise((0...bytes.count).contains(row.offset ?? -1), "a reason beyond the bytes")
  }
}

func readWrapped(_ bytes: [UInt8]) throws {
  let isWrapped = CacheFile(bytes: bytes, name: "input").kind == .wrapped
  do {
    let cache = try WrappedCache(bytes: bytes, name: "input")
    let size = cache.contents.reduce(0) { $0 + $1.count }
    try promise(!cache.contents.isEmpty && size <= bytes.count, "more is inside than around")
    for content in cache.contents { _ = try? DotNetBlob(content) }
  } catch let error as StoreError {
    try promise(error.code == .notACache, "what is wrapped is \(error.code)")
    try promise(
      isWrapped || error.message.hasSuffix("contains no wrapped cache"),
      "a kind is not what is read")
  }
}
