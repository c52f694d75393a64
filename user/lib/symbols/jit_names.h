/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * symbols/jit_names.h: finds /tmp/perf-PID.map of a process, and follows it as it grows.
 *
 * The file is in the root directory of the process, and has the number that the process has in its
 * own pid namespace.  It is believed if its owner is root, this user or that of the process.
 */
#ifndef PEAT_SYMBOLS_JIT_NAMES_H
#define PEAT_SYMBOLS_JIT_NAMES_H

#include "symbols/perf_map.h"
#include "symbols/processes.h"

/*
 * The function that a JIT compiler has put at an address.  NULL: unknown.  `is_live`: /proc/PID is
 * this process.  The symbol belongs to process->perf_map.  `call`: a number that grows: names stay
 * valid during a call.
 */
struct perf_map_symbol *jit_names__find(struct process *process, bool is_live, uint64_t address,
					uint64_t call);

#endif /* PEAT_SYMBOLS_JIT_NAMES_H */
