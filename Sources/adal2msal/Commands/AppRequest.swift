// SPDX-License-Identifier: MIT
import ADALMigration
import LookupAnswers
import MSALCache
import MSALLookup

/// An app's request: the account and the resource.
struct AppRequest {
  var clientID: String
  var username: String?
  var accountID: String?
  var scopes: [String]
  var authority: String?
  var familyID: String?
  var names: ShownNames

  /// The authority of an app that configures none.
  private static let standardAuthority = "https://login.microsoftonline.com/common"

  var asksForAccount: Bool { username != nil || accountID != nil }
  private var scope: String? { scopes.isEmpty ? nil : scopes.joined(separator: " ") }

  func shown(_ name: String?) -> String? { name.map { names($0) } }

  /// Asks as MSAL for iOS and macOS does: lists accounts, then looks silently for the first of them.
  func ask(_ lookup: Lookup, of cache: LookupItems) -> LookupRendering {
    var listing = LookupQuery(.listedAccounts, clientID: clientID, withLegacy: true)
    listing.username = username
    listing.identifier = accountID
    let lists = lookup.possibleLists(listing)
    let accounts = lists.first ?? []

    var result = LookupRendering()
    result.accounts = accounts.map(shown)
    result.alternatives = alternatives(to: result.accounts, Array(lists.dropFirst()))
    if accounts.isEmpty { result.accountCandidates = candidates(lookup.candidates(listing), cache) }

    let account = asksForAccount || accounts.count == 1 ? accounts.first : nil
    let isUnknownUser = username != nil && account == nil
    let query = silentQuery(lookup, account)
    if asksForAccount {
      // By user name, a refresh token is found through the account or the row of that name.
      result.refreshToken = refreshToken(lookup, query, cache)
      var idQuery = query
      idQuery.operation = .idToken
      result.idToken =
        isUnknownUser
        ? .ofUnknownUser
        : token(lookup.idToken(idQuery), missed: lookup.candidates(idQuery), cache)
    }
    if scope != nil {
      result.accessToken =
        isUnknownUser
        ? .ofUnknownUser
        : token(
          lookup.silentAccessToken(query), missed: lookup.silentAccessTokenCandidates(query), cache)
    }
    return result
  }

  /// Other lists of accounts, each once, as far as an answer shows how they differ.
  private func alternatives(
    to accounts: [LookupRendering.Account], _ others: [[Lookup.ListedAccount]]
  ) -> [[LookupRendering.Account]]? {
    var seen: Set = [Set(accounts)]
    let alternatives = others.map { $0.map(shown) }.filter { seen.insert(Set($0)).inserted }
    return alternatives.isEmpty ? nil : alternatives
  }

  private func silentQuery(_ lookup: Lookup, _ account: Lookup.ListedAccount?) -> LookupQuery {
    let homeAccountID = accountID ?? account?.identifier
    let given = authority ?? Self.authority(of: account)
    return LookupQuery(
      .accessToken, clientID: clientID, scopes: scope,
      authority: lookup.silentAuthority(given, homeAccountID: homeAccountID, clientID: clientID),
      homeAccountID: homeAccountID, username: username ?? account?.username, familyID: familyID,
      withLegacy: true)
  }

  /// The authority in the configuration of an app in the account's cloud.
  private static func authority(of account: Lookup.ListedAccount?) -> String {
    guard let environment = account?.environment else { return standardAuthority }
    let isWorldwide = Cloud.of(host: environment)?.aliases.contains("login.microsoftonline.com")
    return isWorldwide ?? false ? standardAuthority : "https://\(environment)/common"
  }

  /// The family's token where the client is in one or may be, else the client's own
  /// (IdentityCore requests/sdk/msal/MSIDDefaultSilentTokenRequest.m).
  private func refreshToken(
    _ lookup: Lookup, _ query: LookupQuery, _ cache: LookupItems
  ) -> LookupRendering.Token {
    let metadata = lookup.appMetadata(
      LookupQuery(.appMetadata, clientID: clientID, authority: query.authority))
    let family = familyID ?? metadata.first.map { $0.familyID ?? "" } ?? "1"
    var attempts = [query, query]
    attempts[0].familyID = family
    attempts[1].familyID = nil
    if familyID != nil { attempts.removeLast() } else if family.isEmpty { attempts.removeFirst() }
    for index in attempts.indices { attempts[index].operation = .refreshToken }

    var error: String?
    for attempt in attempts {
      do {
        guard let token = try lookup.refreshToken(attempt) else { continue }
        // Another account of the user name may come first, and have no token (D45).
        guard !lookup.possibleAnswers(attempt).contains(where: { $0 == .token(.refreshToken, nil) })
        else {
          error =
            "several accounts have this user name, and the order of the keychain decides whether MSAL finds "
            + "the one with a refresh token; select the account by identifier"
          continue
        }
        return .hit(token)
      } catch let failure {
        error = failure.description
      }
    }
    let missed = attempts.last.map { lookup.candidates($0) } ?? []
    return .miss(candidates(missed, cache), error: error)
  }

