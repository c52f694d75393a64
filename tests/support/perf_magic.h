/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* perf_magic.h: what a perf.data of this machine's byte order begins with. */
#ifndef PERF_MAGIC_H
#define PERF_MAGIC_H

#include <stdint.h>

/* "PERFILE2" on little-endian machines; a number, and so the other way round on others. */
static const uint64_t perf_magic = 0x32454c4946524550;

#endif /* PERF_MAGIC_H */
