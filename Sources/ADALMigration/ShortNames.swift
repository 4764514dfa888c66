// SPDX-License-Identifier: MIT

// The public types are nested in one type, so that they take no name of the app's. Inside the package they have short
// names. A public declaration spells the whole name.

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
