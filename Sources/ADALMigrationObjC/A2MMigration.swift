// SPDX-License-Identifier: MIT
#if canImport(ObjectiveC)
  internal import ADALMigration
  import Foundation
  internal import MigrationPolicies

  /// Moves the sign-ins of an app from ADAL's cache to MSAL's keychain items.
  ///
  /// This is `TokenCacheMigration` of the module ADALMigration for Objective-C: it reads the keychain or a blob.
  ///
  /// ```objc
  /// [[A2MMigration new] runWithCompletion:^(A2MReport *report, NSError *error) {
  ///   A2MAccount *account = [report accountForADALUserID:savedUserID];
  ///   // Save account.identifier in place of the user id, then make the MSALPublicClientApplication.
  /// }];
  /// ```
  @objc(A2MMigration) public final class A2MMigration: NSObject {
    /// Gets the report, or the error, on the main thread at the end of a run.
    public typealias Completion = @MainActor @Sendable (A2MReport?, NSError?) -> Void

    /// The domain of errors; the codes are those of ``A2MErrorCode``.
    @objc public static var errorDomain: String { StoreError.errorDomain }

    /// The access group, with or without its team prefix (default: the group that ADAL and MSAL share).
    @objc public var accessGroup: String?
    /// The bytes that ADAL for macOS gave the app to store; nil to read the keychain.
    @objc public var blob: Data?
    /// The policy, in the JSON format of the command's `--policy` (default: no restriction).
    @objc public var policy: Data?

    /// A migration in the keychain's default access group. It reads nothing before it is planned or run.
    @objc override public init() {}

    /// Reports the effect of a run, and writes nothing.
    ///
    /// - Parameter completion: gets the report on the main thread.
    @objc(planWithCompletion:) public func plan(completion: @escaping Completion) {
      answer(completion) { try $0.plan() }
    }

    /// Migrates, away from the main thread. Safe to call at every start.
    ///
    /// - Parameter completion: gets the report on the main thread. After an error the cache is as before, and
    ///   users sign in as they would without a migration.
    @objc(runWithCompletion:) public func run(completion: @escaping Completion) {
      answer(completion) { try $0.run() }
    }

    private func answer(
      _ completion: @escaping Completion,
      _ work:
        @escaping @Sendable (TokenCacheMigration) throws ->
        TokenCacheMigration.Report
    ) {
      let source =
        blob.map { TokenCacheMigration.Source.blob(Array($0)) } ?? .keychain(group: accessGroup)
      let (target, policy) = (TokenCacheMigration.Target.keychain(group: accessGroup), policy)
      Task.detached {
        do {
          let decided =
            try policy.map { try TokenCacheMigration.Policy(json: Array($0)) } ?? .init()
          let migration = TokenCacheMigration(from: source, into: target, policy: decided)
          let report = try A2MReport(work(migration))
          await completion(report, nil)
        } catch {
          await completion(nil, error as NSError)
        }
      }
    }
  }
#endif
