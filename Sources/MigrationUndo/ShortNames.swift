// SPDX-License-Identifier: MIT
import ADALMigration

package typealias Journal = TokenCacheMigration.Journal
package typealias JournalError = TokenCacheMigration.JournalError
