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
    /// MSAL's `account.identifier`, to save in place of ADAL's user ID; nil if it is not known.
    @objc public let identifier: String?
    /// The host under which MSAL stores the account; nil if it stores none.
    @objc public let environment: String?
    /// Whether MSAL finds the account.
    @objc public let signedIn: A2MSignedIn
    /// The clients that have tokens of the account, sorted.
    @objc public let clients: [String]

    init(_ account: Report.Account) {
      userID = account.userID
      identifier = account.homeAccountID
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
    /// The accounts in the cache.
    @objc public let accounts: [A2MAccount]
    /// How many accounts stay signed in.
    @objc public let signedInCount: Int
    /// How many accounts must sign in again.
    @objc public let toSignInCount: Int
    /// How many entries were added, or would be.
    @objc public let writtenCount: Int
    /// The report as JSON (`Schemas/report.schema.json`), with masked user names and without tokens, to log.
    @objc public let maskedJSON: String

    init(_ report: Report) {
      maskedJSON = report.masked().json()
      accounts = report.accounts.map(A2MAccount.init)
      signedInCount = report.summary.accountsSignedIn
      toSignInCount = report.summary.accountsToSignIn
      writtenCount = report.summary.written
    }

    /// The account of a user ID of ADAL, in upper or lower case; of several accounts, the one that MSAL finds best.
    @objc(accountForUserID:) public func account(userID: String?) -> A2MAccount? {
      let name = userID?.lowercased()
      return accounts.filter { $0.userID != nil && $0.userID?.lowercased() == name }
        .max { $0.signedIn.rawValue < $1.signedIn.rawValue }
    }
  }
#endif
