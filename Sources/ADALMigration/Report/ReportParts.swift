// SPDX-License-Identifier: MIT

// A report made of parts, by the assembly or by an app's own tests and previews.

extension Report {
  /// A report without a run, for an app's tests and previews. Its counts follow from its parts, and its written entries
  /// are those of its rows.
  ///
  /// - Parameters:
  ///   - kind: the kind of run that would have made it.
  ///   - accounts: the accounts in the cache.
  ///   - entries: one for every row; an ``Entry/account`` that is no index into `accounts` becomes nil.
  ///   - findings: one for each reason and severity.
  ///   - foreign: how many other items the keychain group has.
  public init(
    kind: Kind = .applied, accounts: [Account], entries: [Entry] = [], findings: [Finding] = [],
    foreign: Int = 0
  ) {
    let entries = entries.map { entry in
      var entry = entry
      entry.account = entry.account.flatMap { accounts.indices.contains($0) ? $0 : nil }
      return entry
    }
    let written = entries.reduce(0) { $0 + $1.writes.count }
    self.init(
      kind: kind,
      summary: Summary(of: entries, accounts, findings, foreign: foreign, written: written),
      accounts: accounts, entries: entries, findings: findings)
    explainAccounts()
  }
}

extension Report.Summary {
  /// The counts of these parts.
  init(
    of entries: [Report.Entry], _ accounts: [Report.Account], _ findings: [Report.Finding],
    foreign: Int, written: Int
  ) {
    let toSignIn = accounts.count { $0.signedIn == .no }
    let lost = Self.accountsThatLose(entries, accounts, findings)
    self.init(
      rows: entries.count, converted: 0, alreadyThere: 0, notConverted: 0, foreign: foreign,
      accounts: accounts.count, accountsSignedIn: accounts.count - toSignIn,
      accountsToSignIn: toSignIn, accountsSignedOut: toSignIn - lost.count, written: written)
    for position in entries.indices {
      switch entries[position].outcome {
      case .converted: converted += 1
      case .alreadyThere: alreadyThere += 1
      case .notConverted: notConverted += 1
      }
    }
  }
}

extension Report.Summary {
  /// The accounts, as indices, that lose a sign-in that ADAL had: an error finding is about one of their rows. The
  /// others without a sign-in had to sign in before.
  package static func accountsThatLose(
    _ entries: [Report.Entry], _ accounts: [Report.Account], _ findings: [Report.Finding]
  ) -> Set<Int> {
    let errors = findings.filter { $0.severity == .error && $0.reason != .policyMatchesNothing }
    if errors.isEmpty { return [] }
    let rows = Set(errors.lazy.flatMap(\.rows))
    var accountOfRow: [Int: Int] = [:]
    for index in entries.indices where rows.contains(entries[index].row) {
      accountOfRow[entries[index].row] = entries[index].account
    }
    // An error about the whole run, or about rows of no account, may be about all accounts.
    let isAboutAll = errors.contains { $0.rows.allSatisfy { accountOfRow[$0] == nil } }
    let concerned = Set(accountOfRow.values)
    return Set(
      accounts.indices.filter {
        accounts[$0].signedIn == .no && (isAboutAll || concerned.contains($0))
      })
  }
}

extension Report.Account {
  /// An account in a report that no run made; set the other properties afterwards.
  ///
  /// - Parameters:
  ///   - userID: the user name, if one is known.
  ///   - homeAccountID: MSAL's identifier, if it is known.
  ///   - signedIn: whether MSAL finds the account.
  ///   - confidence: the confidence of the identifier (default: ``Confidence/exact`` with an identifier,
  ///     ``Confidence/usernameOnly`` without one).
  public init(
    userID: String?, homeAccountID: String? = nil, signedIn: TokenCacheMigration.Report.SignedIn,
    confidence: TokenCacheMigration.Report.Confidence? = nil
  ) {
    let known: Report.Confidence =
      homeAccountID != nil ? .exact : userID == nil ? .none : .usernameOnly
    self.init(
      userID: userID, homeAccountID: homeAccountID, environment: nil,
      confidence: confidence ?? known, clients: [], realms: [], signedIn: signedIn)
  }
}

extension Report.Entry {
  /// A row in a report without a run. You can set the members that are not parameters.
  ///
  /// - Parameters:
  ///   - row: its number.
  ///   - kind: the kind of the row.
  ///   - account: the row's account, as an index into ``Report/accounts``; nil if it has none.
  ///   - outcome: the result of the row.
  ///   - reasons: why, at least one, the most important first.
  public init(
    row: Int, kind: TokenCacheMigration.Report.RowKind = .multiResourceRefreshToken,
    account: Int? = nil,
    outcome: TokenCacheMigration.Report.Outcome, reasons: [TokenCacheMigration.Reason]
  ) {
    self.init(
      row: row, place: Report.Place(index: row), kind: kind, clientID: nil, authority: nil,
      resource: nil, scope: nil, userID: nil, homeAccountID: nil, account: account,
      outcome: outcome, reasons: reasons, evidence: [], writes: [])
  }
}

extension Report.Place {
  /// A place in a report without a run. You can set the members that are not parameters.
  ///
  /// - Parameter index: which item of the file, from 0.
  package init(index: Int) {
    self.init(file: nil, index: index, accessGroup: nil, account: nil, service: nil)
  }
}

extension Report.Write {
  /// One of MSAL's entries in a report without a run. You can set the members that are not parameters.
  ///
  /// - Parameters:
  ///   - type: the type of the entry.
  ///   - environment: the host under which MSAL files it.
  package init(type: Report.EntryType, environment: String) {
    self.init(type: type, environment: environment, realm: nil, target: nil)
  }
}

extension Report.Finding {
  /// A finding in the reason's own words.
  ///
  /// - Parameters:
  ///   - reason: why.
  ///   - severity: how bad it is.
  ///   - rows: the rows that it is about.
  public init(
    _ reason: TokenCacheMigration.Reason, severity: TokenCacheMigration.Reason.Severity,
    rows: [Int] = []
  ) {
    self.init(
      reason: reason, severity: severity, rows: rows, fragments: [.text(reason.summary)],
      remedy: reason.remedy)
  }
}
