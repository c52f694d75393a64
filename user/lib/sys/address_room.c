// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* sys/address_room.c: whether RLIMIT_AS has room. */
#include <stdio.h>
#include <sys/resource.h>
#include <unistd.h>

#include "sys/address_room.h"

/* 0: unknown. */
static uint64_t count_pages(void)
{
	FILE *file = fopen("/proc/self/statm", "re");
	unsigned long long pages;

	if (!file)
		return 0;
	if (fscanf(file, "%llu", &pages) != 1)
		pages = 0;
	fclose(file);
	return pages;
}

bool address_room__has(uint64_t bytes)
{
	struct rlimit limit;
	uint64_t used;

	if (getrlimit(RLIMIT_AS, &limit) || limit.rlim_cur == RLIM_INFINITY)
		return true;
	used = count_pages() * (uint64_t)sysconf(_SC_PAGESIZE);
	return used && used <= limit.rlim_cur && bytes <= limit.rlim_cur - used;
}
