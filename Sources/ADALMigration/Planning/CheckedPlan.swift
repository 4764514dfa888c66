// SPDX-License-Identifier: MIT
import MSALCache
import MSALLookup

/// An inventory and what is decided about it, of which MSAL would find everything.
struct CheckedPlan: ~Copyable {
  let inventory: Inventory
  let plan: Plan
  /// The sign-ins that MSAL does not find though they have a refresh token, because of what the target
  /// held before.
  let unfound: Set<PlanCheck.SignIn>
  /// What MSAL finds in each access group of which something is asked.
  let lookups: [String: Lookup]
  /// What the documents of the target will be, by access group, of those that something is added to.
  let documents: [String: CacheDocument]
  /// What the plan leaves out since MSAL would not find it.
  let exclusions: Exclusions
  /// The filters of which some value fits nothing.
  var unmatched: [UnmatchedFilter] = []
  /// What that means.
  var unmatchedSeverity = Reason.Severity.error

  /// Plans, and plans again without what the check does not find, until it finds all the rest. Each time
  /// there is less to be written, so that it ends; without a bug of ours it is done at once.
  init(_ inventory: Inventory, form: CacheForm, policy: Policy, now: Double) {
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
