// SPDX-License-Identifier: MIT
import Foundation
import KeychainItems
import MSALCache

func readMSALItem(_ bytes: [UInt8]) throws {
  let item = ItemBytes.item(bytes)
  try readClaims(item.data?.reveal() ?? [])
  switch MSALItem(item) {
  case .entry(let entry)?:
    let shape: MSALEntry.Shape =
      switch entry.kind {
      case .account: .account
      case .appMetadata: .appMetadata
      default: .token
      }
    try promise(entry.flaw == nil, "an entry lacks what MSAL needs")
    let again = try MSALEntry(entry.item(accessGroup: "G", at: nil), as: shape)
    try promise(again == entry, "an entry is another after writing")
    _ = IDTokenClaims(entry.secret)
    _ = entry.portable(at: 0)
    _ = entry.keychainForm(tenant: "t")
  case .accountMetadata, .other, .unreadable, nil: break
  }
}

/// Reads `bytes` as an ID token, and as what the middle part of one says.
private func readClaims(_ bytes: [UInt8]) throws {
  let part = Data(bytes).base64EncodedString()
    .replacingOccurrences(of: "+", with: "-").replacingOccurrences(of: "/", with: "_")
    .replacingOccurrences(of: "=", with: "")
  for token in [TokenSecret(bytes), TokenSecret("e30.\(part).")] {
    guard let claims = IDTokenClaims(token) else { continue }
    _ = (claims.userID, claims.localAccountID, claims.issuedAt, claims.acct)
  }
}

func readDocument(_ bytes: [UInt8]) throws {
  // Its error has a type; there is no other to be seen.
  guard let document = try? CacheDocument(bytes) else { return }
  let written = document.encoded()
  let again = try CacheDocument(written)
  try promise(again == document, "a document is another after writing")
  try promise(again.encoded() == written, "a document is written in two ways")
  var copy = CacheDocument()
  var known = document
  for entry in document.entries {
    try promise(!known.add(entry.value), "a document does not know its own entry")
    _ = entry.value.portable(at: 0).map { copy.add($0) }
    _ = entry.value.keychainForm(tenant: nil)
  }
  try promise(try CacheDocument(copy.encoded()) == copy, "a copy is another after writing")
}
