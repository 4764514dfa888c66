// SPDX-License-Identifier: MIT
import ADALMigration

/// The parts of SARIF 2.1.0 that reports are made of; what is nil is left out.
package struct SARIFLog: Encodable {
  package var schema = "https://json.schemastore.org/sarif-2.1.0.json"
  package var version = "2.1.0"
  package var runs: [SARIFRun]

  package init(_ run: SARIFRun) { runs = [run] }

  enum CodingKeys: String, CodingKey {
    case schema = "$schema"
    case version, runs
  }
}

/// What one run of the command found.
package struct SARIFRun: Encodable {
  package struct Tool: Encodable {
    var driver: Driver
  }
  package struct Driver: Encodable {
    var name = "adal2msal"
    var version = Report.toolVersion
    var semanticVersion = Report.toolVersion
    var informationUri = Report.homepage
    var rules: [SARIFRule]
  }
  package struct Base: Encodable {
    var uri: String
  }
  package struct Notification: Encodable {
    var level = "warning"
    var message: SARIFText
  }
  package struct Invocation: Encodable {
    var executionSuccessful = true
    var toolExecutionNotifications: [Notification]
  }
  var tool: Tool
  var originalUriBaseIds: [String: Base]?
  var invocations: [Invocation]?
  var results: [SARIFResult]
  var columnKind = "unicodeCodePoints"

  package init(_ rules: [SARIFRule], _ results: [SARIFResult]) {
    tool = Tool(driver: Driver(rules: rules))
    self.results = results
  }

  /// The same, with what `SRCROOT` is and what the run has to say about itself.
  package init(
    _ rules: [SARIFRule], _ results: [SARIFResult], root: String, warnings: [String]
  ) {
    self.init(rules, results)
    originalUriBaseIds = ["SRCROOT": Base(uri: root)]
    let notifications = warnings.map { Notification(message: SARIFText(text: $0)) }
    invocations = [Invocation(toolExecutionNotifications: notifications)]
  }
}

/// Words, plain and as Markdown.
package struct SARIFText: Encodable {
  package var text: String
  package var markdown: String?

  package init(text: String, markdown: String? = nil) {
    self.text = text
    self.markdown = markdown
  }
}

/// A reason or a rule that occurs.
package struct SARIFRule: Encodable {
  package struct Configuration: Encodable {
    var level: String
  }
  package private(set) var id: String
  var shortDescription: SARIFText
  var fullDescription: SARIFText
  var help: SARIFText
  var helpUri: String
  var defaultConfiguration: Configuration?

  /// - Parameters:
  ///   - summary: A few words without a full stop.
  ///   - page: The address of its page.
  ///   - severity: The usual one; nil where each result has its own.
  package init(
    id: String, summary: String, happened: String, help: SARIFText, page: PageAddress,
    severity: Report.Severity? = nil
  ) {
    self.id = id
    shortDescription = SARIFText(text: summary.asSentence)
    fullDescription = SARIFText(text: happened)
    self.help = help
    helpUri = page.url
    defaultConfiguration = severity.map { Configuration(level: $0.rawValue) }
  }
}

/// A finding and where it is.
package struct SARIFResult: Encodable {
  package struct Artifact: Encodable {
    package var uri: String
    package var uriBaseId: String?

    /// - Parameter file: A path, below SRCROOT or not.
    package init(file: String, isBelowRoot: Bool = false) {
      uri = file.asRelativeReference
      uriBaseId = isBelowRoot ? "SRCROOT" : nil
    }
  }
  package struct Region: Encodable {
    var startLine: Int
    var startColumn: Int?
    var endLine: Int?
    var endColumn: Int?
    var byteOffset: Int?

    /// The beginning of a file that has no lines.
    package static let start = Region(startLine: 1, byteOffset: 0)

    private init(startLine: Int, byteOffset: Int) {
      self.startLine = startLine
      self.byteOffset = byteOffset
    }

    /// Lines and columns from 1, the last column exclusive.
    package init(startLine: Int, startColumn: Int, endLine: Int, endColumn: Int) {
      self.startLine = startLine
      self.startColumn = startColumn
      self.endLine = endLine
      self.endColumn = endColumn
    }
  }
  package struct Physical: Encodable {
    var artifactLocation: Artifact
    var region: Region?
  }
  package struct Logical: Encodable {
    var name: String
    var kind = "member"
  }
  package struct Location: Encodable {
    var physicalLocation: Physical
    var logicalLocations: [Logical]?

    /// - Parameter name: What has no lines and goes by a name.
    package init(_ artifact: Artifact, _ region: Region?, name: String? = nil) {
      physicalLocation = Physical(artifactLocation: artifact, region: region)
      logicalLocations = name.map { [Logical(name: $0)] }
    }
  }
  package struct Suppression: Encodable {
    var kind: String
    var justification: String?

    package init(kind: String, justification: String? = nil) {
      self.kind = kind
      self.justification = justification
    }
  }
  var ruleId: String
  var ruleIndex: Int
  var level: String
  var message: SARIFText
  var locations: [Location]
  var partialFingerprints: [String: String]
  package var suppressions: [Suppression]?
  package var baselineState: String?

  package init(
    ruleID: String, ruleIndex: Int, _ severity: Report.Severity, _ message: String,
    _ locations: [Location], fingerprint: String
  ) {
    ruleId = ruleID
    self.ruleIndex = ruleIndex
    level = severity.rawValue
    self.message = SARIFText(text: message)
    self.locations = locations
    partialFingerprints = ["adal2msal/v1": fingerprint]
  }
}

extension String {
  /// A path as a relative reference: everything but plain characters percent-encoded.
  package var asRelativeReference: String {
    let plain = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/".utf8)
    return utf8.map { byte in
      plain.contains(byte)
        ? String(UnicodeScalar(byte)) : "%" + PlainText.hex(byte, digits: 2)
    }.joined()
  }
}
