// SPDX-License-Identifier: MIT

extension Report {
  /// One file of several that are read as one cache, and what became of its rows.
  ///
  /// They are one cache together, so that an account stays signed in when any of them has what it needs.
  package struct Cache: Sendable, Equatable {
    /// The file, as it was named.
    package var file: String
    /// What the command would end with, were the findings about the file's rows all there are: 0 or 1; 65
    /// when the file is no cache that can be read.
    package var status: Int
    /// Its rows.
    package var rows = 0
    /// Its rows whose content was or would be written.
    package var converted = 0
    /// Its rows whose content the target already holds.
    package var alreadyThere = 0
    /// Its rows that stay what they are.
    package var notConverted = 0
    /// Whose its rows are, as indices into ``Report/accounts``, sorted.
    package var accounts: [Int] = []
    /// Why it cannot be read, in one line without a full stop; nil when it can.
    package var objection: String?

    package init(file: String, status: Int, objection: String? = nil) {
      self.file = file
      self.status = status
      self.objection = objection
    }
  }

  /// What a run was decided for.
  package struct JudgedTarget: Sendable, Equatable {
    package enum Kind: String, CaseIterable, Sendable {
      case keychain, snapshot, items, document, documents
    }
    package var kind: Kind
    /// The place as it was named; nil for a dry run that names none, which is decided for an empty items file.
    package var place: String?

    package init(_ kind: Kind, place: String?) {
      self.kind = kind
      self.place = place
    }
  }
}
