// SPDX-License-Identifier: MIT

/// A row of an ADAL's that cannot be read, with whatever its key still says.
package struct UnreadableToken: Error, Equatable {
  /// The reason, in one word.
  package enum Code: String, Sendable, CustomStringConvertible {
    /// The bytes are no archive, blob or list, or a damaged one.
    case undecodable
    /// A sound archive of something that is not ADAL's item.
    case unknownClass = "unknown-class"
    /// There is nothing where an item should be, or the entry is not built like one.
    case malformed
    /// An item of the ADAL 3.0.0 previews, which no release reads.
    case previewFormat = "preview-format"
    /// Azure CLI's row for a service principal: a secret or a certificate, no token. Only the principal's ID is read,
    /// as ``UnreadableToken/clientID``.
    case servicePrincipal = "service-principal"

    package var description: String { rawValue }
  }

  package var place: LegacyPlace
  package var code: Code
  /// The code of the reader of archives, blobs or lists, such as `truncated`; nil when it is ``code``
  /// alone that says it.
  package var archiveError: String?
  /// The place in the archive, blob or list, in bytes from its start.
  package var offset: Int?
  /// The class of the object that was found instead of an item.
  package var className: String?
  /// The parts of the key in their normalized spelling; nil for an absent part.
  package var userID: String?
  package var authority: String?
  package var resource: String?
  /// The client id in the service, in lower case.
  package var clientID: String?
  /// The number of rows that the cache announces from here on, if it ends inside this one; nil if unknown.
  package var lostRows: Int?

  package init(
    place: LegacyPlace, code: Code, archiveError: String? = nil, offset: Int? = nil,
    className: String? = nil, userID: String? = nil, authority: String? = nil,
    resource: String? = nil, clientID: String? = nil
  ) {
    self.place = place
    self.code = code
    self.archiveError = archiveError
    self.offset = offset
    self.className = className
    self.userID = userID
    self.authority = authority
    self.resource = resource
    self.clientID = clientID
  }

  /// Whether the cache ends inside the row, so that every later row is lost with it.
  package var isCutOff: Bool {
    guard case .row = place else { return false }
    return archiveError == LegacyCacheError.Code.truncated.description
  }
}
