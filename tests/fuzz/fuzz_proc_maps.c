// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * fuzz_proc_maps.c: proc_maps__parse() on anything, and address spaces made of what it returns.
 *
 * Input: lines like those of /proc/PID/maps.  An address of a line is found in its mapping or in a
 * later one, also after a fork.
 */
#include <stdlib.h>
#include <string.h>

#include "symbols/processes/address_space.h"
#include "sys/proc_maps.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define LINES_MAX 200

static void require(bool holds)
{
	if (!holds)
		abort();
}

static void check(struct address_space *space, uint64_t address)
{
	const struct mapping *mapping = address_space__find(space, 0, address);

	require(mapping && address >= mapping->begin && address < mapping->end);
	require(mapping->file->uses > 0 && mapping->file->key.path);
}

static int check_part(void *space, const struct mapped_part *part)
{
	check(space, part->begin);
	check(space, part->end - 1);
	return 0;
}

/* Lines with inodes of odd numbers only fill the gaps of others. */
static void add_line(struct address_space *space, struct mapped_files *files, const char *line)
{
	struct proc_map map;
	struct mapping mapping;

	if (!proc_maps__parse(&map, line))
		return;
	require(map.end >= map.start && map.path >= line && map.path <= line + strlen(line));
	mapping = (struct mapping){ map.start, map.end, map.offset, map.inode % 1000, NULL };
	mapping.file = mapped_files__get(
		files, &(struct mapped_key){ .path = map.path, .inode = map.inode });
	require(mapping.file != NULL);
	if (map.inode % 2)
		require(!address_space__fill(space, files, &mapping));
	else
		require(!address_space__add(space, files, &mapping));
	if (map.start < map.end)
		check(space, map.start);
	/* With many newer parts in between, the end may be left out. */
	if (map.start < map.end && part_tree__count(space->parts) < 16)
		check(space, map.end - 1);
}

static void add_lines(struct address_space *space, struct mapped_files *files, char *text)
{
	char *line;

	for (int i = 0; i < LINES_MAX && (line = strsep(&text, "\n")); i++)
		add_line(space, files, line);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct address_space space = { 0 }, child = { .since_ns = 2000 }, newer = { 0 };
	struct mapped_files files = { 0 };
	char *text = malloc(size + 1);

	require(text != NULL);
	memcpy(text, data, size);
	text[size] = 0;
	add_lines(&space, &files, text);
	require(!address_space__inherit(&child, &files, &space, 3000));
	part_tree__each(space.parts, check_part, &child);
	require(!address_space__split(&space, &files, 500, &newer));
	address_space__clear(&space, &files);
	address_space__clear(&child, &files);
	address_space__clear(&newer, &files);
	require(files.by_key.count == 0);
	mapped_files__free(&files);
	free(text);
	return 0;
}
