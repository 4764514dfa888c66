// SPDX-License-Identifier: MIT
import ADALMigration

/// File names in reports for build services: from the root of the repository, as the services name them, from any
/// current folder.
package struct RepositoryFiles: Sendable, Hashable {
  /// The folder of the repository, absolute; nil outside a repository, where files keep their given names.
  package let root: String?
  private let folder: String

  /// Every file by the name it came with.
  package static let asNamed = RepositoryFiles(root: nil, folder: "/")

  package init(root: String?, folder: String) {
    self.root = root
    self.folder = folder
  }

  /// The file's path below the root; the name it came with where it is outside.
  package func name(of file: String) -> String {
    guard let root else { return file }
    let start = root.hasSuffix("/") ? root : root + "/"
    let path = Self.absolute(file, from: folder)
    return path.hasPrefix(start) ? String(path.dropFirst(start.count)) : file
  }

  /// A path without `.`, `..` and double slashes, read from a folder unless it is absolute itself.
  package static func absolute(_ path: String, from folder: String) -> String {
    var names: [Substring] = []
    let whole = path.hasPrefix("/") ? path : folder + "/" + path
    for name in whole.split(separator: "/") where name != "." {
      if name == ".." { _ = names.popLast() } else { names.append(name) }
    }
    return "/" + names.map { String($0) }.joined(separator: "/")
  }
}

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
    let byFile = Dictionary(grouping: finding.rows.indices) { fileOfRow[finding.rows[$0]] }
    return byFile.sorted { $0.value[0] < $1.value[0] }.map { file, positions in
      (file.map(names.name), positions.map { finding.rows[$0] })
    }
  }
}
