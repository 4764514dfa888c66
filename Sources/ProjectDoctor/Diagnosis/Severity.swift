// SPDX-License-Identifier: MIT
import ADALMigration

/// How much a finding matters: a note is a mechanical replacement; a warning works on an assumption
/// that somebody should check, or people notice something; with an error the project does not build or
/// start with MSAL, or somebody has to sign in again.
package typealias Severity = Report.Severity
