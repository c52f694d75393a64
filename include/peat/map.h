/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * map.h: maps that other programs made: lists them with their users, and opens a perf event array
 * for a reader, or another map for a table.
 *
 *	int map_fd = peat_map__open("name=events");
 *
 *	if (map_fd >= 0 && peat_map__check_unread(map_fd) == 0)
 *		reader = peat_reader__new_raw(map_fd, &opts);
 *
 * All functions need CAP_SYS_ADMIN, because the kernel requires it for finding objects by id.  Only
 * opening a path does without.
 */
#ifndef PEAT_MAP_H
#define PEAT_MAP_H

#include <peat/common.h>

PEAT_BEGIN_DECLS

/*
 * Opens a perf event array, for a reader that sets its slots.  `which` is an id, "id=17", a name,
 * "name=events", or the path of a pin, which contains a slash.
 *
 * Closing the returned fd removes the slots that a reader set through it, unless the map has
 * BPF_F_PRESERVE_ELEMS.
 *
 * Failures, explained by the log:
 *	-ENOENT		no such map
 *	-ENOTUNIQ	several maps have this name: the log has their ids
 *	-EINVAL		not a perf event array, or `which` has none of the three forms
 *	-EPERM		the map is frozen or read-only, or a capability is missing
 */
PEAT_API int peat_map__open(const char *which);

/*
 * Opens a map for peat_table__open_map(): a hash table or an array, also an LRU or per-CPU one, or
 * an LPM trie.  `which` and the errors as above.  The fd is read-only: the map cannot be changed
 * with it.
 */
PEAT_API int peat_map__open_table(const char *which);

/*
 * Whether a map is for peat_map__open_table(), 1, or not, 0; for callers that accept perf event
 * arrays, too.  `which` and the errors as above.
 */
PEAT_API int peat_map__is_table(const char *which);

/*
 * Checks whether another process may be reading the map: one that has an fd of it, or one that may
 * open its pin.  An event is written to the ring of the reader that set the slot last, so a second
 * reader takes the events away from the first.  The kernel does not report who set a slot.
 *
 *	0	no other process can be the reader
 *	-EBUSY	another reader is possible: the log names the processes and pins
 */
PEAT_API int peat_map__check_unread(int map_fd);

/* ---- programs and processes of a map ----------------------------------------------------------
 */

struct peat_map_holder {
	uint32_t pid;
	char comm[16];
};

struct peat_map_program {
	uint32_t id;
	char name[16];
	const char *type; /* "raw_tracepoint" */
	/*
	 * Attach points: "raw_tracepoint sys_enter", "tc ingress of eth0", "XDP of eth0", "cgroup
	 * /x egress".  Several are separated by ", ".  "": none was found.  Interfaces are in
	 * the caller's network namespace, cgroups in the cgroup2 file system visible to it.
	 */
	const char *attached;
};

struct peat_map {
	uint32_t id;
	uint32_t slots;
	uint32_t flags; /* BPF_F_... of linux/bpf.h */
	char name[16];
	const char *const *pins;		 /* paths, in the bpf file systems mounted here */
	const struct peat_map_holder *holders;	 /* other processes that have an fd of it */
	const struct peat_map_program *programs; /* loaded programs that use it */
	uint32_t pin_count, holder_count, program_count;
	const char *flag_names; /* "BPF_F_NUMA_NODE BPF_F_PRESERVE_ELEMS"; "": none */
	const char *type;	/* "perf_event_array", "percpu_hash" */
	uint32_t key_bytes, value_bytes;
	/* "struct hist_key", "__u64"; NULL: no table, no BTF, or it is not readable. */
	const char *key_type, *value_type;
};

/* A list of maps of the machine at one moment. */
struct peat_maps;

/*
 * Makes the list of perf event arrays.  NULL and errno on failure, with the reason in the log.
 */
PEAT_API struct peat_maps *peat_maps__new(void);

/*
 * Likewise, of the maps that peat_map__open_table() can open, without those that have the global
 * variables of programs.
 */
PEAT_API struct peat_maps *peat_maps__new_tables(void);

/* Returns map `i`, from 0, sorted by id; NULL after the last.  Valid as long as `maps`. */
PEAT_API const struct peat_map *peat_maps__at(const struct peat_maps *maps, uint32_t i);

/* Accepts NULL. */
PEAT_API void peat_maps__free(struct peat_maps *maps);

PEAT_END_DECLS

#endif /* PEAT_MAP_H */
