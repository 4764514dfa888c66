// SPDX-License-Identifier: MIT
import MSALCache
import MSALLookup

/// Law 10: MSAL finds every entry that a run writes.
///
/// Before a run writes, it looks up every account that the report calls signed in, as MSAL would, in the future content
/// of the target. It skips an account that no existing entry could hide, because laws and tests show that the plan's
/// own entries are found. If an account has only new entries and is not found, that is a bug in this package: the
/// account is left out, and the others go on. If an account shares its entries with existing or carried ones, these may
/// hide it. The report then does not call it signed in.
struct PlanCheck: Sendable {
  /// A question that MSAL asks.
  enum Question: String, Sendable {
    case accounts
    case accountByUserName = "account by user name"
    case refreshToken = "refresh token"
    case accessToken = "access token"
    case idToken = "ID token"
  }

  /// One account with one client, in one access group.
  struct SignIn: Sendable, Hashable {
    let account: Grouped<AccountKey>
    let client: ExactText
  }

  /// A client's question about an account without an answer, for which only the plan can be the cause.
  struct Miss: Sendable, Hashable {
    let signIn: SignIn
    let question: Question
  }

  private(set) var misses: Set<Miss> = []
  /// The sign-ins whose account MSAL does not find because of existing or carried entries.
  private(set) var unfound: Set<SignIn> = []
  /// The future documents of the target, by access group, if the plan adds to them.
  private(set) var documents: [String: CacheDocument] = [:]
  /// MSAL's view of each access group that the check asks about.
  private(set) var lookups: [String: Lookup] = [:]

  init(_ inventory: borrowing Inventory, _ plan: borrowing Plan, form: CacheForm, now: Double) {
    let symbols = plan.table.symbols
    let additions = plan.decisions.additionsByGroup
    let accounts = Dictionary(grouping: plan.accounts, by: \.group)
    switch form {
    case .keychainItems:
      let hasDamage = inventory.hasDamage
      let staying =
        hasDamage ? Set(inventory.rowsInPlace.map { inventory.rows[$0].group }) : []
      for group in Set(accounts.keys).union(staying) {
        let there = plan.caches[group] ?? MSALIndex()
        let asked = (accounts[group] ?? []).filter { there.mayHide(home: $0.key.home) }
        guard !asked.isEmpty || hasDamage else { continue }
        let cache = CheckedCache(
          inventory.target[group].index, plan, symbols.known(group).flatMap { additions[$0] } ?? [],
          accessGroup: group, now: now)
        lookups[group] = cache.lookup
        check(asked, cache, plan.table)
      }
    case .document:
      for (group, additions) in additions {
        let group = symbols[group]
        var document = inventory.target[group].document ?? CacheDocument()
        for addition in additions { document.add(addition, of: plan) }
        documents[group] = document
      }
      for (group, accounts) in accounts {
        check(
          accounts, documents[group] ?? inventory.target[group].document ?? CacheDocument(),
          symbols)
      }
    }
  }

  private mutating func check(
    _ accounts: [PlannedAccount], _ cache: CheckedCache, _ table: RowTable
  ) {
    var listings: [ExactText: ClientListing] = [:]
    for account in accounts {
      let questions = cache.questions(about: account, table)
      for client in account.clients {
        let client = ExactText(table.symbols[client])
        let spelling = questions.clients[client] ?? client.text
        let listing = listings[spelling] ?? ClientListing(cache.lookup, clientID: spelling)
        listings[spelling] = listing
        guard let question = questions.miss(client: spelling, listing) else { continue }
        if !cache.hasOthersEntries(of: account) {
          miss(question, client, account)
        } else if question.part == .everything {
          unfound.insert(SignIn(account: Grouped(account), client: client))
        }
      }
    }
  }

  /// A document lists every account that has an entry, and a refresh token is found by its content.
  private mutating func check(
    _ accounts: [PlannedAccount], _ document: CacheDocument, _ symbols: Symbols
  ) {
    for account in accounts {
      func holds(_ kind: MSALEntry.Key.Kind, of owner: Symbol) -> Bool {
        document.holdsRefreshToken(account.entryKey(kind, owner: owner).text(symbols))
      }
      let holdsFamily = account.families.contains { holds(.familyRefreshToken, of: $0) }
      for client in account.clients {
        if !document.lists(account.key) {
          miss(.accounts, ExactText(symbols[client]), account)
        } else if !holdsFamily && !holds(.refreshToken, of: client) {
          miss(.refreshToken, ExactText(symbols[client]), account)
        }
      }
    }
  }

  private mutating func miss(_ question: Question, _ client: ExactText, _ account: PlannedAccount) {
    misses.insert(
      Miss(signIn: SignIn(account: Grouped(account), client: client), question: question))
  }
}
