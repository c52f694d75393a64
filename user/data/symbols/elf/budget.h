/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * symbols/elf/budget.h: how much is read of files that any user may have written, and kept of them.
 * All of it is known before a file is read.
 */
#ifndef PEAT_SYMBOLS_ELF_BUDGET_H
#define PEAT_SYMBOLS_ELF_BUDGET_H

#include <stdint.h>

/* ---- kept ------------------------------------------------------------------------------------ */

/* Tables of symbols and perf maps together, unless peat_symbols_opts.memory_bytes is set. */
#define BUDGET_TABLES_BYTES (UINT64_C(256) << 20)

/* A name: as in a file, or as in its source.  libiberty refuses longer mangled names, too. */
#define BUDGET_NAME_BYTES 4096

/* ---- read of a file -------------------------------------------------------------------------- */

/*
 * All tables of symbols: a file with holes may claim any size, and many headers the same bytes.
 */
#define BUDGET_SYMBOLS_BYTES (UINT64_C(1) << 30)

/* Names of entries of the PLT: many can share a long name. */
#define BUDGET_PLT_BYTES (16u << 20)

/* .gnu_debugdata, unpacked: a hostile section could become a million times as big. */
#define BUDGET_UNPACKED_BYTES (256u << 20)

/* A section of call frame information: browsers have some 30 MiB. */
#define BUDGET_FRAMES_BYTES (UINT64_C(256) << 20)

/* Call frame instructions of a row: the longest function of Debian's compilers has 13,358. */
#define BUDGET_ROW_INSTRUCTIONS 65536

/* All rows of a stack together, when they are found first. */
#define BUDGET_STACK_INSTRUCTIONS (1u << 20)

/* The debug file whose checksum a debug link has. */
#define BUDGET_CHECKSUM_BYTES (INT64_C(1) << 30)

/* A debug file that is downloaded. */
#define BUDGET_DOWNLOAD_BYTES (1L << 30)

/* A perf map. */
#define BUDGET_PERF_MAP_BYTES (128u << 20)

/* ---- memory of children ---------------------------------------------------------------------- */

/* A namer: 3 million symbols need 384 MiB. */
#define BUDGET_NAMER_BYTES (UINT64_C(512) << 20)

/* A namer that finds lines: libdw keeps what it has decoded. */
#define BUDGET_LINES_BYTES (UINT64_C(1) << 30)

#endif /* PEAT_SYMBOLS_ELF_BUDGET_H */
