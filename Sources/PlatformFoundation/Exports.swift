// SPDX-License-Identifier: MIT

// Foundation and the C library. Outside of Apple's systems this is the part of Foundation without
// FoundationInternationalization: its tables are three fifths of a command that has them inside, and the runtime would
// look through its conformances at every start.
#if canImport(Darwin)
  @_exported import Foundation
#else
  @_exported import FoundationEssentials
  #if canImport(Musl)
    @_exported import Musl
  #else
    @_exported import Glibc
  #endif
#endif
