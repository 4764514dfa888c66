// SPDX-License-Identifier: MIT
import ADALMigration
import CacheJSON
import MigrationReports
import ProjectFiles

extension DiagnosisReport {
  /// The diagnosis for programs: version 1 of `Schemas/doctor.schema.json`.
  var json: String {
    let msal = diagnosis.msal
    return JSONText.encode(
      JSONValue.object([
        "kind": .string("doctor"), "version": .integer(1),
        "tool": .object(["name": .string("adal2msal"), "version": .string(Report.toolVersion)]),
        "path": .string(diagnosis.path),
        "msal": .object([
          "target": .string(msal.version), "ios": .string(msal.least(.iOS)),
          "macos": .string(msal.least(.macOS)),
        ]),
        "library": .string(diagnosis.library.rawValue),
        "adalVersions": .array(diagnosis.adalVersions.map(\.asJSON)), "summary": summary,
        "read": .object([
          "files": .integer(diagnosis.readFiles), "bytes": .integer(diagnosis.readBytes),
        ]),
        "skipped": .array(
          diagnosis.skipped.map { .object(["path": .string($0.path), "why": .string($0.why)]) }),
        "baselineStale": .integer(diagnosis.baselineStale),
        "targets": .array(diagnosis.targets.map(\.asJSON)), "facts": diagnosis.facts.asJSON,
        "findings": .array(findings.map(\.asJSON)),
      ]))
  }

  private var summary: JSONValue {
    let counted = diagnosis.counted
    func number(_ severity: Severity) -> JSONValue {
      .integer(counted.count { $0.severity == severity })
    }
    let all = diagnosis.findings.flatMap(\.places)
    return .object([
      "errors": number(.error), "warnings": number(.warning), "notes": number(.note),
      "places": .integer(counted.placeCount),
      "suppressed": .integer(all.count(where: \.isSuppressed)),
      "baselined": .integer(all.count { $0.isBaselined && !$0.isSuppressed }),
    ])
  }
}

extension ADALVersion {
  /// A version that is not known is null.
  fileprivate var asJSON: JSONValue {
    .members([
      "version": .text(version) ?? .null, "by": .string(source.rawValue), "place": place?.asJSON,
    ])
  }
}

extension TargetFacts {
  fileprivate var asJSON: JSONValue {
    .members([
      "name": .string(name), "platform": .string(platform.rawValue), "project": .string(project),
      "bundleId": .text(bundleID), "deploymentTarget": .text(deploymentTarget),
      "infoPlist": .text(infoPlist), "entitlements": .text(entitlements),
      "keychainGroups": .texts(keychainGroups), "urlSchemes": .texts(urlSchemes),
      "querySchemes": .texts(querySchemes),
    ])
  }
}

extension Facts {
  fileprivate var asJSON: JSONValue {
    let names: [String: ValueKind] = [
      "clientIds": .clientID, "authorities": .authority, "resources": .resource,
      "redirectUris": .redirectURI, "keychainGroups": .keychainGroup,
      "savedUserIds": .savedUserID,
    ]
    return .object(
      names.mapValues { kind in
        .array(
          self[kind].map { fact in
            .members([
              "value": .string(fact.value.maskedAddress),
              "scope": kind == .resource ? .string(fact.value.scope) : nil,
              "places": .array(fact.places.map(\.asJSON)),
            ])
          })
      })
  }
}

extension Finding {
  fileprivate var asJSON: JSONValue {
    .members([
      "rule": .string(check.code), "severity": .string(severity.rawValue),
      "message": .string(message), "remedy": .string(remedy), "becomes": .text(becomes),
      "places": .array(places.map(\.asJSON)),
    ])
  }
}

extension Occurrence {
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
  var scope: String { self + "/.default" }

  /// A value without the parts that could be a user's name.
  var maskedAddress: String { contains("@") ? Report.mask(self) : self }
}
