/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * map.h: perf event arrays that other programs made: which there are, who has to do with them, and
 * how to get one for a reader of one's own.
 *
 *	int map_fd = peat_map__open("name=events");
 *
 *	if (map_fd >= 0 && peat_map__check_unread(map_fd) == 0)
 *		reader = peat_reader__new_raw(map_fd, &opts);
 *
 * All of it needs CAP_SYS_ADMIN but for opening a path, as the kernel asks for it where objects are
 * found by their numbers.
 */
#ifndef PEAT_MAP_H
#define PEAT_MAP_H

#include <peat/common.h>

PEAT_BEGIN_DECLS

/*
 * Opens a perf event array that a reader can fill: by number, "id=17"; by name, "name=events"; or
 * by the path where it is pinned, which has a slash.  The fd is of its own, and what a reader puts
 * into the map by way of it is taken out when it is closed (but for BPF_F_PRESERVE_ELEMS).
 *
 * A negative errno that the log explains: ENOENT (there is none), ENOTUNIQ (several of that name:
 * the log has their ids), EINVAL (no perf event array, or nothing of the above), EPERM (frozen or
 * read-only, or a capability is missing).
 */
PEAT_API int peat_map__open(const char *which);

/*
 * Whether somebody else may be reading the map: another process that holds it, or one that opens
 * it where it is pinned.  An event goes to the reader that filled the slot last, so that a second
 * one takes it away from the first; and the kernel does not tell who filled a slot.  -EBUSY: the
 * log says who it may be.  0: nobody.
 */
PEAT_API int peat_map__check_unread(int map_fd);

/* ---- who emits, who reads -------------------------------------------------------------------- */

struct peat_map_holder {
	uint32_t pid;
	char comm[16];
};

struct peat_map_program {
	uint32_t id;
	char name[16];
	const char *type; /* "raw_tracepoint" */
	/*
	 * "raw_tracepoint sys_enter", "tc ingress of eth0", "XDP of eth0", "cgroup /x egress";
	 * several with ", " between them; "": nowhere that it shows.  Interfaces are those of the
	 * caller's network namespace, cgroups those of the cgroup2 file system that it sees.
	 */
	const char *attached;
};

struct peat_map {
	uint32_t id;
	uint32_t slots;
	uint32_t flags; /* BPF_F_... of linux/bpf.h */
	char name[16];
	const char *const *pins; /* paths, of the bpf file systems that are mounted here */
	const struct peat_map_holder *holders;	 /* other processes that have an fd of it */
	const struct peat_map_program *programs; /* that are loaded and use it */
	uint32_t pin_count, holder_count, program_count;
	const char *flag_names; /* "BPF_F_NUMA_NODE BPF_F_PRESERVE_ELEMS"; "": none */
};

/* The perf event arrays of this machine, as they were at one moment. */
struct peat_maps;

/* NULL and errno, which the log explains. */
PEAT_API struct peat_maps *peat_maps__new(void);

/* The i-th, counted from 0 and ordered by id; NULL behind the last.  Valid as long as `maps`. */
PEAT_API const struct peat_map *peat_maps__at(const struct peat_maps *maps, uint32_t i);

/* Takes NULL. */
PEAT_API void peat_maps__free(struct peat_maps *maps);

PEAT_END_DECLS

#endif /* PEAT_MAP_H */
