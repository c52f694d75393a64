// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* stacks/folded.c: writes counted stacks as folded stacks: lines "sh;main;read 12". */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/escape.h"
#include "stacks/merged_stacks.h"

/* Replaces the separators of a folded line, and all that acts on a terminal, by '_'. */
static void put_frame_text(struct strbuf *line, const char *text)
{
	size_t bytes = strlen(text), length;
	bool is_shown;

	for (size_t i = 0; i < bytes; i += length) {
		length = escape__character(text + i, bytes - i, &is_shown);
		if (is_shown && text[i] != ';')
			strbuf__bytes(line, text + i, length);
		else
			strbuf__char(line, '_');
	}
}

/* `path` has room for all nodes. */
static void print_stack(struct strbuf *line, const struct merged_stacks *merged, uint32_t node,
			uint32_t *path)
{
	uint32_t depth = stack_tree__path(&merged->tree, node, path);

	for (uint32_t i = depth; i--;) {
		put_frame_text(line, merged->frames[path[i]].name);
		if (i)
			strbuf__char(line, ';');
	}
}

/* Functions of the same name in different files are one line. */
static int add_lines(struct string_counts *lines, const struct merged_stacks *merged,
		     bool is_weighted, struct strbuf *line)
{
	uint32_t *path = calloc((size_t)merged->tree.count + 1, sizeof(*path));
	int err = path ? 0 : -ENOMEM;

	for (uint32_t i = 1; i < merged->tree.count && !err; i++) {
		const struct stack_node *node = &merged->tree.nodes[i];
		uint64_t value = is_weighted ? node->weight : node->count;
		struct string_count *found;

		if (!value)
			continue;
		line->count = 0;
		print_stack(line, merged, i, path);
		found = line->failed ? NULL : string_counts__add(lines, line->bytes, line->count);
		if (!found)
			err = -ENOMEM;
		else if (__builtin_add_overflow(found->count, value, &found->count))
			found->count = UINT64_MAX;
	}
	free(path);
	line->count = 0;
	return err;
}

static int write_lines(const struct string_counts *lines, struct strbuf *out, int fd)
{
	const struct string_count **sorted = string_counts__sorted(lines);
	int err = sorted ? 0 : -ENOMEM;

	for (size_t i = 0; sorted && sorted[i] && !err; i++) {
		strbuf__bytes(out, sorted[i]->text, sorted[i]->bytes);
		strbuf__char(out, ' ');
		strbuf__unsigned(out, sorted[i]->count);
		strbuf__char(out, '\n');
		err = write_if_large(out, fd);
	}
	free(sorted);
	return err ? err : strbuf__write(out, fd);
}

int folded__write(const struct counted_stacks *stacks, int fd)
{
	struct string_counts lines = { 0 };
	struct strbuf out = { 0 };
	struct merged_stacks merged;
	int err = merged_stacks__make(&merged, stacks);

	if (!err)
		err = add_lines(&lines, &merged, stacks->is_weighted, &out);
	if (!err)
		err = write_lines(&lines, &out, fd);
	merged_stacks__free(&merged);
	string_counts__free(&lines);
	strbuf__free(&out);
	return err;
}
