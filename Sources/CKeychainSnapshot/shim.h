// SPDX-License-Identifier: MIT
#ifndef ADAL2MSAL_CKEYCHAINSNAPSHOT_SHIM_H
#define ADAL2MSAL_CKEYCHAINSNAPSHOT_SHIM_H

#include <sqlite3.h>

// What Swift cannot import: a variadic function and a macro that is a cast.

/// Sets one of SQLite's Boolean connection options.
static inline int keychain_snapshot_configure(sqlite3 *database, int option, int value) {
  return sqlite3_db_config(database, option, value, (int *)0);
}

/// Tells SQLite to copy what is bound.
static inline sqlite3_destructor_type keychain_snapshot_copy(void) {
  return SQLITE_TRANSIENT;
}

#endif
