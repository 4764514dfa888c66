// SPDX-License-Identifier: MIT
import KeychainItems
import KeyedArchive

/// The meaning of a keychain item to ADAL.
package enum LegacyItem: Sendable {
  /// A row that ADAL archived.
  case token(LegacyToken)
  /// A row that ADAL archived and that cannot be decoded.
  case unreadable(UnreadableToken)
  /// Xamarin's cache: the rows of all users in one item.
  case cache(DotNetBlob)
  /// No row: an item of another library, or one that ADAL made beside its rows (adal-cache-format §1.9, §1.11).
  case foreign

  /// The generic attribute of every row since ADAL 1.0, and the first part of its service
  /// (adal-cache-format §1.1).
  package static let library = "MSOpenTech.ADAL.1"

  /// The placeholder in a service without a resource (adal-cache-format §1.1).
  package static let noResource = "CC3513A0-0E69-4B4D-97FC-DFB6C91EE132"

  /// Recognizes an item. A row is told by its generic attribute, never by its service alone.
  package init(_ item: borrowing KeychainItem) {
    if Self.isRow(item) {
      // Reveal: the archive is decoded here; its tokens become secrets again.
      let bytes = item.data?.reveal()
      self.init(
        archive: bytes, place: .keychain(LegacyPlace.KeychainKey(item)),
        ServiceKey(item.service), userID: ServiceKey.userID(account: item.account))
    } else if Self.isPreview(item) {
      // The previews wrote the user's name as it is.
      let user = item.account.isEmpty ? nil : item.account
      let place = LegacyPlace.keychain(LegacyPlace.KeychainKey(item))
      self = .unreadable(UnreadableToken(place: place, code: .previewFormat, userID: user))
    } else if Self.isCache(item) {
      // Reveal: the blob is decoded here; its tokens become secrets again.
      self.init(blob: item.data?.reveal() ?? [], in: LegacyPlace.KeychainKey(item))
    } else {
      self = .foreign
    }
  }

  /// The item that is archived in `bytes`, without any attributes: a token or unreadable.
  package init(archive bytes: [UInt8]) {
    self.init(archive: bytes, place: .archive(index: 0), nil, userID: nil)
  }

  private init(
    archive bytes: [UInt8]?, place: consuming LegacyPlace, _ service: ServiceKey?, userID: String?
  ) {
    // Made with all that it says and given away: a token of forty fields is dear to copy.
    var token = LegacyToken(
      userID: userID, applicationIdentifier: service?.applicationIdentifier,
      hasPrimaryRefreshTokenKey: service?.isPrimaryRefreshToken ?? false, place: place,
      origin: .apple)
    guard var row = Self.read(bytes, into: &token) else {
      self = .token(consume token)
      return
    }
    row.userID = userID
    row.authority = service?.authority
    row.resource = service?.resource
    row.clientID = service?.clientID
    self = .unreadable(row)
  }

  /// Reads the row at the root of an archive. The result is the known facts about an unreadable row, or about a row
  /// with a secret as one of its texts; nil for a row that was read.
  private static func read(
    _ bytes: [UInt8]?, into token: inout LegacyToken
  ) -> UnreadableToken? {
    guard let bytes else { return UnreadableToken(place: token.place, code: .malformed) }
    do throws(KeyedArchiveError) {
      var reader = try ItemReader(bytes)
      let row = try reader.read(try reader.archive.root(), into: &token)
      guard let secrets = SharedSecrets(reader.archive.textsKeptSecret) else { return row }
      return row.map(secrets.checked) ?? secrets.unreadable(token)
    } catch {
      return UnreadableToken(place: token.place, error)
    }
  }

  private init(blob bytes: [UInt8], in key: LegacyPlace.KeychainKey) {
    do {
      self = .cache(try DotNetBlob(bytes, in: key))
    } catch {
      self = .unreadable(UnreadableToken(place: .keychain(key), error))
    }
  }

  /// ADAL's generic attribute, and that of 0.5-alpha.
  private static let rowGenerics = [
    Array(LegacyItem.library.utf8), Array("MSOpenTech.ADAL.1.0".utf8),
  ]
  private static let timerService = "NextTombstoneCleanTime"

  /// Whether ADAL filed the item as a token. The betas of 2.1 filed their timer so, too.
  private static func isRow(_ item: KeychainItem) -> Bool {
    guard let generic = item.generic else { return false }
    return rowGenerics.contains(generic) && !item.service.isSpelled(timerService)
  }

  /// Whether the item is from one of ADAL 3.0.0's previews. Their payload is the generic attribute.
  private static func isPreview(_ item: KeychainItem) -> Bool {
    guard let generic = item.generic else { return false }
    return item.service == "MSOpenTech.ADAL" && generic.starts(with: Array("bplist00".utf8))
  }

  /// Whether the item is the one in which ADAL.NET on Xamarin.iOS keeps its cache, and MSAL.NET after it.
  package static func isCache(_ item: KeychainItem) -> Bool {
    item.service == cacheService && item.account == cacheAccount
  }

  /// Whether the item holds rows of ADAL's by its attributes, whatever its data says.
  package static func isOfADAL(_ item: KeychainItem) -> Bool {
    isRow(item) || isPreview(item) || isCache(item)
  }

  /// The service of Xamarin's cache.
  package static let cacheService = "ADAL.PCL.iOS Service"
  /// The account of Xamarin's cache.
  package static let cacheAccount = "ADAL.PCL.iOS cache"
}

extension UnreadableToken {
  init(place: LegacyPlace, _ error: KeyedArchiveError) {
    self.init(
      place: place, code: .undecodable, archiveError: error.code.description,
      offset: error.offset)
  }
}
