// SPDX-License-Identifier: MIT
import ADALCache

extension LegacyCacheError {
  /// What is wrong with a whole cache and what helps, as the end of a sentence.
  var sentence: String {
    switch code {
    case .protectedByWindows:
      "is protected by Windows (DPAPI) for the user who wrote it; as that user, let the app itself hand "
        + "over the bytes after ProtectedData.Unprotect"
    case .protectedByDataProtection:
      "is protected by ASP.NET Core's data protection; let the app itself hand over the bytes after "
        + "IDataProtector.Unprotect"
    case .notABlob:
      "is no cache of ADAL.NET's, or is protected (MachineKey.Protect); let the app itself hand over the "
        + "bytes after MachineKey.Unprotect, as TokenCache.Deserialize gets them"
    case .unknownSchema: "is of a schema that no release of ADAL.NET wrote; ADAL.NET wrote 1 to 3"
    case .malformedCount, .truncated: "is no cache of ADAL.NET's, or is damaged (\(self))"
    case .notAList: "is no list of ADAL for Python or Node"
    default: "cannot be read as a cache of ADAL's (\(self))"
    }
  }
}

extension BlobLikeness {
  /// What it looks like and what helps, as the end of a sentence.
  var sentence: String {
    switch self {
    case .nothing: "it is empty"
    case .zeros: "it is nothing but zeros"
    case .database: "it looks like a SQLite database; a keychain snapshot is a store, Source.items"
    case .propertyList: "it looks like a property list in XML; ADAL's archives are binary"
    case .list: "it looks like a JSON list; ADAL for Python and Node kept such, Source.list"
    case .document: "it looks like a JSON object; MSAL's cache document is one, Source.document"
    case .adalNET: "it looks like a cache of ADAL.NET's, Source.dotNet"
    case .protected:
      "it looks protected by Windows (DPAPI); let the app itself hand over the bytes after "
        + "ProtectedData.Unprotect"
    case .base64: "it looks like an archive in base64; decode it first"
    case .hexadecimal: "it looks like an archive in hexadecimal; decode it first"
    case .compressed: "it looks like a compressed file; unpack it first"
    case .text: "it looks like text"
    case .noise: "it looks like nothing that is known; if the app encrypts it, decrypt it first"
    }
  }
}
