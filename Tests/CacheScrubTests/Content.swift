// SPDX-License-Identifier: MIT
import ADALCache
import CacheFiles
import CacheJSON
import Foundation
import KeychainItems

@testable import ADALMigration
import MigrationDocuments
@testable import CacheScrub

/// A cache of any kind, and what a migration makes of it.
enum Content {
  case items([KeychainItem])
  case file([UInt8])

  /// The cache in a file; nil when it is none that is read.
  init?(_ url: URL) throws {
    let file = try CacheFile(path: url.path)
    switch file.kind {
    case .snapshot: self = .items(try SnapshotFile(path: url.path).items())
    case .items, .dump, .archive, .document, .blob, .list, .unifiedList, .wrapped:
      self = .file(file.bytes)
    default: return nil
    }
  }

  func scrubbed(by scrub: inout CacheScrub) -> Content {
    switch self {
    case .items(let items): .items(items.map { scrub.item($0) })
    case .file(let bytes): .file(scrub.bytes(bytes))
    }
  }

  var bytes: [UInt8] {
    switch self {
    case .items(let items):
      items.flatMap { item in
        let names = Array("\(item.accessGroup) \(item.account) \(item.service)".utf8)
        return [names, item.generic ?? [], item.data?.reveal() ?? []].joined()
      }
    case .file(let bytes): bytes
    }
  }

  /// Calls for the bytes of a file, or for each item.
  func forEachPart(_ bytes: ([UInt8]) -> Void, item: (KeychainItem) -> Void) {
    switch self {
    case .items(let items): items.forEach(item)
    case .file(let all): bytes(all)
    }
  }

  /// The bytes of a file, or each text and data of the items.
  private var parts: [[UInt8]] {
    switch self {
    case .items(let items): items.flatMap(\.parts)
    case .file(let all): [all]
    }
  }

  /// The content that only this cache has, as the command's search knows it.
  var windows: SourceWindows {
    var windows = SourceWindows(size: bytes.count)
    for part in parts { windows.add(part) }
    return windows
  }

  /// Whether the search before a copy is published finds something of this cache in what was made of it.
  ///
  /// - Parameter windows: of this cache.
  func isFound(in made: Content, by windows: SourceWindows) -> Bool {
    var search = LeftoverSearch(windows)
    for part in made.parts { search.look(in: part) }
    for part in parts { search.confirm(by: part) }
    return search.hasFound
  }

  private var source: Source? {
    switch self {
    case .items(let items): .items(MemoryStore(items), file: nil)
    case .file(let bytes):
      switch CacheFile(bytes: bytes, name: "cache").kind {
      case .items: .items(ItemFile(bytes: bytes, name: "cache"), file: nil)
      case .dump: .items(KeychainDump(bytes: bytes, name: "cache"), file: nil)
      case .archive: .blob(bytes, file: nil)
      case .document, .unifiedList: .document(bytes, file: nil)
      case .blob: .dotNet(bytes, file: nil)
      case .list: .list(bytes, timeZone: .gmt, file: nil)
      case .wrapped:
        (try? WrappedCache(bytes: bytes, name: "cache"))?.contents.first.map {
          .dotNet($0, file: nil)
        }
      default: nil
      }
    }
  }

  /// A report without any names.
  struct Outline: Equatable {
    var counts: [Int]
    /// How many rows of each kind there are with the same reasons and outcome.
    var rows: [String: Int]
    var findings: [String: Int]
    var accounts: [String: Int]
  }

  static let clock = Date(timeIntervalSince1970: 1_700_000_000)

  func report() throws -> Report? {
    guard let source else { return nil }
    let target = Target.items(MemoryStore(), accessGroup: "TEAM000001.com.microsoft.adalcache")
    return try? Migration(from: [source], into: target, now: { Self.clock }).plan()
  }

  static func outline(of report: Report) -> Outline {
    let summary = report.summary
    func count(_ texts: [String]) -> [String: Int] {
      texts.reduce(into: [:]) { $0[$1, default: 0] += 1 }
    }
    return Outline(
      counts: [
        summary.rows, summary.converted, summary.alreadyThere, summary.notConverted,
        summary.foreign, summary.accounts, summary.accountsSignedIn, summary.written,
      ],
      rows: count(
        report.entries.map {
          "\($0.kind) \($0.outcome) \($0.reasons.map(\.code).sorted()) \($0.writes.count)"
        }),
      findings: count(
        report.findings.map { "\($0.reason.code) \($0.severity) \($0.rows.count)" }),
      accounts: count(
        report.accounts.map {
          "\($0.confidence) \($0.signedIn) \($0.clients.count) \($0.realms.count)"
        }))
  }

  /// Every token, name and identifier that readers find, and that its report has.
  func sensitiveTexts(_ report: Report) throws -> [String] {
    var texts: [String] = []
    for entry in report.entries {
      texts += [entry.userID, entry.homeAccountID, entry.clientID].compactMap { $0 }
    }
    for token in try tokens() {
      for secret in [token.accessToken, token.refreshToken, token.rawIDToken] {
        texts += Self.pieces(of: secret?.revealText() ?? "")
      }
      texts += [token.userID, token.archivedUserID, token.homeAccountID].compactMap { $0 }
    }
    for payload in try payloads() {
      for name in [
        "secret", "username", "home_account_id", "local_account_id", "client_id", "name",
      ] {
        if case .string(let text)? = payload[name] { texts += Self.pieces(of: text) }
      }
    }
    return texts
  }

