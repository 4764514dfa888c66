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
