/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * channel/skipped.h: runs of programs that the kernel skipped (bpf_prog_info.recursion_misses), as
 * struct peat_reader_stats explains.
 */
#ifndef PEAT_CHANNEL_SKIPPED_H
#define PEAT_CHANNEL_SKIPPED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct bpf_object;
struct peat_channel;

/* Programs, each with the runs that were skipped before it was added.  All zero: none. */
struct skipped {
	struct skipped_program {
		int fd; /* own: the count can be read after the program's owner has closed it */
		uint64_t before;
	} * programs;
	size_t count;
	bool is_unknown; /* of some programs: the kernel does not count, or they cannot be asked */
};

/*
 * Adds the loaded programs of an object, the program with this id, or all programs of a channel.  A
 * program that has ended is left out.  0 or a negative errno, which is logged.
 */
int skipped__add_object(struct skipped *skipped, const struct bpf_object *object);
int skipped__add_id(struct skipped *skipped, uint32_t id);
int skipped__add_channel(struct skipped *skipped, const struct peat_channel *channel);

/*
 * Counts the runs that were skipped since the programs were added.  False: the count is not known
 * of all programs.  Any thread may call it.
 */
bool skipped__read(const struct skipped *skipped, uint64_t *count);

void skipped__free(struct skipped *skipped);

#endif /* PEAT_CHANNEL_SKIPPED_H */
