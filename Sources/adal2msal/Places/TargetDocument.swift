// SPDX-License-Identifier: MIT
import ADALMigration
import CacheFiles
import MSALCache

/// A file with a cache document as a target.
struct TargetDocument: DocumentStore {
  let file: DocumentFile

  func read() throws -> [UInt8] {
    try file.read { try CacheDocument.check($0, of: file.path) } ?? []
  }

  func update(_ change: ([UInt8]) throws -> [UInt8]) throws {
    try file.update { bytes in
      let old = bytes ?? []
      try CacheDocument.check(old, of: file.path)
      let new = try change(old)
      return new == old ? nil : new
    }
  }
}