  private func tokens() throws -> [LegacyToken] {
    try keychainItems().compactMap {
      if case .token(let token) = LegacyItem($0) { token } else { nil }
    }
  }

  private func keychainItems() throws -> [KeychainItem] {
    switch self {
    case .items(let items): return items
    case .file(let bytes):
      switch CacheFile(bytes: bytes, name: "").kind {
      case .items: return try ItemFile(bytes: bytes, name: "").items()
      case .dump: return try KeychainDump(bytes: bytes, name: "").items()
      default: return []
      }
    }
  }

  private func payloads() throws -> [[String: JSONValue]] {
    try keychainItems().compactMap { item in
      guard let data = item.data?.reveal(),
        case .object(let members)? = try? JSONValue(data, rules: .apple)
      else { return nil }
      return members
    }
  }

  /// The parts of a token that must be gone: all of it, or of a JWT the values of its claims and its signature. The
  /// names of the claims and the dates stay.
  private static func pieces(of token: String) -> [String] {
    let parts = token.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 3, let bytes = Base64.bytes(of: parts[1], .lenientURL),
      case .object(let claims)? = try? JSONValue(bytes, rules: .apple)
    else { return [token] }
    return [parts[2]]
      + claims.filter { !["ver", "typ", "alg"].contains($0.key) }
      .compactMap { if case .string(let text) = $0.value { text } else { nil } }
  }

  /// The bytes as texts: as they are, and everything in base64 or in hexadecimal digits in them.
  var layers: [[UInt8]] {
    var layers: [[UInt8]] = []
    var waiting = [bytes]
    while let bytes = waiting.popLast(), layers.count < 5000 {
      layers.append(bytes)
      // UTF-16 as UTF-8, roughly.
      layers.append(bytes.filter { $0 != 0 })
      let isWord = { (byte: UInt8) in
        Hexadecimal.value(of: byte) != nil || ("g"..."z").contains(Unicode.Scalar(byte))
          || ("G"..."Z").contains(Unicode.Scalar(byte)) || "+/-_".utf8.contains(byte)
      }
      for piece in bytes.split(whereSeparator: { !isWord($0) }) where piece.count >= 16 {
        let text = String(decoding: piece, as: UTF8.self)
        if let inner = Base64.bytes(of: text, .lenientURL), inner.count >= 8 {
          waiting.append(inner)
        }
        let digits = text.hasPrefix("0x") ? text.dropFirst(2) : text[...]
        if let inner = Hexadecimal.bytes(Array(digits.utf8)[...]) { waiting.append(inner) }
      }
    }
    return layers
  }
}

/// Every window of eight bytes of some texts, but for what everybody has.
struct Windows {
  private static let width = 8
  private var windows: Set<UInt64> = []

  /// Every piece of what stays, up to the width of a window.
  private static let spared: Set<String> = {
    let texts = Vocabulary.words.union(Vocabulary.phrases).union(Vocabulary.identifiers)
      .union(Vocabulary.topLevel)
    return texts.reduce(into: []) { pieces, text in
      for start in text.indices {
        for count in 1...width { pieces.insert(String(text[start...].prefix(count))) }
      }
    }
  }()

  init(_ texts: [String]) {
    for text in Set(texts) {
      Self.visit(text.utf8) { window in
        if !windows.contains(window), !Self.saysNothing(window) { windows.insert(window) }
        return true
      }
    }
  }

  var isEmpty: Bool { windows.isEmpty }

  /// The first window that some bytes have.
  func first(in bytes: [UInt8]) -> String? {
    guard !isEmpty else { return nil }
    var found: String?
    Self.visit(bytes) { window in
      if windows.contains(window) { found = Self.text(of: window) }
      return found == nil
    }
    return found
  }

  /// Calls for each window, its bytes as one number, until it is told to stop.
  private static func visit(_ bytes: some Sequence<UInt8>, _ isToGoOn: (UInt64) -> Bool) {
    var window: UInt64 = 0
    var count = 0
    for byte in bytes {
      window = window << 8 | UInt64(byte)
      count += 1
      if count >= width, !isToGoOn(window) { return }
    }
  }

  private static func text(of window: UInt64) -> String {
    withUnsafeBytes(of: window.bigEndian) { String(decoding: $0, as: UTF8.self) }
  }

  /// Whether a window is nothing but pieces of what stays.
  private static func saysNothing(_ window: UInt64) -> Bool {
    let text = text(of: window).lowercased()
    if spared.contains(text) { return true }
    let isWord = { (byte: UInt8) in Unicode.Scalar(byte).isWord }
    return text.utf8.split(whereSeparator: { !isWord($0) }).allSatisfy { piece in
      let word = String(decoding: piece, as: UTF8.self)
      return piece.count < 2 || word.allSatisfy { $0 == "0" } || spared.contains(word)
    }
  }
}
