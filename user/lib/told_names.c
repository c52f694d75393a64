// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* told_names.c: a bit for each thread id. */
#include <errno.h>
#include <stdlib.h>

#include "told_names.h"

#define TIDS (1u << 22) /* the kernel's PID_MAX_LIMIT; of the memory only what is used is there */

int told_names__init(struct told_names *told)
{
	told->bits = calloc(TIDS / 64, sizeof(*told->bits));
	return told->bits ? 0 : -ENOMEM;
}

void told_names__free(struct told_names *told)
{
	free(told->bits);
	told->bits = NULL;
}

/* The idle tasks of all CPUs have the number 0, and each a name of its own. */
static bool is_thread(uint32_t tid)
{
	return tid && tid < TIDS;
}

bool told_names__has(const struct told_names *told, uint32_t tid)
{
	return !is_thread(tid) || (told->bits[tid / 64] >> tid % 64 & 1);
}

void told_names__set(struct told_names *told, uint32_t tid, bool has)
{
	uint64_t bit = 1ULL << tid % 64;

	if (!is_thread(tid))
		return;
	if (has)
		told->bits[tid / 64] |= bit;
	else
		told->bits[tid / 64] &= ~bit;
}
