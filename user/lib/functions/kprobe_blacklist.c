// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* functions/kprobe_blacklist.c: functions that kprobes may not probe. */
#include <errno.h>
#include <stdlib.h>

#include "base/array.h"
#include "functions/kprobe_blacklist.h"
#include "sys/kallsyms_line.h"

static bool parse_address(const char **at, const char *end, uint64_t *address)
{
	if (end - *at < 2 || (*at)[0] != '0' || (*at)[1] != 'x')
		return false;
	*at += 2;
	return kallsyms_line__parse_hex(at, end, address);
}

/* "0xffffffff81001000-0xffffffff81001080	do_int3" */
static bool parse_range(struct blacklist_range *range, struct word line)
{
	struct word addresses = word__next(&line);
	const char *at = addresses.at, *end = at + addresses.bytes;

	if (!parse_address(&at, end, &range->start) || at == end || *at++ != '-' ||
	    !parse_address(&at, end, &range->end) || at != end)
		return false;
	range->name = word__next(&line);
	return true;
}

static int compare_starts(const void *left, const void *right)
{
	const struct blacklist_range *a = left, *b = right;

	return a->start < b->start ? -1 : a->start > b->start;
}

static void sort(struct kprobe_blacklist *list)
{
	uint64_t reach = 0;

	if (list->count)
		qsort(list->at, list->count, sizeof(*list->at), compare_starts);
	for (size_t i = 0; i < list->count; i++) {
		if (list->at[i].end > reach)
			reach = list->at[i].end;
		list->at[i].reach = reach;
	}
}

int kprobe_blacklist__parse(struct kprobe_blacklist *list, const char *text)
{
	struct blacklist_range range = { 0 };
	struct word line;

	*list = (struct kprobe_blacklist){ 0 };
	while (text && word__next_line(&text, &line)) {
		if (!parse_range(&range, line))
			continue;
		if (!ARRAY_RESERVE(list->at, list->count, list->room)) {
			kprobe_blacklist__free(list);
			return -ENOMEM;
		}
		list->at[list->count++] = range;
	}
	sort(list);
	return 0;
}

void kprobe_blacklist__free(struct kprobe_blacklist *list)
{
	free(list->at);
	*list = (struct kprobe_blacklist){ 0 };
}

/* One of the ranges that begin at or before the address ends after it. */
static bool has_address(const struct kprobe_blacklist *list, uint64_t address)
{
	size_t low = 0, high = list->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (list->at[middle].start <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low && address < list->at[low - 1].reach;
}

bool kprobe_blacklist__has(const struct kprobe_blacklist *list,
			   const struct kernel_function *function)
{
	for (size_t i = 0; i < list->count && (!function->address || !list->at[i].start); i++)
		if (word__equal(list->at[i].name, function->name))
			return true;
	return function->address && has_address(list, function->address);
}
