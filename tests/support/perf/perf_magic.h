/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* perf_magic.h: the magic number of a perf.data in this machine's byte order. */
#ifndef TESTS_SUPPORT_PERF_PERF_MAGIC_H
#define TESTS_SUPPORT_PERF_PERF_MAGIC_H

#include <stdint.h>

/* "PERFILE2" on little-endian machines; reversed on big-endian ones, since it is a number. */
static const uint64_t perf_magic = 0x32454c4946524550;

#endif /* TESTS_SUPPORT_PERF_PERF_MAGIC_H */
