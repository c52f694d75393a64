// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* maps/flags.c: the flags of a map, by name. */
#include <stddef.h>
#include <stdio.h>

#include "maps/flags.h"

/* By bit number, as in linux/bpf.h of 6.18. */
static const char *const names[] = {
	"NO_PREALLOC",	    "NO_COMMON_LRU",  "NUMA_NODE",     "RDONLY",       "WRONLY",
	"STACK_BUILD_ID",   "ZERO_SEED",      "RDONLY_PROG",   "WRONLY_PROG",  "CLONE",
	"MMAPABLE",	    "PRESERVE_ELEMS", "INNER_MAP",     "LINK",	       "PATH_FD",
	"VTYPE_BTF_OBJ_FD", "TOKEN_FD",	      "SEGV_ON_FAULT", "NO_USER_CONV",
};

#define NAMES (sizeof(names) / sizeof(*names))

void flags__text(uint32_t flags, char text[MAP_FLAGS_BYTES])
{
	uint32_t unknown = flags >> NAMES << NAMES;
	size_t used = 0;

	*text = '\0';
	for (uint32_t i = 0; i < NAMES; i++)
		if (flags & 1U << i)
			used += (size_t)snprintf(text + used, MAP_FLAGS_BYTES - used, "%sBPF_F_%s",
						 used ? " " : "", names[i]);
	if (unknown)
		snprintf(text + used, MAP_FLAGS_BYTES - used, "%s%#x", used ? " " : "", unknown);
}
