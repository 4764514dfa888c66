// SPDX-License-Identifier: MIT

/// The keychain's answers that mean something to us, by Security's values.
enum KeychainStatus {
  static let success: Int32 = 0
  static let diskFull: Int32 = -34
  static let inputOutput: Int32 = -36
  static let userCanceled: Int32 = -128
  static let noAccessForItem: Int32 = -25243
  static let notAvailable: Int32 = -25291
  static let authFailed: Int32 = -25293
  static let duplicateItem: Int32 = -25299
  static let itemNotFound: Int32 = -25300
  static let interactionNotAllowed: Int32 = -25308
  static let missingEntitlement: Int32 = -34018
  /// The keychain's database waits for the first unlock after an update of the system.
  static let upgradePending: Int32 = -34019
  /// An App Clip asked for a group that is not its own.
  static let restrictedAPI: Int32 = -34020
}

extension StoreError {
  /// The meaning of a status for a query of an access group.
  ///
  /// - Parameter otherwise: the code of statuses that mean nothing to us.
  init(keychainStatus status: Int32, accessGroup: String, otherwise: Code) {
    func error(_ code: Code, _ message: String) -> StoreError {
      StoreError(code, "\(message) (\(status))")
    }
    self =
      switch status {
      case KeychainStatus.missingEntitlement, KeychainStatus.noAccessForItem:
        error(
          .refused,
          "the keychain refuses: the entitlements of this program do not name the access group "
            + accessGroup)
      case KeychainStatus.restrictedAPI:
        error(
          .refused,
          "the keychain refuses: an App Clip can use only its own access group, so migrate in the "
            + "full app")
      case KeychainStatus.interactionNotAllowed:
        error(
          .locked,
          "the device is locked, so the keychain cannot decrypt items of \(accessGroup); unlock it "
            + "and run again")
      case KeychainStatus.upgradePending:
        error(
          .locked,
          "the keychain must be upgraded, which needs an unlocked device; unlock it and run again")
      case KeychainStatus.userCanceled:
        error(
          otherwise,
          "the user canceled the authentication that an item of \(accessGroup) asks for")
      case KeychainStatus.authFailed:
        error(otherwise, "the authentication that an item of \(accessGroup) asks for failed")
      case KeychainStatus.notAvailable:
        error(.unavailable, "no keychain is available to this program")
      case KeychainStatus.diskFull, KeychainStatus.inputOutput:
        error(.interrupted, "the keychain cannot read or write")
      default: StoreError(otherwise, "the keychain answers \(status)")
      }
  }

  /// The reason why a program without entitlements reaches no access group. On a Mac its queries just find nothing.
  static func withoutEntitlements(accessGroup: String) -> StoreError {
    StoreError(
      .refused,
      "the keychain refuses: this program has no keychain entitlements; sign it with its team's "
        + "certificate and an entitlement keychain-access-groups that names "
        + (AccessGroup(accessGroup).isComplete ? accessGroup : "TEAMID.\(accessGroup)"))
  }
}
