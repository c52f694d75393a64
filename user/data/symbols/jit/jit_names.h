/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * symbols/jit/jit_names.h: finds /tmp/perf-PID.map of a process, and follows it as it grows.
 *
 * The file is in the root directory of the process, and has the number that the process has in its
 * own pid namespace.  It is believed if its owner is root, this user or that of the process.
 */
#ifndef PEAT_SYMBOLS_JIT_JIT_NAMES_H
#define PEAT_SYMBOLS_JIT_JIT_NAMES_H

#include "symbols/jit/perf_map.h"
#include "symbols/namer/namer_accounts.h"

/* Owners beyond that share the memory of others. */
#define JIT_OWNERS 64

/* The memory and the time that maps may take, so that no user fills or blocks this process. */
struct jit_budget {
	uint64_t most_bytes; /* of all maps; those of one owner have half of it */
	uint64_t bytes, owner_bytes[JIT_OWNERS];
	uint32_t wait_ms; /* for one look at a file; 0: as long as it takes */
	struct namer_accounts accounts;
};

struct jit_names {
	uint32_t own_pid; /* in its own pid namespace; 0: unknown */
	struct perf_map *map;
	struct perf_map *former; /* replaced, but names of it may be in use */
	uint64_t call;		 /* the number of the call that looked at the file last */
	uint64_t check_ns;
};

/*
 * The function that a JIT compiler has put at an address.  NULL: unknown.  `is_live`: /proc/PID is
 * this process.  The symbol belongs to names->map.  `call`: a number that grows: names stay valid
 * during a call.  Maps of root have no limits of memory and time but the size of the file.
 */
struct perf_map_symbol *jit_names__find(struct jit_budget *budget, struct jit_names *names,
					uint32_t pid, bool is_live, uint64_t address,
					uint64_t call);
void jit_names__free(struct jit_names *names); /* all zero is allowed */

#endif /* PEAT_SYMBOLS_JIT_JIT_NAMES_H */
