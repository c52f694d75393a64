// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* symbols/elf/vdso.c: the code that the kernel maps into every process, from this process. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

#include "symbols/elf/vdso.h"
#include "sys/proc_maps.h"

struct vdso_bounds {
	uint64_t begin, end;
};

static void find_bounds(void *arg, const struct proc_map *map)
{
	struct vdso_bounds *bounds = arg;

	if (map->start <= bounds->begin && bounds->begin < map->end && map->is_readable)
		bounds->end = map->end;
}

int vdso__open(struct elf_file **file)
{
	struct vdso_bounds bounds = { getauxval(AT_SYSINFO_EHDR), 0 };
	size_t bytes;
	void *copy;
	int err;

	if (!bounds.begin)
		return -ENOENT;
	err = proc_maps__each((uint32_t)getpid(), find_bounds, &bounds);
	if (err)
		return err;
	if (bounds.end <= bounds.begin)
		return -ENOENT;
	bytes = bounds.end - bounds.begin;
	copy = malloc(bytes);
	if (!copy)
		return -ENOMEM;
	/* The address is this process's own. */
	memcpy(copy, (const void *)(uintptr_t)bounds.begin, bytes);
	return elf_file__open_image(file, copy, bytes, "[vdso]");
}

/* 32-bit processes have it in the first 4 GiB, 64-bit ones hardly ever. */
bool vdso__is_ours(uint64_t address)
{
	return (address > UINT32_MAX) == (sizeof(void *) == 8);
}
