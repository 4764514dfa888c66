// SPDX-License-Identifier: MIT
import MSALCache
import MSALLookup

/// Law 10: what is written is found.
///
/// Before anything is written, every account that the report calls signed in is looked up as MSAL would,
/// in what the target will hold. An account that is all our own and is not found is a bug of ours: it is
/// left out, and the others go on. One that shares its entries with what the target held before may be
/// hidden by those; the report then does not call it signed in.
struct PlanCheck: Sendable {
  /// What MSAL is asked for.
  enum Question: String, Sendable {
    case accounts
    case accountByUserName = "account by user name"
    case refreshToken = "refresh token"
    case accessToken = "access token"
    case idToken = "ID token"
  }

  /// A question of a client's about an account that has no answer, for which nothing but the plan can be
  /// the reason.
  struct Miss: Sendable, Hashable {
    let account: Withheld.Account
    let client: String
    let question: Question
  }

  private(set) var misses: Set<Miss> = []
  /// The seats whose account is not found because of what the target held before.
  private(set) var unfound: Set<Standing.Seat> = []

  init(_ inventory: Inventory, _ plan: Plan, form: CacheForm, now: Double) {
    let additions = Dictionary(grouping: plan.additions, by: \.group)
    let people = Dictionary(grouping: plan.people, by: \.group)
    for (group, people) in people {
      switch form {
      case .keychainItems:
        let cache = CheckedCache(
          inventory.targetItems[group] ?? [], additions[group] ?? [], now: now)
        check(people, cache)
      case .document:
        var document = inventory.documents[group]?.document ?? CacheDocument()
        for addition in additions[group] ?? [] { document.add(addition.record) }
        check(people, document)
      }
    }
  }

  private mutating func check(_ people: [Plan.PlannedPerson], _ cache: CheckedCache) {
    var listings: [String: ClientListing] = [:]
    for planned in people {
      for client in planned.coveredClients {
        let spelling = cache.spelling(of: client, planned.person)
        let listing = listings[spelling] ?? cache.listing(of: spelling)
        listings[spelling] = listing
        check(planned, client, spelling, listing, cache)
      }
    }
  }

  private mutating func check(
    _ planned: Plan.PlannedPerson, _ client: String, _ spelling: String, _ listing: ClientListing,
    _ cache: CheckedCache
  ) {
    let person = planned.person
    if let question = cache.miss(
      person, client: spelling, families: planned.coveredFamilies, listing)
    {
      if !cache.hadEntries(of: person) {
        miss(question, client, planned)
      } else if question.part == .everything {
        unfound.insert(
          Standing.Seat(
            identity: .person(cloud: person.cloud, home: person.home), group: planned.group,
            client: client))
      }
    }
  }

  /// A document lists every account that has an entry, and a refresh token is found by its content.
  private mutating func check(_ people: [Plan.PlannedPerson], _ document: CacheDocument) {
    var there: Set<RecordKey> = []
    for entry in document.accounts { there.formUnion(Record.account(entry.value).listingKeys) }
    for entry in document.credentials {
      there.formUnion(Record.credential(entry.value).listingKeys)
    }
    for planned in people {
      let person = planned.person
      let families = planned.coveredFamilies.map { person.key(.familyRefreshToken, owner: $0) }
      for client in planned.coveredClients {
        let owners = [person.key(.refreshToken, owner: client)] + families
        if !there.contains(person.key(.account)) {
          miss(.accounts, client, planned)
        } else if !owners.contains(where: there.contains) {
          miss(.refreshToken, client, planned)
        }
      }
    }
  }

  private mutating func miss(
    _ question: Question, _ client: String, _ planned: Plan.PlannedPerson
  ) {
    misses.insert(
      Miss(
        account: Withheld.Account(planned.person, group: planned.group), client: client,
        question: question))
  }
}

extension Record {
  /// The keys of a record as far as listing an account asks for them: an account in any tenant.
  fileprivate var listingKeys: [RecordKey] {
    guard case .account(let account) = self else { return keys }
    return [
      RecordKey(.account, cloud: Cloud.key(of: account.environment), home: account.homeAccountID)
    ]
  }
}
