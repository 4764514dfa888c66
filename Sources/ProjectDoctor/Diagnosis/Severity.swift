// SPDX-License-Identifier: MIT
import ADALMigration

/// How much a finding matters: a note is a mechanical replacement; a warning works on an assumption
/// that the team should check, or users notice a change; with an error the project does not build or
/// start with MSAL, or a user must sign in again.
package typealias Severity = Report.Severity
