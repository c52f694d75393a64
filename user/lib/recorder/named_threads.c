// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* told_names.c: a bit for each thread id, of whose memory only what is used is there. */
#include <errno.h>
#include <stdlib.h>

#include "recorder/named_threads.h"

int told_names__init(struct told_names *told)
{
	told->bits = calloc(TOLD_NAMES_TIDS / 64, sizeof(*told->bits));
	return told->bits ? 0 : -ENOMEM;
}

void told_names__free(struct told_names *told)
{
	free(told->bits);
	told->bits = NULL;
}

void told_names__set(struct told_names *told, uint32_t tid, bool has)
{
	uint64_t bit = 1ULL << tid % 64;

	if (!told_names__is_thread(tid))
		return;
	if (has)
		told->bits[tid / 64] |= bit;
	else
		told->bits[tid / 64] &= ~bit;
}
