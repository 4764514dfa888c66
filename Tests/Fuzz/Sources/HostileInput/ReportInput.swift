// SPDX-License-Identifier: MIT
import ADALMigration
import MigrationDocuments
import CacheFiles
import Foundation
import KeychainItems
import MigrationReports

#if canImport(FoundationXML)
  import FoundationXML
#endif

/// Migrates what `bytes` are, be it a cache or a single item, and writes the report in every form.
func readReport(_ bytes: [UInt8]) throws {
  guard let source = source(of: bytes) else { return }
  let now = Date(timeIntervalSince1970: 1_700_000_000)
  let items = Target.items(MemoryStore(), accessGroup: "ABCDE12345.com.microsoft.adalcache")
  // One form for each input, so that more inputs are tried.
  let target = bytes.count % 2 == 0 ? items : .document(MemoryDocument())
  let migration = Migration(from: source, into: target, now: { now })
  // A cache that cannot be read as a whole has no report. The reader's own target checks its error.
  guard var plan = try? migration.plan() else { return }
  let report = try migration.run()
  try check(report)
  plan.kind = report.kind
  try promise(plan == report, "a dry run tells something else")
  try render(report.masked())
  let again = try migration.run()
  try promise(again.summary.written == 0, "a second run writes")
  try render(try Migration.inspect([source], now: now).report.unmasked())
}

private func source(of bytes: [UInt8]) -> Source? {
  let file = CacheFile(bytes: bytes, name: "input")
  switch file.kind {
  case .items: return .items(ItemFile(bytes: bytes, name: "input"))
  case .dump: return .items(KeychainDump(bytes: bytes, name: "input"))
  case .archive: return .blob(bytes)
  case .blob: return .dotNet(bytes)
  case .list: return TimeZone(secondsFromGMT: 0).map { .list(bytes, timeZone: $0) }
  case .document, .unifiedList: return .document(bytes)
  case .snapshot, .wrapped: return nil
  case .unknown: return .items(MemoryStore([ItemBytes.item(bytes)]), file: "input")
  }
}

private func check(_ report: Report) throws {
  let summary = report.summary
  try promise(
    summary.converted + summary.alreadyThere + summary.notConverted == summary.rows
      && report.entries.count == summary.rows, "a row is lost or counted twice")
  try promise(report.entries.allSatisfy { !$0.reasons.isEmpty }, "a row has no reason")
  try promise(
    !report.findings.contains { $0.reason == .checkNotFound }, "MSAL would not find an account")
}

private func render(_ report: MaskedReport) throws {
  for format in ReportFormat.allCases {
    let text = format.render(report)
    try promise(text.hasSuffix("\n"), "\(format) does not end its last line")
    try promise(!text.unicodeScalars.contains(where: acts), "\(format) has what acts on a terminal")
    switch format {
    case .json, .sarif:
      try promise(
        (try? JSONSerialization.jsonObject(with: Data(text.utf8))) != nil, "\(format) is no JSON")
    case .junit: try promise(XMLParser(data: Data(text.utf8)).parse(), "\(format) is no XML")
    case .github:
      try promise(
        text.split(separator: "\n").allSatisfy { $0.hasPrefix("::") }, "an annotation is broken")
    default: break
    }
  }
}

/// Whether a scalar steers a terminal or the direction of writing.
private func acts(_ scalar: Unicode.Scalar) -> Bool {
  switch scalar.value {
  case 0x0A: false
  case 0..<0x20, 0x7F..<0xA0, 0x202A...0x202E, 0x2066, 0x2067: true
  default: false
  }
}
