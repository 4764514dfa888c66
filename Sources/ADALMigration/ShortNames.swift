// SPDX-License-Identifier: MIT

// What an app sees of the library is nested in one type, so that no name of its own is taken. Inside the package
// the same types have their short names; a declaration that is public spells the whole name.

package typealias Migration = TokenCacheMigration
package typealias Source = TokenCacheMigration.Source
package typealias Target = TokenCacheMigration.Target
package typealias MSALLibrary = TokenCacheMigration.MSALLibrary
package typealias Policy = TokenCacheMigration.Policy
package typealias AccountMap = TokenCacheMigration.AccountMap
package typealias MigrationError = TokenCacheMigration.MigrationError
package typealias Inspection = TokenCacheMigration.Inspection
package typealias Reason = TokenCacheMigration.Reason
package typealias Report = TokenCacheMigration.Report
package typealias MaskedReport = TokenCacheMigration.MaskedReport
package typealias NameMask = TokenCacheMigration.NameMask
package typealias RowKind = TokenCacheMigration.Report.RowKind
package typealias RowPlace = TokenCacheMigration.Report.Place
package typealias RowOutcome = TokenCacheMigration.Report.Outcome
package typealias Confidence = TokenCacheMigration.Report.Confidence
package typealias EntryType = TokenCacheMigration.Report.EntryType
