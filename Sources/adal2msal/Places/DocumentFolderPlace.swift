// SPDX-License-Identifier: MIT
import CacheFiles
import KeychainItems
import ProjectFiles

/// A folder with one cache document for each account. It is made when the first document is.
struct DocumentFolderPlace: DocumentFolder {
  let path: String

  init(path: String) throws {
    self.path = path
    // Checked before the path is looked up, because another program may make the folder at any moment.
    let canBeMade = Result { try OutputFile(path: path).check() }
    guard try OutputFile(path: path).exists else {
      try canBeMade.get()
      return
    }
    guard try CacheFile.files(inFolder: path) != nil else {
      // A link to nothing, for one, has a sentence of its own.
      try canBeMade.get()
      throw Failure(.usage, "\(path) is not a folder")
    }
  }

  func document(named name: String) -> any DocumentStore {
    Document(folder: path, file: DocumentFile(inFolderAt: file(name)))
  }

  private func file(_ name: String) -> String {
    path.hasSuffix("/") ? path + name : "\(path)/\(name)"
  }

  func holds(_ file: String) throws -> Bool {
    try OutputFile(path: file).isSame(as: self.file(RelativePath.name(of: file)))
  }

  func removeLeftovers() throws {
    guard try OutputFile(path: path).exists else { return }
    try OutputFile(path: path).removeLeftoversOfFolder()
  }

  private struct Document: DocumentStore {
    let folder: String
    let file: DocumentFile
    var name: String? { file.name }

    func read() throws -> [UInt8] { try file.read() }

    func update(_ change: ([UInt8]) throws -> [UInt8]) throws {
      try file.update { old in
        let new = try change(old)
        if new != old, try !OutputFile(path: folder).exists {
          try OutputFile(path: folder).makeFolder()
        }
        return new
      }
    }
  }
}
