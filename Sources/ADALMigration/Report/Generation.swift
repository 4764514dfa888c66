// SPDX-License-Identifier: MIT

extension TokenCacheMigration.Report {
  /// The library that kept a row, and its form as far as that tells the version.
  public enum Generation: String, CaseIterable, Sendable {
    /// ADAL for iOS before 2.1. Its rows have no family.
    case adal1 = "adal-1"
    /// ADAL for iOS and macOS 2.1 to 2.6, and rows of later ones that do not say when they were cached.
    case adal21 = "adal-2.1"
    /// ADAL for iOS and macOS 2.7 to 6. Its rows have the time when they were cached.
    case adal27 = "adal-2.7"
    /// ADAL.NET 1 to 2.7.
    case adalNET1 = "adal-net-1"
    /// ADAL.NET 2.8 to 2.29.
    case adalNET2 = "adal-net-2"
    /// ADAL.NET 3.5 and later, and Xamarin.
    case adalNET3 = "adal-net-3"
    /// MSAL.NET, in ADAL.NET's form.
    case msalNET = "msal-net"
    /// ADAL for Python, and Azure CLI 2.
    case adalPython = "adal-python"
    /// ADAL for Node, and azure-cli 1.
    case adalNode = "adal-node"
    /// An entry in MSAL's form.
    case msal
    /// A row that cannot be read.
    case unknown

    /// The library, unless it is ADAL for iOS and macOS or MSAL.
    package var library: Library? {
      switch self {
      case .adal1, .adal21, .adal27, .msal, .unknown: nil
      case .adalNET1, .adalNET2, .adalNET3: .adalNET
      case .msalNET: .msalNET
      case .adalPython: .adalPython
      case .adalNode: .adalNode
      }
    }
  }
}
