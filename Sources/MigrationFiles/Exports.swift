// SPDX-License-Identifier: MIT

// Whoever opens files as sources migrates them, and writes into files.
@_exported import ADALMigration
@_exported import CacheFiles
