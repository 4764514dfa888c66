// SPDX-License-Identifier: MIT
import ADALMigration

extension TokenCacheMigration.Report.Entry {
  /// The name of the document that the row's content is in, where each account has its own; nil elsewhere.
  public var document: String? { documentName }
}
