// SPDX-License-Identifier: MIT
import Foundation
import KeychainItems
import MSALCache

func readMSALItem(_ bytes: [UInt8]) throws {
  let item = ItemBytes.item(bytes)
  try readClaims(item.data?.reveal() ?? [])
  switch MSALItem(item) {
  case .credential(let credential)?:
    let again = try Credential(item: credential.item(accessGroup: "G", at: nil))
    try promise(again == credential, "a credential is another after writing")
    _ = IDTokenClaims(credential.secret)
    _ = credential.portable(at: 0)
    _ = credential.keychainForm(tenant: "t")
  case .account(let account)?:
    let again = try Account(item: account.item(accessGroup: "G", at: nil))
    try promise(again == account, "an account is another after writing")
    _ = account.portable
  case .appMetadata(let metadata)?:
    let again = try AppMetadata(item: metadata.item(accessGroup: "G", at: nil))
    try promise(again == metadata, "app metadata is another after writing")
    _ = metadata.portable
  case .accountMetadata(let metadata)?: _ = metadata.state(of: "uid.utid")
  case .other, .unreadable, nil: break
  }
}

/// Reads `bytes` as an ID token, and as what the middle part of one says.
private func readClaims(_ bytes: [UInt8]) throws {
  let part = Data(bytes).base64EncodedString()
    .replacingOccurrences(of: "+", with: "-").replacingOccurrences(of: "/", with: "_")
    .replacingOccurrences(of: "=", with: "")
  for token in [Secret(bytes), Secret("e30.\(part).")] {
    guard let claims = IDTokenClaims(token) else { continue }
    _ = (claims.userID, claims.localAccountID, claims.issuedAt, claims.version, claims.acct)
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
  for entry in document.accounts {
    try promise(document.contains(entry.value), "a document does not know its own account")
    _ = copy.add(entry.value.portable)
  }
  for entry in document.credentials {
    try promise(
      entry.value.documentSection == nil || document.contains(entry.value),
      "a document does not know its own credential")
    _ = entry.value.portable(at: 0).map { copy.add($0) }
    _ = entry.value.keychainForm(tenant: nil)
  }
  for entry in document.appMetadata {
    try promise(document.contains(entry.value), "a document does not know its own app metadata")
    _ = copy.add(entry.value.portable)
  }
  try promise(try CacheDocument(copy.encoded()) == copy, "a copy is another after writing")
}
