// SPDX-License-Identifier: MIT
import ADALCache

extension LegacyCacheError {
  /// The problem with a whole cache and its remedy, as the end of a sentence.
  var sentence: String {
    switch code {
    case .protectedByWindows:
      "is encrypted by Windows (DPAPI) for the user who wrote it; as that user, let the app itself pass "
        + "the bytes after ProtectedData.Unprotect"
    case .protectedByDataProtection:
      "is encrypted by ASP.NET Core's data protection; let the app itself pass the bytes after "
        + "IDataProtector.Unprotect"
    case .notABlob:
      "is not a cache of ADAL.NET, or is encrypted (MachineKey.Protect); let the app itself pass the "
        + "bytes after MachineKey.Unprotect, as TokenCache.Deserialize gets them"
    case .unknownSchema: "has a schema version that ADAL.NET never wrote; ADAL.NET wrote 1 to 3"
    case .malformedCount, .truncated: "is not a cache of ADAL.NET, or is damaged (\(self))"
    case .notAList: "is not a list of ADAL for Python or Node"
    default: "cannot be read as an ADAL cache (\(self))"
    }
  }
}

extension BlobLikeness {
  /// The kind of content that the bytes resemble and the remedy, as the end of a sentence.
  var sentence: String {
    switch self {
    case .nothing: "it is empty"
    case .zeros: "it contains only zeros"
    case .database:
      "it looks like a SQLite database; open a keychain snapshot as a store, with Source.items"
    case .propertyList: "it looks like a property list in XML; ADAL's archives are binary"
    case .list:
      "it looks like a JSON list of ADAL for Python or Node; use Source.list of MigrationDocuments"
    case .document:
      "it looks like a JSON object, as MSAL's cache document is; use Source.document of MigrationDocuments"
    case .adalNET: "it looks like a cache of ADAL.NET; use Source.dotNet of MigrationDocuments"
    case .protected:
      "it looks encrypted by Windows (DPAPI); let the app itself pass the bytes after "
        + "ProtectedData.Unprotect"
    case .base64: "it looks like an archive in base64; decode it first"
    case .hexadecimal: "it looks like an archive in hexadecimal; decode it first"
    case .compressed: "it looks like a compressed file; unpack it first"
    case .text: "it looks like text"
    case .noise: "its format is unknown; if the app encrypts it, decrypt it first"
    }
  }
}
