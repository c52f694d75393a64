/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* tables/map_read.h: all entries of a BPF map, read while programs change it. */
#ifndef PEAT_TABLES_MAP_READ_H
#define PEAT_TABLES_MAP_READ_H

#include <stdbool.h>
#include <stdint.h>

struct map_reader {
	int fd; /* not owned */
	uint32_t type, key_bytes, value_bytes, max_entries;
	uint32_t cpus;	 /* whose values an entry has: all possible CPUs, or 1 */
	uint32_t stride; /* bytes from the value of a CPU to the next */
	bool one_by_one; /* the kernel has no batches for this type of map */
};

/* Sets up a reader: 0; -EINVAL: a map of another type, logged; or a negative errno. */
int map_read__init(struct map_reader *reader, int fd);

/*
 * Calls `each` for each entry: `values` has the values of all CPUs.  A result other than 0 ends the
 * reading and is returned.
 *
 * Entries that exist all the time are read at least once; those that are added or deleted
 * meanwhile may be missing.  -EAGAIN: keys are deleted faster than they can be read.
 *
 * If the kernel has no batches for this type of map and keys are deleted, a key can be read twice:
 * `each` ignores the second time.  Other keys can then be missing, rarely: bpf_map_get_next_key()
 * goes on from another bucket if the memory of the entry where it stands is reused meanwhile
 * (htab_map_get_next_key() of Linux 6.1).  Hash tables have batches since Linux 5.6.
 */
int map_read__all(struct map_reader *reader,
		  int (*each)(void *context, const void *key, const void *values), void *context);

#endif /* PEAT_TABLES_MAP_READ_H */
