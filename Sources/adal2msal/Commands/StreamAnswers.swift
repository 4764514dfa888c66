// SPDX-License-Identifier: MIT
import ADALMigration
import CacheFiles
import CacheJSON
import PlatformFoundation
import KeychainItems
import MigrationReports

/// The answers of a stream, until they are written.
struct StreamAnswers {
  /// The number of bytes after which answers are written.
  private static let portion = 1 << 16
  /// The largest buffer that is kept for reuse, in bytes.
  private static let mostReused = 1 << 20

  private var writer = JSONWriter()
  // Each asked for once, since each question unwraps the option of the command line again.
  private let form: Stream.Form
  private let detail: ReportDetail?
  private let longestLine: Int
  private let failOn: DecidingOptions.FailOn
  private let reader: MSALLibrary?
  private let intoGroup: String?
  private let accessGroups: Set<String>?
  private let policy: Policy
  private let now: Date
  /// The time zone of the machines that wrote lists. It is never this machine's, because each worker may be in another
  /// zone.
  private let zone: TimeZone?
  private let names: ShownNames
  /// The number of lines by status, without hellos.
  private var counts: [Int32: Int] = [:]
  private var hasGreeted = false

  init(_ options: Stream) throws {
    form = options.into
    detail = options.detail.ofReport
    longestLine = options.longestLine
    failOn = options.deciding.failOn
    reader = options.deciding.reader
    intoGroup = options.deciding.intoGroup
    accessGroups = options.reading.groups
    var policy = try options.deciding.decisions(options.reading)
    // No cache of many uses every line of the account map.
    policy.accountMap = AccountMap().before(policy.accountMap)
    self.policy = policy
    now = options.reading.now?.date ?? Date()
    zone = options.reading.timeZone == nil ? TimeZone(secondsFromGMT: 0) : options.reading.zone()
    names = try options.names.shown()
  }

  var isFull: Bool { writer.count >= Self.portion }

  mutating func write() throws {
    try writer.withBytes(from: 0) { try Terminal.write($0, isEndless: true) }
    if writer.count > Self.mostReused {
      writer = JSONWriter()
    } else {
      writer.removeAll()
    }
  }

  mutating func add(to line: LineInput.Line) {
    let start = writer.count
    var request = StreamLine()
    var status: ExitStatus?
    do throws(Failure) {
      status = try answer(line, &request)
      guard writer.count - start <= longestLine else {
        throw Failure(.notACache, "the answer is longer than \(longestLine) bytes")
      }
    } catch {
      status = error.status
      writer.removeAll(after: start)
      open(id: request.id, error.status)
      writer.write(verbatim: ",\"error\":")
      writer.write(error.message)
      writer.write(verbatim: "}")
    }
    writer.write(verbatim: "\n")
    if let status { counts[status.rawValue, default: 0] += 1 } else { hasGreeted = true }
  }

  /// The number of lines by status, `20 lines: 14 with status 0, 6 with status 65`; nil if the input was only a hello.
  var totals: String? {
    let lines = counts.values.reduce(0, +)
    if lines == 0, hasGreeted { return nil }
    let parts = counts.sorted { $0.key < $1.key }.map { "\($0.value) with status \($0.key)" }
    return lines.counted("line") + (parts.isEmpty ? "" : ": \(parts.joined(separator: ", "))")
  }

  /// - Returns: The status of the answer; nil for that to a hello.
  private mutating func answer(
    _ line: LineInput.Line, _ request: inout StreamLine
  ) throws(Failure) -> ExitStatus? {
    guard case .text(let bytes) = line else {
      throw Failure(.notACache, "the line is longer than \(longestLine) bytes")
    }
    try request.read(bytes)
    guard !request.isHello else {
      hello()
      return nil
    }
    let report: Report
    let target: [UInt8]?
    do {
      (report, target) = try migrate(request)
    } catch {
      throw Failure(ofLine: error)
    }
    let status: ExitStatus = failOn.isReached(by: report) ? .found : .done
    open(id: request.id, status)
    if let detail {
      writer.write(verbatim: ",\"report\":")
      writer.write(names(report), detail)
    }
    if let target {
      writer.write(verbatim: ",\"cache\":")
      writer.write(base64: target)
    }
    writer.write(verbatim: "}")
    return status
  }

  private mutating func hello() {
    writer.write(verbatim: "{\"hello\":{\"stream\":1,\"version\":")
    writer.write(Report.toolVersion)
    writer.write(verbatim: ",\"into\":")
    writer.write(form.rawValue)
    writer.write(verbatim: "}}")
  }

  private mutating func open(id: ArraySlice<UInt8>?, _ status: ExitStatus) {
    writer.write(verbatim: "{\"id\":")
    if let id { writer.write(verbatim: Array(id)) } else { writer.write(verbatim: "null") }
    writer.write(verbatim: ",\"status\":")
    writer.write(.integer(Int64(status.rawValue)))
  }

  /// The report of a cache, and the whole new target where something was written.
  private func migrate(_ line: StreamLine) throws -> (Report, target: [UInt8]?) {
    let file = CacheFile(bytes: line.cache, name: "the cache")
    guard file.kind != .snapshot else {
      throw Failure(.notACache, "the cache is a keychain snapshot, which a line cannot contain")
    }
    var policy = policy
    if let own = line.accountMap { policy.accountMap = own.before(policy.accountMap) }
    func report(_ sources: [Source], _ target: Target) throws -> Report {
      try Migration(
        from: sources, into: target, policy: policy, accessGroups: accessGroups,
        now: { [now] in now }
      ).run()
    }
    let group = line.intoGroup ?? intoGroup
    switch form {
    case .document:
      let document = MemoryDocument(line.target ?? [])
      let report = try report(
        SourcePlace(file, zone: zone).caches,
        .document(document, for: reader))
      return (report, report.summary.written > 0 ? document.bytes : nil)
    case .items:
      let isInPlace = line.target == nil && file.kind == .items
      let items = try ItemText(
        isInPlace ? line.cache : line.target ?? [], name: isInPlace ? file.path : "the target")
      let sources = isInPlace ? [.items(items)] : try SourcePlace(file, zone: zone).caches
      let report = try report(sources, .items(items, accessGroup: group))
      return (report, report.summary.written > 0 ? items.bytes : nil)
    }
  }
}

extension Failure {
  /// The answer to a line if there is no other answer.
  static let ofLine = Failure(
    .bug, "a bug in adal2msal: this line could not be read")

  /// The answer to a line for an error of its migration: a sentence without content of the line.
  fileprivate init(ofLine error: any Error) {
    switch error {
    case MigrationError.accessGroupNeeded:
      self.init(.usage, "the cache has no access groups; set \"intoGroup\"")
    case MigrationError.accessGroupWithoutTeam:
      self.init(.usage, "the access group to write into has no team prefix")
    default:
      let failure = Failure(error)
      self = failure.status == .notACache ? Failure(.notACache, failure.message) : Self.ofLine
    }
  }
}
