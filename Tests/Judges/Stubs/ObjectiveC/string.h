// SPDX-License-Identifier: MIT
// The compiler's header for Objective-C includes it and uses nothing of it.
