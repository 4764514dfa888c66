// SPDX-License-Identifier: MIT
#ifndef ADAL2MSAL_CPROCESS_H
#define ADAL2MSAL_CPROCESS_H

#include <sys/resource.h>
#if defined(__linux__)
#include <sys/prctl.h>
#endif

// What Swift cannot import: a variadic function, and what the C library gives a program when it starts.

/// Prevents core dumps of this process, which holds tokens. On Linux only root can then read its memory.
static inline void process_forbid_core_dumps(void) {
  struct rlimit none = {0, 0};
  setrlimit(RLIMIT_CORE, &none);
#if defined(__linux__)
  prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
#endif
}

/// The words that the process was started with, ended by NULL; NULL where only Swift knows them.
char *const *process_words(void);

#endif
