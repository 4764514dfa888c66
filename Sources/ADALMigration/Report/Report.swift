// SPDX-License-Identifier: MIT

extension TokenCacheMigration {
  /// The result of a migration or of a dry run: one entry for every row, and the accounts that stay signed in.
  ///
  /// It has the real user names, because an app needs them to replace ADAL's saved user IDs. So it has no
  /// JSON: ``masked(_:)`` returns the form to print. It has no secret. `Schemas/report.schema.json` describes
  /// its parts.
  public struct Report: Sendable, Equatable {
    /// The kind of run that made the report.
    public enum Kind: String, CaseIterable, Codable, Sendable {
      /// An inspection, without decisions.
      case inspection
      /// A dry run: everything was decided and nothing was written.
      case dryRun = "dry-run"
      /// Everything was decided and written.
      case applied
    }

    /// The kind of run that made the report.
    public var kind: Kind
    /// The counts.
    public var summary: Summary
    /// The accounts in the cache, in the order of reports.
    public var accounts: [Account]
    /// One entry for every row, in the order of ``Entry/row``.
    public var entries: [Entry]
    /// The findings, one for each reason and severity.
    public var findings: [Finding]
    /// The result of each file, in the order of their names; empty when one cache was read.
    package var caches: [Cache] = []
    /// The target that the run was judged against, if the caller named it; nil for an inspection.
    package var target: JudgedTarget?
    /// The number of rows that an inspection leaves out because their clients were not selected.
    package var leftOut = 0
    /// The number of entries that were or would be added to the target, by type.
    package var writtenByType: [EntryType: Int] = [:]
    /// The duration of the run, if the caller sets it. Only the report for telemetry has it.
    package var milliseconds: Int?

    /// The severity of the worst finding; nil without findings.
    package var worstSeverity: Severity? {
      findings.map(\.severity).max()
    }
  }
}

extension Report {
  /// The effect of a finding on the user.
  package typealias Severity = TokenCacheMigration.Reason.Severity

  /// The counts of a report. `converted + alreadyThere + notConverted == rows`.
  public struct Summary: Sendable, Hashable, Codable {
    /// Items that ADAL archived and entries in MSAL's form, in the source.
    public var rows: Int
    /// Rows whose content was or would be written.
    public var converted: Int
    /// Rows whose content the target already has.
    public var alreadyThere: Int
    /// Rows that were not converted.
    public var notConverted: Int
    /// Other items of the keychain group, which are not rows.
    public var foreign: Int
    /// Accounts that the cache knows.
    public var accounts: Int
    /// Accounts that need no new sign-in.
    public var accountsSignedIn: Int
    /// Accounts that must sign in, including ``accountsSignedOut``.
    public var accountsToSignIn: Int
    /// The accounts among ``accountsToSignIn`` that had to sign in before: ADAL had no usable refresh token, or the
    /// user signed out with MSAL.
    public var accountsSignedOut: Int
    /// Entries that were or would be added to the target.
    public var written: Int
  }

  /// Whether MSAL finds an account after the migration.
  public enum SignedIn: String, CaseIterable, Sendable {
    /// By identifier and by user name.
    case yes
    /// By user name only, as MSAL's fallback to a row of ADAL's finds it.
    case byUserName = "by-user-name"
    /// Not at all: the user must sign in again, at least in one client.
    case no

    /// Accounts whose users must act come first.
    package static let worstFirst: [SignedIn] = [.no, .byUserName, .yes]

    func isBetter(than other: SignedIn) -> Bool {
      self == .yes ? other != .yes : self == .byUserName && other == .no
    }
  }

  /// An account that the cache knows, in one cloud.
  public struct Account: Sendable, Hashable {
    /// The user name as MSAL will show it, which is also ADAL's `userId`.
    public var userID: String?
    /// The home account id, `uid.utid`, as far as the cache proves it.
    public var homeAccountID: String?
    /// The host under which MSAL stores the account.
    public var environment: String?
    /// The certainty of the home account ID.
    public var confidence: Confidence
    /// The clients that have tokens of this account, sorted.
    public var clients: [String]
    /// The tenants that the account's tokens are of, sorted.
    public var realms: [String]
    /// Whether MSAL finds the account. If an account has several clients, the worst result counts.
    public var signedIn: SignedIn
    /// The reasons why MSAL does not find the account by an identifier, for one of its clients: the first reason of
    /// each of its rows that was not converted, the most telling first. Empty if MSAL finds it.
    public internal(set) var reasons: [TokenCacheMigration.Reason] = []
    /// Whether MSAL finds the account by its identifier for one client at least.
    package var isFoundForSomeClient = false

