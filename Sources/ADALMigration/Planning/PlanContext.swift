// SPDX-License-Identifier: MIT
import KeychainItems
import MSALCache
import MSALLookup

/// What every part of a plan for one cache needs to know. A class without a variable: every part holds it.
final class PlanContext: Sendable {
  /// What is there, with what is carried.
  let existing: MSALIndex
  let families: ClientFamilies
  let ages: TokenAges
  let policy: Policy
  let now: Double
  let form: CacheForm
  /// The access group that is written to; empty for a document.
  let group: String
  /// The rows of ADAL's that stay in the target beside what is written, by row number.
  let rowsInPlace: Set<Int>
  /// What is left out, whatever the rows say.
  let exclusions: Exclusions

  init(
    existing: MSALIndex, families: ClientFamilies, ages: TokenAges, policy: Policy, now: Double,
    form: CacheForm, group: String, rowsInPlace: Set<Int>, exclusions: Exclusions
  ) {
    self.existing = existing
    self.families = families
    self.ages = ages
    self.policy = policy
    self.now = now
    self.form = form
    self.group = group
    self.rowsInPlace = rowsInPlace
    self.exclusions = exclusions
  }

  /// The client id as it is written, to the letter: as the policy spells it, else as the archive does (D5,
  /// D37).
  func clientID(of row: LegacyRow) -> String { policy.written(row.token.clientID ?? "") }

  /// Whether something is there under a key.
  func holds(_ key: MSALEntry.Key) -> Bool { existing.holds(key) }

  /// What is there under a key.
  func entries(_ key: MSALEntry.Key) -> [MSALEntry] { existing.entries(key) }

  /// Whether an account is there, in whichever tenant.
  func holdsAccount(of person: Person) -> Bool {
    existing.spelled(person.account).map { !$0.accountIDs.isEmpty } ?? false
  }

  /// Whether an ID token of this account and client is there, in whichever tenant.
  func holdsIDToken(of person: Person, client: ExactText) -> Bool {
    existing.spelled(person.account)?.clientsWithClaims.contains(client) ?? false
  }

  func isSignedOut(_ person: Person, of client: String) -> Bool {
    existing.isSignedOut(client: client, home: person.account.home)
  }
}

/// The form in which a target keeps MSAL's entries.
enum CacheForm: Sendable {
  case keychainItems, document
}
