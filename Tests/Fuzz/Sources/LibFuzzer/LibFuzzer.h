// SPDX-License-Identifier: MIT
// What libFuzzer, which is linked with -sanitize=fuzzer, calls and lets call.
#ifndef LIBFUZZER_H
#define LIBFUZZER_H

#include <stddef.h>
#include <stdint.h>

typedef int (*LLVMFuzzerInput)(const uint8_t *data, size_t size);

int LLVMFuzzerRunDriver(int *argc, char ***argv, LLVMFuzzerInput input);
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t largest);

#endif
