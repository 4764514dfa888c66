// SPDX-License-Identifier: MIT

// An app's own module, with the nouns that an app has.

public struct Account { public init() {} }
public struct Inspection { public init() {} }
public struct Journal { public init() {} }
public struct Migration { public init() {} }
public struct Policy { public init() {} }
public struct Reason { public init() {} }
public struct Receipt { public init() {} }
public struct Record { public init() {} }
public struct Report { public init() {} }
public struct Secret { public init() {} }
public struct Source { public init() {} }
public struct Target { public init() {} }