  private func shown(_ account: Lookup.ListedAccount) -> LookupRendering.Account {
    LookupRendering.Account(
      identifier: account.identifier.map(names.identifier), username: shown(account.username),
      environment: account.environment,
      tenantProfiles: account.tenantProfiles.map {
        LookupRendering.TenantProfile(
          tenantID: names.text($0.tenantID), identifier: $0.identifier.map(names.text),
          isHome: $0.isHome)
      })
  }

  /// Asks as MSAL for Python does. ID tokens are not asked for: it has no request that gives one from
  /// the cache.
  func ask(_ lookup: PythonLookup) -> LookupRendering {
    var query = LookupQuery(
      .accounts, clientID: clientID, scopes: scope,
      authority: authority ?? Self.standardAuthority, username: username, familyID: familyID)
    var result = LookupRendering()
    var first: Lookup.TenantAccount?
    do {
      let accounts = try lookup.accounts(query).filter { account in
        accountID.map { account.identifier?.isExactly($0) ?? false } ?? true
      }
      result.accounts = accounts.map(shown)
      first = asksForAccount || accounts.count == 1 ? accounts.first : nil
    } catch let failure {
      result.accountError = failure.description
    }
    if result.accounts.isEmpty { result.accountCandidates = candidates(lookup.candidates(query)) }
    if username != nil, result.accounts.isEmpty {
      result.refreshToken = .ofUnknownUser
      if scope != nil { result.accessToken = .ofUnknownUser }
      return result
    }
    query.homeAccountID = accountID ?? first?.identifier
    if asksForAccount {
      query.operation = .refreshToken
      result.refreshToken = token(lookup.candidates(query)) { try lookup.refreshToken(query) }
    }
    if scope != nil {
      query.operation = .accessToken
      result.accessToken = token(lookup.candidates(query)) { try lookup.accessToken(query) }
    }
    return result
  }

  /// - Parameter missed: the entries that were not taken; asked for only where there is no token.
  private func token(
    _ found: Lookup.Token?, missed: @autoclosure () -> [LookupCandidate],
    _ cache: LookupItems? = nil
  ) -> LookupRendering.Token {
    found.map { .hit($0) } ?? .miss(candidates(missed(), cache))
  }

  private func token(
    _ missed: [LookupCandidate], _ find: () throws -> Lookup.Token?
  ) -> LookupRendering.Token {
    do {
      return token(try find(), missed: missed)
    } catch {
      return .miss(candidates(missed), error: (error as? Lookup.Failure)?.description)
    }
  }

  private func shown(_ account: Lookup.TenantAccount) -> LookupRendering.Account {
    let home = account.identifier.flatMap { HomeAccountID($0) }
    return LookupRendering.Account(
      identifier: account.identifier.map(names.identifier), username: shown(account.username),
      environment: account.environment,
      tenantProfiles: [
        LookupRendering.TenantProfile(
          tenantID: account.realm.map(names.text),
          identifier: account.localAccountID.map(names.text),
          isHome: account.realm != nil && account.realm == home?.utid)
      ])
  }

  /// - Parameter cache: the items that were asked; nil for a document.
  private func candidates(
    _ candidates: [LookupCandidate], _ cache: LookupItems? = nil
  ) -> [LookupRendering.Candidate] {
    candidates.map { candidate in
      var place = LookupRendering.Place(
        index: cache?.number(of: candidate.place), words: cache?.words(of: candidate.place))
      switch candidate.place {
      case .item(_, let key), .fallbackRow(let key):
        place.service = names.text(key.service)
        // The keychain account of ADAL's rows is a user name.
        if names.areReal { place.account = key.account }
      case .entry(let section, let key):
        place.section = section.rawValue
        place.key = names.text(key)
      }
      return LookupRendering.Candidate(
        place: place, failed: candidate.failed, why: names.text(candidate.why),
        origin: candidate.place)
    }
  }
}
