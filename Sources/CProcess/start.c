// SPDX-License-Identifier: MIT
#include "CProcess.h"

#include <stddef.h>

// On Linux Swift asks /proc for the words of the command line and for its own place, and ends the process where
// the latter cannot be had. A chroot need not have /proc; the C library has the words.
#if defined(__linux__) && defined(__GLIBC__)
#include <stdlib.h>
#include <unistd.h>

static char *const *words;

// Before Swift's own initializers.
__attribute__((constructor(101))) static void start(int count, char **values) {
  if (count > 0) words = values;
  if (access("/proc/self/exe", F_OK) != 0) setenv("SWIFT_ROOT", "/", 0);
}

char *const *process_words(void) { return words; }
#else
char *const *process_words(void) { return NULL; }
#endif
