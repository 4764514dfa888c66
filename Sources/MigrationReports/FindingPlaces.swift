// SPDX-License-Identifier: MIT
import ADALMigration

/// The files that findings are about, as a build service names them.
struct FindingPlaces {
  /// A file and the rows of a finding in it; without a file in a keychain.
  typealias Place = (file: String?, rows: [Int])

  private let names: RepositoryFiles
  private var fileOfRow: [Int: String] = [:]
  private var only: String?
  private(set) var first: String?

  init(_ report: Report, _ names: RepositoryFiles) {
    self.names = names
    for entry in report.entries { fileOfRow[entry.row] = entry.place.file }
    let all = Set(fileOfRow.values)
    first = all.min().map(names.name)
    only = all.count == 1 ? first : nil
  }

  /// Each file that has rows of the finding, in the order of its first one; of a finding about no row, the
  /// only file that there is.
  func places(of finding: Report.Finding) -> [Place] {
    guard !finding.rows.isEmpty else { return [(only, [])] }
    var places: [Place] = []
    var positions: [String?: Int] = [:]
    for row in finding.rows {
      let file = fileOfRow[row]
      if let position = positions[file] {
        places[position].rows.append(row)
      } else {
        positions[file] = places.count
        places.append((file.map(names.name), [row]))
      }
    }
    return places
  }
}
