// SPDX-License-Identifier: MIT
import MSALCache
import MSALLookup

/// An inventory and its plan. MSAL would find everything that the plan adds.
struct CheckedPlan: ~Copyable {
  let inventory: Inventory
  let plan: Plan
  /// The sign-ins with a refresh token that MSAL does not find because of the target's existing entries.
  let unfound: Set<PlanCheck.SignIn>
  /// MSAL's view of each access group that the check asks about.
  let lookups: [String: Lookup]
  /// The future documents of the target, by access group, if the plan adds to them.
  let documents: [String: CacheDocument]
  /// The parts that the plan leaves out because MSAL would not find them.
  let exclusions: Exclusions
  /// The filters with a value that matches nothing.
  var unmatched: [UnmatchedFilter] = []
  /// The severity of an unmatched filter.
  var unmatchedSeverity = Reason.Severity.error

  /// Plans, and plans again without the entries that the check does not find, until it finds all the others. Each round
  /// has fewer entries, so the loop ends. Without a bug in this package one round is enough.
  init(_ inventory: consuming Inventory, form: CacheForm, policy: Policy, now: Double) {
    var exclusions = Exclusions()
    while true {
      let plan = Plan(inventory, form: form, policy: policy, now: now, exclusions: exclusions)
      let check = PlanCheck(inventory, plan, form: form, now: now)
      guard exclusions.insert(check.misses) else {
        self.inventory = inventory
        self.plan = plan
        unfound = check.unfound
        documents = check.documents
        lookups = check.lookups
        self.exclusions = exclusions
        return
      }
    }
  }
}
