// SPDX-License-Identifier: MIT
#if canImport(ObjectiveC)
  internal import ADALMigration
  import Foundation

  /// Moves the sign-ins of an app from ADAL's cache to MSAL's, for Objective-C: `Migration` of the module
  /// ADALMigration, from the keychain or a blob into the keychain.
  ///
  /// ```objc
  /// [[A2MMigration new] runWithCompletion:^(A2MReport *report, NSError *error) {
  ///   A2MAccount *account = [report accountForUserID:savedUserID];
  ///   // Save account.identifier in place of the user id, then make the MSALPublicClientApplication.
  /// }];
  /// ```
  @objc(A2MMigration) public final class A2MMigration: NSObject {
    /// What one hears at the end: a report, or why there is none.
    public typealias Completion = @MainActor @Sendable (A2MReport?, NSError?) -> Void

    /// The domain of errors; the codes are those of ``A2MErrorCode``.
    @objc public static var errorDomain: String { StoreError.errorDomain }

    /// The access group of the keychain, with or without its team prefix; nil for the one that ADAL and
    /// MSAL share by default.
    @objc public var accessGroup: String?
    /// What ADAL for macOS gave the app to keep, where there is such a file; nil to read the keychain.
    @objc public var blob: Data?
    /// What the team decided, as the JSON file that the command's `--policy` takes; nil for everything.
    @objc public var policy: Data?

    /// A migration in the keychain's default access group; nothing is read before it is planned or run.
    @objc override public init() {}

    /// Says what a run would do, with nothing written.
    ///
    /// - Parameter completion: hears it on the main thread.
    @objc(planWithCompletion:) public func plan(completion: @escaping Completion) {
      answer(completion) { try $0.plan() }
    }

    /// Migrates, away from the main thread. Safe to call at every start.
    ///
    /// - Parameter completion: hears on the main thread who stays signed in. With an error nothing is
    ///   lost: users who were not migrated sign in once.
    @objc(runWithCompletion:) public func run(completion: @escaping Completion) {
      answer(completion) { try $0.run() }
    }

    private func answer(
      _ completion: @escaping Completion, _ work: @escaping @Sendable (Migration) throws -> Report
    ) {
      let source = blob.map { Source.blob(Array($0)) } ?? .keychain(group: accessGroup)
      let (target, policy) = (Target.keychain(group: accessGroup), policy)
      Task.detached {
        do {
          let decided = try policy.map { try Policy(json: Array($0)) } ?? Policy()
          let migration = Migration(from: source, into: target, policy: decided)
          let report = try A2MReport(work(migration))
          await completion(report, nil)
        } catch {
          await completion(nil, error as NSError)
        }
      }
    }
  }
#endif
