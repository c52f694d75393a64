// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* sys/proc_maps.c: reads /proc/PID/maps. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sys/proc_maps.h"

/* A hexadecimal or decimal number, and the character after it. */
static bool parse_number(const char **at, int base, char end, uint64_t *number)
{
	char *after;

	if (!strchr("0123456789abcdef", **at) || !**at)
		return false;
	errno = 0;
	*number = strtoull(*at, &after, base);
	if (errno || after == *at || *after != end)
		return false;
	*at = after + 1;
	return true;
}

static bool parse_permissions(const char **at, struct proc_map *map)
{
	const char *flags = *at;

	if (strlen(flags) < 5 || flags[4] != ' ')
		return false;
	map->is_readable = flags[0] == 'r';
	map->is_writable = flags[1] == 'w';
	map->is_executable = flags[2] == 'x';
	map->is_shared = flags[3] == 's';
	*at = flags + 5;
	return true;
}

bool proc_maps__parse(struct proc_map *map, const char *line)
{
	uint64_t major, minor;
	char *after;

	*map = (struct proc_map){ 0 };
	if (!parse_number(&line, 16, '-', &map->start) ||
	    !parse_number(&line, 16, ' ', &map->end) || map->end < map->start ||
	    !parse_permissions(&line, map) || !parse_number(&line, 16, ' ', &map->offset) ||
	    !parse_number(&line, 16, ':', &major) || !parse_number(&line, 16, ' ', &minor))
		return false;
	map->major = (uint32_t)major;
	map->minor = (uint32_t)minor;
	map->inode = strtoull(line, &after, 10);
	map->path = after + strspn(after, " ");
	return after != line;
}

int proc_maps__each(uint32_t pid, void (*use)(void *arg, const struct proc_map *map), void *arg)
{
	struct proc_map map;
	char path[32], *line = NULL;
	size_t room = 0;
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%u/maps", pid);
	file = fopen(path, "re");
	if (!file)
		return -errno;
	while (getline(&line, &room, file) > 0) {
		line[strcspn(line, "\n")] = '\0';
		if (proc_maps__parse(&map, line))
			use(arg, &map);
	}
	free(line);
	fclose(file);
	return 0;
}
