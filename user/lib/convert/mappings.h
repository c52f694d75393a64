/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * mappings.h: which file a process has mapped where, followed record by record.  Pure.
 *
 *	err = mappings__take(&mappings, &rec); // each MMAP, MMAP2, FORK, COMM, in the order of time
 *	file = mappings__find(&mappings, pid, address, &offset);
 */
#ifndef MAPPINGS_H
#define MAPPINGS_H

#include <peat/record.h>

#include "base/string_counts.h"

struct mappings {
	struct mapped_process *slots; /* by open addressing; a power of two of them, or none */
	uint32_t slots_count, count;
	struct text_counts files; /* their names */
};

/* Others are passed over.  0 or -ENOMEM. */
int mappings__take(struct mappings *mappings, const struct peat_record *rec);

/*
 * The name of the file, without its directories, and how far inside it the address is; NULL: none
 * is known.  Lent as long as the mappings.
 */
const char *mappings__find(const struct mappings *mappings, uint32_t pid, uint64_t address,
			   uint64_t *offset);

void mappings__free(struct mappings *mappings); /* of zeroes, too */

#endif /* MAPPINGS_H */
