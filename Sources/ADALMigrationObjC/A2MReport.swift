// SPDX-License-Identifier: MIT
#if canImport(ObjectiveC)
  internal import ADALMigration
  import Foundation

  /// Whether MSAL finds an account.
  @objc(A2MSignedIn) public enum A2MSignedIn: Int, Sendable {
    /// Not: the user signs in once.
    case no = 0
    /// Only by user name, as long as ADAL's row stays.
    case byUserName = 1
    /// By its identifier and by user name.
    case yes = 2
  }

  /// An account that ADAL's cache knows.
  @objc(A2MAccount) public final class A2MAccount: NSObject, Sendable {
    /// ADAL's `userInformation.userId` in lower case; nil if the cache has no user name.
    @objc public let userID: String?
    /// MSAL's `account.identifier`, to save in place of ADAL's user ID; nil if MSAL finds the account for no client, or
    /// only by name.
    @objc public let identifier: String?
    /// The codes of the reasons why MSAL does not find the account by its identifier, for one of its clients; the most
    /// telling first.
    @objc public let reasons: [String]
    /// The host under which MSAL stores the account; nil if it stores none.
    @objc public let environment: String?
    /// Whether MSAL finds the account.
    @objc public let signedIn: A2MSignedIn
    /// The clients that have tokens of the account, sorted.
    @objc public let clients: [String]

    init(_ account: TokenCacheMigration.Report.Account) {
      userID = account.userID
      identifier = account.identifier
      reasons = account.reasons.map(\.code)
      environment = account.environment
      signedIn =
        switch account.signedIn {
        case .yes: .yes
        case .byUserName: .byUserName
        case .no: .no
        }
      clients = account.clients
    }
  }

  /// The result of a run: the accounts, with counts.
  @objc(A2MReport) public final class A2MReport: NSObject, Sendable {
    private let report: TokenCacheMigration.Report
    /// The accounts in the cache.
    @objc public let accounts: [A2MAccount]
    /// The number of accounts that stay signed in.
    @objc public let signedInCount: Int
    /// The number of accounts that must sign in again.
    @objc public let toSignInCount: Int
    /// The number of entries that were added, or would be.
    @objc public let writtenCount: Int
    /// The report as JSON (`Schemas/report.schema.json`), with masked user names and without tokens, to log.
    @objc public let maskedJSON: String

    init(_ report: TokenCacheMigration.Report) {
      self.report = report
      maskedJSON = report.masked().json()
      accounts = report.accounts.map(A2MAccount.init)
      signedInCount = report.summary.accountsSignedIn
      toSignInCount = report.summary.accountsToSignIn
      writtenCount = report.summary.written
    }

    /// The account of a user ID that the app saved while it used ADAL; of several accounts of that name, the one
    /// that is signed in. Nil if the cache has no such user, or if the name does not tell which account is meant.
    @objc(accountForADALUserID:) public func account(forADALUserID userID: String?) -> A2MAccount? {
      userID.flatMap { report.account(forADALUserID: $0) }.map(A2MAccount.init)
    }

    /// All accounts of a user ID that the app saved while it used ADAL, in the order of the report.
    @objc(accountsForADALUserID:) public func accounts(forADALUserID userID: String?)
      -> [A2MAccount]
    {
      userID.map { report.accounts(forADALUserID: $0).map(A2MAccount.init) } ?? []
    }
  }
#endif
