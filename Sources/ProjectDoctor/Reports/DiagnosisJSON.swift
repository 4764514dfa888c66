// SPDX-License-Identifier: MIT
import ADALMigration
import CacheJSON
import MigrationReports
import ProjectFiles

extension ProjectDiagnosis {
  /// The diagnosis for programs: version 1 of `Schemas/doctor.schema.json`.
  package func json(showingSuppressed: Bool = false) -> String {
    let shown = showingSuppressed ? findings : counted
    return JSONText.encode(
      JSONValue.object([
        "kind": .string("doctor"), "version": .integer(1),
        "tool": .object(["name": .string("adal2msal"), "version": .string(Report.toolVersion)]),
        "path": .string(path), "msal": msal.asJSON, "library": .string(library.rawValue),
        "adalVersions": .array(adalVersions.map(\.asJSON)), "summary": summary,
        "read": .object(["files": .integer(read.files), "bytes": .integer(read.bytes)]),
        "skipped": .array(skipped.map(\.asJSON)), "baselineStale": .integer(baselineStale),
        "targets": .array(targets.map(\.asJSON)), "facts": facts.asJSON,
        "findings": .array(shown.map(\.asJSON)),
      ]))
  }

  private var summary: JSONValue {
    func number(_ severity: Severity) -> JSONValue {
      .integer(counted.count { $0.severity == severity })
    }
    let all = findings.flatMap(\.places)
    return .object([
      "errors": number(.error), "warnings": number(.warning), "notes": number(.note),
      "places": .integer(counted.reduce(0) { $0 + $1.places.count }),
      "suppressed": .integer(all.count(where: \.isSuppressed)),
      "baselined": .integer(all.count { $0.isBaselined && !$0.isSuppressed }),
    ])
  }
}

extension MSALRelease {
  fileprivate var asJSON: JSONValue {
    .object(["target": .string(version), "ios": .string(iOS), "macos": .string(macOS)])
  }
}

extension Skipped {
  fileprivate var asJSON: JSONValue { .object(["path": .string(path), "why": .string(why)]) }
}

extension ProjectDiagnosis.ADALVersion {
  /// A version that is not known is null.
  fileprivate var asJSON: JSONValue {
    .members([
      "version": .text(version) ?? .null, "by": .string(source.rawValue), "place": place?.asJSON,
    ])
  }
}

extension ProjectDiagnosis.TargetFacts {
  fileprivate var asJSON: JSONValue {
    .members([
      "name": .string(name), "platform": .string(platform), "project": .string(project),
      "bundleId": .text(bundleID), "deploymentTarget": .text(deploymentTarget),
      "infoPlist": .text(infoPlist), "entitlements": .text(entitlements),
      "keychainGroups": .texts(keychainGroups), "urlSchemes": .texts(urlSchemes),
      "querySchemes": .texts(querySchemes),
    ])
  }
}

extension ProjectDiagnosis.Facts {
  fileprivate var asJSON: JSONValue {
    .object([
      "clientIds": .array(clientIDs.map { $0.asJSON() }),
      "authorities": .array(authorities.map { $0.asJSON() }),
      "resources": .array(resources.map { $0.asJSON(scope: $0.value.scope) }),
      "redirectUris": .array(redirectURIs.map { $0.asJSON() }),
      "keychainGroups": .array(keychainGroups.map { $0.asJSON() }),
      "savedUserIds": .array(savedUserIDs.map { $0.asJSON() }),
    ])
  }
}

extension ProjectDiagnosis.Fact {
  fileprivate func asJSON(scope: String? = nil) -> JSONValue {
    .members([
      "value": .string(value.maskedAddress), "scope": .text(scope),
      "places": .array(places.map(\.asJSON)),
    ])
  }
}

extension ProjectDiagnosis.Finding {
  fileprivate var asJSON: JSONValue {
    .members([
      "rule": .string(check.id), "severity": .string(severity.rawValue),
      "message": .string(message), "remedy": .string(remedy), "becomes": .text(becomes),
      "places": .array(places.map(\.asJSON)),
    ])
  }
}

extension ProjectDiagnosis.Occurrence {
  fileprivate var asJSON: JSONValue {
    .members([
      "file": .string(file), "line": span.map { .integer($0.start.line) },
      "column": span.map { .integer($0.start.column) },
      "endLine": span.map { .integer($0.end.line) },
      "endColumn": span.map { .integer($0.end.column) }, "symbol": .text(symbol),
      "fingerprint": fingerprint.isEmpty ? nil : .string(fingerprint),
      "suppressed": isSuppressed ? .bool(true) : nil,
      "baselined": isBaselined ? .bool(true) : nil, "justification": .text(justification),
    ])
  }
}

extension String {
  /// The scope that a resource becomes.
  var scope: String { self + "/.default" }

  /// A value without the parts that could be a user's name.
  var maskedAddress: String { contains("@") ? Report.mask(self) : self }
}