    /// MSAL's identifier to save in place of ADAL's `userId`; nil if MSAL finds the account for no client, or only by
    /// name.
    ///
    /// A client that has lost its sign-in finds no account by it, even if another client of the keychain group still
    /// does.
    public var identifier: String? {
      signedIn == .yes || isFoundForSomeClient ? homeAccountID : nil
    }

    /// Whether it stands for the users of rows that cannot be read and that name no user (D42).
    package var isUnknownUsers: Bool {
      userID == nil && homeAccountID == nil && environment == nil
    }
  }

  /// The library that kept a row in a form of its own.
  package enum Library: String, CaseIterable, Sendable {
    /// ADAL for .NET or Xamarin.
    case adalNET = "adal-net"
    /// MSAL.NET, in ADAL.NET's form.
    case msalNET = "msal-net"
    /// ADAL for Python, and Azure CLI 2.
    case adalPython = "adal-python"
    /// ADAL for Node, and azure-cli 1.
    case adalNode = "adal-node"

    /// The library's usual name.
    package var name: String {
      switch self {
      case .adalNET: "ADAL.NET"
      case .msalNET: "MSAL.NET"
      case .adalPython: "ADAL for Python"
      case .adalNode: "ADAL for Node"
      }
    }
  }

  /// An entry of MSAL's that a row needs in the target.
  public struct Write: Sendable, Equatable {
    /// The type of the entry.
    public var type: EntryType
    /// The host under which MSAL stores the entry.
    public var environment: String
    /// The tenant; nil for refresh tokens and app metadata.
    public var realm: String?
    /// The scope of an access token.
    public var target: String?
  }

  /// One row and its result.
  public struct Entry: Sendable, Equatable {
    /// The number of the row, in key order from 0.
    public var row: Int
    /// The place of the row.
    public var place: Place
    /// The kind of the row.
    public var kind: RowKind
    /// The client id, as the cache spells it.
    public var clientID: String?
    /// The authority, as the cache spells it.
    public var authority: String?
    /// The resource, as the cache spells it.
    public var resource: String?
    /// The scope to ask MSAL for in place of the resource.
    public var scope: String?
    /// The user name.
    public var userID: String?
    /// The home account id.
    public var homeAccountID: String?
    /// The row's account, as an index into ``Report/accounts``; nil if it has none.
    public var account: Int?
    /// The result; ignore it in an inspection.
    public var outcome: Outcome
    /// The reasons, at least one, the most important first.
    public var reasons: [TokenCacheMigration.Reason]
    /// The claims and fields that the decision used, as codes such as `idtoken.oid+tid`; never a user name.
    public var evidence: [String]
    /// The entries that the row needs in the target.
    public var writes: [Write]
    /// The document of a folder that has or would have the row's content; nil in other targets, and for a row without a
    /// document.
    package var documentName: String?
    /// The library and the form that the row was kept in.
    package var generation = Generation.unknown

    /// The library that kept the row; nil for ADAL for iOS and macOS, and for entries in MSAL's form.
    package var library: Library? { generation.library }
  }

  /// A piece of a message. User names stand apart, so that they can be masked.
  package enum Fragment: Sendable, Equatable, ExpressibleByStringLiteral {
    /// Words, without any user name.
    case text(String)
    /// A user name.
    case user(String)

    /// Text of the program's own, with no name in it.
    package init(stringLiteral text: String) {
      self = .text(text)
    }
  }

  /// A fact about one or more rows that the team should know.
  public struct Finding: Sendable, Equatable {
    /// The reason.
    public var reason: TokenCacheMigration.Reason
    /// The severity.
    public var severity: TokenCacheMigration.Reason.Severity
    /// The rows that it is about, sorted; empty when it is about the run.
    public var rows: [Int]
    /// The parts of ``message``.
    package var fragments: [Fragment]
    /// The remedy, in one line without a full stop.
    public var remedy: String

    /// The event, in one line without a full stop.
    public var message: String {
      fragments.map { fragment in
        switch fragment {
        case .text(let words): words
        case .user(let name): name
        }
      }.joined()
    }
  }
}
