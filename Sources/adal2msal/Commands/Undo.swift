// SPDX-License-Identifier: MIT
import ADALMigration
import ArgumentParser
import CacheFiles
import KeychainItems
import MigrationReports
import MigrationUndo
import ProjectFiles

struct Undo: ParsableCommand {
  static let configuration = CommandConfiguration(
    "undo",
    abstract: "Remove the entries a run added, except those changed since",
    usage: "adal2msal undo <journal> <target> [<options>]")

  @Argument(
    help: "The journal that 'migrate --journal' wrote.", completion: .file(extensions: ["json"]))
  var journal: String

  @Argument(help: "The cache that the run added entries to.")
  var target: PlaceArgument

  @Flag(
    name: [.customShort("n"), .long],
    help: "Report what would be removed and remove nothing.")
  var dryRun = false

  func run() throws {
    let journal: Journal
    do {
      journal = try Journal(json: try CacheFile.bytes(of: self.journal))
    } catch let error as JournalError {
      throw Failure(.notACache, "\(self.journal): \(error)")
    }
    // The leftovers beside the journal of a killed run, which will not write there again.
    if !dryRun { try OutputFile(path: self.journal).removeLeftovers(isLocked: false) }
    let outcome = try Terminal.working(on: target.words) { try undo(journal) }
    try Terminal.write(words(outcome))
    if !outcome.changed.isEmpty { throw ExitCode(ExitStatus.found.rawValue) }
  }

  private func undo(_ journal: Journal) throws -> Journal.Outcome {
    if let path = target.path, try !OutputFile(path: path).exists {
      // A run that added nothing made no target.
      if journal.entries.isEmpty { return Journal.Outcome() }
      throw Failure(.noInput, "\(path) does not exist")
    }
    if let path = target.path, try CacheFile.files(inFolder: path) != nil {
      return try undo(journal, in: path)
    }
    let named = try TargetPlace(target)
    switch try dryRun ? named : named.prepared() {
    case .items(let store as any RemovableStore):
      return try journal.undo(in: store, dryRun: dryRun)
    case .document(let file):
      var journal = journal
      // One of the documents of a folder can be taken back alone.
      if journal.isOfFolder {
        journal = journal.of(document: RelativePath.name(of: file.path))
      }
      return try journal.undo(in: file, dryRun: dryRun)
    default: throw Failure(.usage, "entries cannot be removed from \(target.words)")
    }
  }

  private func undo(_ journal: Journal, in folder: String) throws -> Journal.Outcome {
    guard journal.isOfFolder || journal.entries.isEmpty else {
      throw Failure(.usage, "\(folder) is a folder, and the journal is of one cache")
    }
    let place = try DocumentFolderPlace(path: folder)
    if !dryRun { try place.removeLeftovers() }
    return try journal.undo(in: place, dryRun: dryRun)
  }

  private func words(_ outcome: Journal.Outcome) -> String {
    let verb =
      dryRun ? "would be removed" : outcome.removed.count == 1 ? "was removed" : "were removed"
    func entries(_ entries: [Journal.Entry]) -> String { entries.count.counted("entry") }
    var lines = ["\(entries(outcome.removed)) \(verb)\(dryRun ? " (dry run)" : "")."]
    if !outcome.missing.isEmpty {
      let were = outcome.missing.count == 1 ? "was" : "were"
      lines.append("\(entries(outcome.missing)) \(were) already gone.")
    }
    if !outcome.changed.isEmpty {
      let (has, were) = outcome.changed.count == 1 ? ("has", "was") : ("have", "were")
      lines.append("\(entries(outcome.changed)) \(has) changed since and \(were) kept:")
      lines += outcome.changed.map { entry in
        let name = PlainText.show(entry.svce ?? entry.key ?? "")
        return "  " + (entry.document.map { "\(PlainText.show($0)): \(name)" } ?? name)
      }
    }
    return lines.joined(separator: "\n") + "\n"
  }
}
