/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * convert/mappings.h: the files that each process has mapped, updated record by record.  Pure.
 *
 *	for each MMAP, MMAP2, FORK and COMM, sorted by time:
 *		err = mappings__apply(&mappings, &rec);
 *	file = mappings__find(&mappings, pid, address, &offset);
 */
#ifndef PEAT_CONVERT_MAPPINGS_H
#define PEAT_CONVERT_MAPPINGS_H

#include <peat/record.h>

#include "base/string_counts.h"

struct mappings {
	struct mapped_process *slots; /* hash table by pid, open addressing */
	uint32_t slots_count, count;  /* slots_count: a power of two, or 0 */
	struct string_counts files;   /* names of the files */
};

/* Ignores records of other types.  0 or -ENOMEM. */
int mappings__apply(struct mappings *mappings, const struct peat_record *rec);

/*
 * The name of the file without its directories, and the address's offset in it.  NULL: not known.
 * Valid as long as the mappings.
 */
const char *mappings__find(const struct mappings *mappings, uint32_t pid, uint64_t address,
			   uint64_t *offset);

void mappings__free(struct mappings *mappings); /* all zero is allowed */

#endif /* PEAT_CONVERT_MAPPINGS_H */
