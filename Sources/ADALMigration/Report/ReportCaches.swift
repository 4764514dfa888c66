// SPDX-License-Identifier: MIT

extension Report {
  /// One of several files that are read as one cache, with the result of its rows.
  ///
  /// Together they are one cache, so an account stays signed in if any of them has the tokens for it.
  package struct Cache: Sendable, Equatable {
    /// The file, as it was named.
    package var file: String
    /// The exit status that the findings of this file's rows alone would give: 0 or 1; 65 when the file is not a
    /// readable cache.
    package var status: Int
    /// Its rows.
    package var rows = 0
    /// Its rows whose content was or would be written.
    package var converted = 0
    /// Its rows whose content the target already holds.
    package var alreadyThere = 0
    /// Its rows that stay as they are.
    package var notConverted = 0
    /// The accounts of its rows, as sorted indices into ``Report/accounts``.
    package var accounts: [Int] = []
    /// The reason why it cannot be read, in one line without a full stop; nil if it can.
    package var objection: String?

    package init(file: String, status: Int, objection: String? = nil) {
      self.file = file
      self.status = status
      self.objection = objection
    }
  }

  /// The target that a run plans for.
  package struct JudgedTarget: Sendable, Equatable {
    package enum Kind: String, CaseIterable, Sendable {
      case keychain, snapshot, items, document, documents
    }
    package var kind: Kind
    /// The place as it was named; nil for a dry run without a target, which plans for an empty items file.
    package var place: String?

    package init(_ kind: Kind, place: String?) {
      self.kind = kind
      self.place = place
    }
  }
}
