// SPDX-License-Identifier: MIT

/// The readers of untrusted bytes. Each case is one fuzz target.
///
/// ``read(_:)`` gives such bytes to a reader as its callers do, and sees that its promises hold: a value
/// or an error of the documented type, and no loss in writing again what was read.
public enum HostileInput: String, CaseIterable, Sendable {
  /// A property list, and everything that an archive's root leads to.
  case archive
  /// A keychain item as a row of ADAL's; see ``ItemBytes``.
  case item
  /// A whole cache of ADAL for macOS.
  case blob
  /// ADAL.NET's blob, alone and in Xamarin's keychain item.
  case dotnet
  /// A list of ADAL for Python or Node.
  case list
  /// The wrappings that an app or a tool puts around a blob.
  case wrapped
  /// A keychain item as an entry of MSAL's, and its data as claims; see ``ItemBytes``.
  case unified
  /// The portable document.
  case document
  /// Keychain items as JSON, or as another tool wrote them down.
  case items
  /// A SQLite file.
  case snapshot
  /// The schema of a SQLite file.
  case schema
  /// An app's project: paths and contents in turn, as the doctor reads them.
  case project
  /// JSON, as Foundation reads it too.
  case json
  /// A cache or an item, migrated, and the report in every form.
  case report
  /// A cache or the data of an item, scrubbed.
  case scrub

  /// Reads `bytes`.
  ///
  /// - Throws: ``BrokenPromise``, or an error that the reader should not have thrown.
  public func read(_ bytes: [UInt8]) throws {
    switch self {
    case .archive: try readArchive(bytes)
    case .item: readItem(bytes)
    case .blob: try readBlob(bytes)
    case .dotnet: try readDotNet(bytes)
    case .list: try readList(bytes)
    case .wrapped: try readWrapped(bytes)
    case .unified: try readMSALItem(bytes)
    case .document: try readDocument(bytes)
    case .items: try readItems(bytes)
    case .snapshot: try readSnapshot(bytes)
    case .schema: try readSchema(bytes)
    case .project: try readProject(bytes)
    case .json: try readJSON(bytes)
    case .report: try readReport(bytes)
    case .scrub: try readScrub(bytes)
    }
  }
}

/// Something that a reader promises and does not keep.
public struct BrokenPromise: Error, CustomStringConvertible {
  public let description: String

  init(_ description: String) {
    self.description = description
  }
}

/// Sees that a promise is kept.
func promise(_ isKept: Bool, _ words: @autoclosure () -> String) throws(BrokenPromise) {
  guard isKept else { throw BrokenPromise(words()) }
}
