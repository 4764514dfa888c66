// SPDX-License-Identifier: MIT

/// A row of an ADAL's that cannot be read, with whatever its key still says.
package struct UnreadableToken: Error, Equatable {
  /// Why, in one word.
  package struct Code: Sendable, Hashable, CustomStringConvertible {
    /// The code as reports spell it.
    package let description: String

    /// The bytes are no archive, blob or list, or a damaged one.
    package static let undecodable = Code(description: "undecodable")
    /// A sound archive of something that is not ADAL's item.
    package static let unknownClass = Code(description: "unknown-class")
    /// There is nothing where an item should be, or the entry is not built like one.
    package static let malformed = Code(description: "malformed")
    /// An item of the ADAL 3.0.0 previews, which no release reads.
    package static let previewFormat = Code(description: "preview-format")
    /// What Azure CLI keeps of a service principal: a secret or a certificate, no token. Nothing but the
    /// principal's id, as ``UnreadableToken/clientID``, is read of it.
    package static let servicePrincipal = Code(description: "service-principal")
  }

  /// Where the row was.
  package var place: LegacyPlace
  /// Why it cannot be read.
  package var code: Code
  /// The code of the reader of archives, blobs or lists, such as `truncated`; nil when it is ``code``
  /// alone that says it.
  package var archiveError: String?
  /// Where in the archive, blob or list, in bytes from its start.
  package var offset: Int?
  /// The class of what was found in place of an item.
  package var className: String?
  /// What the key says, in its normalised spelling; nil when it says nothing.
  package var userID: String?
  /// The authority in the service, when the row has one.
  package var authority: String?
  /// The resource in the service.
  package var resource: String?
  /// The client id in the service, in lower case.
  package var clientID: String?
  /// How many rows the cache announces from here on, where it ends inside this one; nil when unknown.
  package var lostRows: Int?

  /// A row that cannot be read; what is not said is not known.
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
    archiveError == LegacyCacheError.Code.truncated.description && isOfCache
  }

  /// Whether the row was in a blob of ADAL.NET's or in a list.
  private var isOfCache: Bool { if case .row = place { true } else { false } }
}
