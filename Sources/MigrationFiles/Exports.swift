// SPDX-License-Identifier: MIT

// A module that opens files as sources also migrates them and writes into files.
@_exported import ADALMigration
@_exported import CacheFiles
@_exported import MigrationDocuments
