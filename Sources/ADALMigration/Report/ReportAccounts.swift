// SPDX-License-Identifier: MIT
import CacheJSON
import MSALCache

extension TokenCacheMigration.Report {
  /// The account of a user ID that the app saved while it used ADAL.
  ///
  /// Names are compared as MSAL compares them, without regard to case.
  ///
  /// - Parameter userID: ADAL's `userInformation.userId`.
  /// - Returns: the account. If several accounts have that name, it is the one that every client is signed in to, or
  ///   else the one with an identifier, or else the one that MSAL finds by the name. Nil if the cache has no such user,
  ///   or if the name alone does not tell which account is meant: see ``accounts(forADALUserID:)``.
  public func account(forADALUserID userID: String) -> Account? {
    let accounts = accounts(forADALUserID: userID)
    guard accounts.count > 1 else { return accounts.first }
    let best = [
      accounts.filter { $0.signedIn == .yes }, accounts.filter { $0.identifier != nil },
      accounts.filter { $0.signedIn == .byUserName },
    ].first { !$0.isEmpty }
    return best?.count == 1 ? best?.first : nil
  }

  /// All accounts of a user ID that the app saved while it used ADAL, in the order of the report.
  ///
  /// - Parameter userID: as in ``account(forADALUserID:)``.
  public func accounts(forADALUserID userID: String) -> [Account] {
    let name = userID.foldedUserName
    return accounts.filter { $0.userID?.foldedUserName == name }
  }
}

extension Report {
  /// Gives each account that MSAL does not find by an identifier the reasons of its rows.
  mutating func explainAccounts() {
    for index in entries.indices where entries[index].outcome == .notConverted {
      guard let reason = entries[index].reasons.first, let account = entries[index].account,
        accounts.indices.contains(account), accounts[account].signedIn != .yes,
        !accounts[account].reasons.contains(reason)
      else { continue }
      accounts[account].reasons.append(reason)
    }
    for account in accounts.indices where accounts[account].reasons.count > 1 {
      accounts[account].reasons = accounts[account].reasons
        .ordered(by: Reason.isMoreTelling(_:than:))
    }
  }
}
