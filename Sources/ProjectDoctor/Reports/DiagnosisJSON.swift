// SPDX-License-Identifier: MIT
import ADALMigration
import MigrationReports
import ProjectFiles

extension ProjectDiagnosis {
  /// The diagnosis for programs: version 1 of `Schemas/doctor.schema.json`.
  package func json(showingSuppressed: Bool = false) -> String {
    JSONText.encode(DiagnosisDocument(self, showingSuppressed ? findings : counted))
  }
}

private struct DiagnosisDocument: Encodable {
  struct Tool: Encodable {
    var name = "adal2msal"
    var version = Report.toolVersion
  }
  struct MSAL: Encodable {
    var target: String
    var ios: String
    var macos: String
  }
  struct Summary: Encodable {
    var errors = 0
    var warnings = 0
    var notes = 0
    var places = 0
    var suppressed = 0
    var baselined = 0
  }
  struct Read: Encodable {
    var files: Int
    var bytes: Int
  }
  struct Left: Encodable {
    var path: String
    var why: String
  }
  struct Version: Encodable {
    var version: String?
    var by: String
    var place: DiagnosisPlace?

    enum Key: String, CodingKey {
      case version, by, place
    }
    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: Key.self)
      try container.encode(version, forKey: .version)
      try container.encode(by, forKey: .by)
      try container.encodeIfPresent(place, forKey: .place)
    }
  }
  struct Target: Encodable {
    var name: String
    var platform: String
    var project: String
    var bundleId: String?
    var deploymentTarget: String?
    var infoPlist: String?
    var entitlements: String?
    var keychainGroups: [String]
    var urlSchemes: [String]
    var querySchemes: [String]
  }
  struct Facts: Encodable {
    var clientIds: [DiagnosisFact]
    var authorities: [DiagnosisFact]
    var resources: [DiagnosisFact]
    var redirectUris: [DiagnosisFact]
    var keychainGroups: [DiagnosisFact]
    var savedUserIds: [DiagnosisFact]
  }
  struct Finding: Encodable {
    var rule: String
    var severity: String
    var message: String
    var remedy: String
    var becomes: String?
    var places: [DiagnosisPlace]
  }

  var kind = "doctor"
  var version = 1
  var tool = Tool()
  var path: String
  var msal: MSAL
  var library: String
  var adalVersions: [Version]
  var summary = Summary()
  var read: Read
  var skipped: [Left]
  var baselineStale: Int
  var targets: [Target]
  var facts: Facts
  var findings: [Finding]

  init(_ diagnosis: ProjectDiagnosis, _ shown: [ProjectDiagnosis.Finding]) {
    path = diagnosis.path
    msal = MSAL(
      target: diagnosis.msal.version, ios: diagnosis.msal.iOS, macos: diagnosis.msal.macOS)
    library = diagnosis.library.rawValue
    adalVersions = diagnosis.adalVersions.map {
      Version(version: $0.version, by: $0.source.rawValue, place: $0.place.map(DiagnosisPlace.init))
    }
    for finding in diagnosis.counted {
      switch finding.severity {
      case .error: summary.errors += 1
      case .warning: summary.warnings += 1
      case .note: summary.notes += 1
      }
      summary.places += finding.places.count
    }
    let all = diagnosis.findings.flatMap(\.places)
    summary.suppressed = all.filter(\.isSuppressed).count
    summary.baselined = all.filter { $0.isBaselined && !$0.isSuppressed }.count
    read = Read(files: diagnosis.read.files, bytes: diagnosis.read.bytes)
    skipped = diagnosis.skipped.map { Left(path: $0.path, why: $0.why) }
    baselineStale = diagnosis.baselineStale
    targets = diagnosis.targets.map {
      Target(
        name: $0.name, platform: $0.platform, project: $0.project, bundleId: $0.bundleID,
        deploymentTarget: $0.deploymentTarget, infoPlist: $0.infoPlist,
        entitlements: $0.entitlements, keychainGroups: $0.keychainGroups,
        urlSchemes: $0.urlSchemes, querySchemes: $0.querySchemes)
    }
    let facts = diagnosis.facts
    self.facts = Facts(
      clientIds: facts.clientIDs.map { DiagnosisFact($0) },
      authorities: facts.authorities.map { DiagnosisFact($0) },
      resources: facts.resources.map { DiagnosisFact($0, scope: $0.value.scope) },
      redirectUris: facts.redirectURIs.map { DiagnosisFact($0) },
      keychainGroups: facts.keychainGroups.map { DiagnosisFact($0) },
      savedUserIds: facts.savedUserIDs.map { DiagnosisFact($0) })
    findings = shown.map {
      Finding(
        rule: $0.check.id, severity: $0.severity.rawValue, message: $0.message,
        remedy: $0.remedy, becomes: $0.becomes, places: $0.places.map(DiagnosisPlace.init))
    }
  }
}

private struct DiagnosisFact: Encodable {
  var value: String
  var scope: String?
  var places: [DiagnosisPlace]

  init(_ fact: ProjectDiagnosis.Fact, scope: String? = nil) {
    value = fact.value.maskedAddress
    self.scope = scope
    places = fact.places.map(DiagnosisPlace.init)
  }
}

private struct DiagnosisPlace: Encodable {
  var file: String
  var line: Int?
  var column: Int?
  var endLine: Int?
  var endColumn: Int?
  var symbol: String?
  var fingerprint: String?
  var suppressed: Bool?
  var baselined: Bool?
  var justification: String?

  init(_ place: ProjectDiagnosis.Occurrence) {
    file = place.file
    line = place.span?.start.line
    column = place.span?.start.column
    endLine = place.span?.end.line
    endColumn = place.span?.end.column
    symbol = place.symbol
    fingerprint = place.fingerprint.isEmpty ? nil : place.fingerprint
    suppressed = place.isSuppressed ? true : nil
    baselined = place.isBaselined ? true : nil
    justification = place.justification
  }
}

extension String {
  /// The scope that a resource becomes.
  var scope: String { self + "/.default" }

  /// A value without the parts that could be a user's name.
  var maskedAddress: String { contains("@") ? Report.mask(self) : self }
}
