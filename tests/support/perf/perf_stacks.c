// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * perf_stacks.c: stacks as stock perf script prints them:
 *
 *	comm  12/13  1234.123456789: cpu-clock:
 *		ffffffff815eb9f4 handle_mm_fault+0x44 ([kernel.kallsyms])
 *		           72b2 [unknown] (/usr/bin/node)
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/machine/harness.h"
#include "perf_stacks.h"

#define DELETED " (deleted)"

/* Ends the string before `end` and its spaces. */
static void cut(char *text, char *end)
{
	while (end > text && end[-1] == ' ')
		end--;
	*end = '\0';
}

/* Returns the last occurrence of `part` in `text` before `end`; NULL: none. */
static char *find_last(char *text, const char *end, const char *part)
{
	char *found = NULL;

	for (char *at = text; (at = strstr(at, part)) && at < end; at++)
		found = at;
	return found;
}

/* "...12/13 1234.123456789: cpu-clock:": the name of the command may have spaces and slashes. */
static void parse_head(char *line, struct perf_stack *stack)
{
	char *slash = NULL, *ids;
	unsigned long long seconds, ns;

	for (char *at = line; (at = strchr(at, '/')); at++) {
		int pid, tid;

		ids = at;
		while (ids > line && ids[-1] >= '0' && ids[-1] <= '9')
			ids--;
		if (sscanf(ids, "%d/%d %llu.%9llu:", &pid, &tid, &seconds, &ns) != 4)
			continue;
		slash = at;
		stack->pid = pid;
		stack->tid = tid;
		break;
	}
	ck_assert_msg(slash, "no ids in '%s'", line);
	stack->time_ns = seconds * 1000000000 + ns;
	cut(line, ids);
	stack->comm = line + strspn(line, " ");
}

/* "symbol+0x1f": names of C++ may have any character. */
static void parse_symbol(char *text, struct perf_frame *frame)
{
	char *plus = find_last(text, text + strlen(text), "+0x");

	frame->symbol = strcmp(text, "[unknown]") ? text : NULL;
	frame->offset = 0;
	if (!plus)
		return;
	frame->offset = strtoull(plus + 3, NULL, 16);
	*plus = '\0';
}

/* " 72b2 symbol+0x1f (dso)" */
static void parse_frame(char *line, struct perf_frame *frame)
{
	char *end = line + strlen(line), *symbol, *dso;

	ck_assert_msg(end > line && end[-1] == ')', "no file in '%s'", line);
	*--end = '\0';
	if ((size_t)(end - line) > strlen(DELETED) && !strcmp(end - strlen(DELETED), DELETED))
		end -= strlen(DELETED);
	dso = find_last(line, end, " (");
	ck_assert_msg(dso, "no file in '%s'", line);
	frame->dso = dso + 2;
	*dso = '\0';
	frame->ip = strtoull(line, &symbol, 16);
	ck_assert_msg(symbol > line && *symbol == ' ', "no address in '%s'", line);
	parse_symbol(symbol + 1, frame);
}

static char *next_line(char **rest)
{
	char *line = strsep(rest, "\n");

	return line && *line ? line : NULL;
}

bool perf_stacks__next(char **rest, struct perf_stack *stack)
{
	char *line;

	while (*rest && **rest == '\n')
		++*rest;
	line = *rest ? next_line(rest) : NULL;
	if (!line)
		return false;
	parse_head(line, stack);
	stack->count = 0;
	while (*rest && (line = next_line(rest))) {
		ck_assert_msg(*line == '\t' && stack->count < PERF_STACK_FRAMES, "'%s'", line);
		parse_frame(line + 1, &stack->frames[stack->count++]);
	}
	return true;
}
