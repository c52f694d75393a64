// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * functions/select_functions.c: selects functions of the kernel from texts of its lists.
 *
 * A link kprobe.multi wants the addresses of symbols.  With those that ftrace lists, 4 bytes on
 * after endbr64, it attaches, but its programs have no cookie.  So ftrace says which functions
 * there are, and kallsyms where they begin.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/glob.h"
#include "functions/kernel_functions.h"
#include "functions/kernel_symbols.h"
#include "functions/kprobe_blacklist.h"
#include "sys/kallsyms_line.h"

struct selection {
	struct found_functions *found;
	const char *pattern;
	bool has_dot; /* the pattern */
	struct kernel_symbols symbols;
	struct kprobe_blacklist blacklist;
};

static bool matches(const struct selection *selection, struct word name)
{
	if (!selection->has_dot && memchr(name.at, '.', name.bytes))
		return false;
	return glob__match(selection->pattern, name.at, name.bytes);
}

static bool copy_word(char text[KALLSYMS_NAME_BYTES + 1], struct word word)
{
	if (word.bytes > KALLSYMS_NAME_BYTES)
		return false;
	memcpy(text, word.at, word.bytes);
	text[word.bytes] = '\0';
	return true;
}

static int add_function(struct selection *selection, struct word name, struct word module,
			uint64_t place)
{
	char name_text[KALLSYMS_NAME_BYTES + 1], module_text[KALLSYMS_NAME_BYTES + 1];

	if (!copy_word(name_text, name) || !copy_word(module_text, module))
		return 0;
	return found_functions__add(selection->found, name_text, module.bytes ? module_text : NULL,
				    place);
}

/* `name`: that of ftrace's list, of several for one address. */
static int choose(struct selection *selection, struct kernel_function *function, struct word name)
{
	if (kprobe_blacklist__has(&selection->blacklist, function))
		return 0;
	function->is_chosen = true;
	return add_function(selection, name, function->module, function->address);
}

static int choose_all(struct selection *selection)
{
	int err = 0;

	for (size_t i = 0; !err && i < selection->symbols.count; i++) {
		struct kernel_function *function = &selection->symbols.at[i];

		if (matches(selection, function->name))
			err = choose(selection, function, function->name);
	}
	return err;
}

/* ---- ftrace's lists -------------------------------------------------------------------------- */

struct traced {
	uint64_t address; /* of the call of ftrace */
	struct word name, module;
};

/* "ffffffff81001004 vfs_read", "ffffffffc0001004 nf_hook [nf_tables]", or without an address */
static bool parse_traced(struct traced *traced, struct word line, bool has_address)
{
	struct word address = has_address ? word__next(&line) : line;
	const char *at = address.at, *end = at + address.bytes;

	if (has_address && (!kallsyms_line__parse_hex(&at, end, &traced->address) || at != end))
		return false;
	traced->name = word__next(&line);
	traced->module = word__in_brackets(word__next(&line));
	return traced->name.bytes;
}

static int choose_by_address(struct selection *selection, const char *list)
{
	struct kernel_function *function;
	struct traced traced;
	struct word line;
	int err = 0;

	while (!err && word__next_line(&list, &line)) {
		if (!parse_traced(&traced, line, true) || !matches(selection, traced.name))
			continue;
		function = kernel_symbols__find_traced(&selection->symbols, traced.address,
						       traced.name);
		if (function)
			err = choose(selection, function, traced.name);
		else
			selection->found->left_out++;
	}
	return err;
}

/* ---- ftrace's list without addresses --------------------------------------------------------- */

/* Functions that match, by name and module. */
struct named {
	struct kernel_function **at;
	size_t count, room;
};

static int compare_named(const struct kernel_function *a, struct word name, struct word module)
{
	int order = word__compare(a->name, name);

	return order ? order : word__compare(a->module, module);
}

static int compare_functions(const void *left, const void *right)
{
	const struct kernel_function *a = *(struct kernel_function *const *)left;
	const struct kernel_function *b = *(struct kernel_function *const *)right;

	return compare_named(a, b->name, b->module);
}

static int collect_named(struct selection *selection, struct named *named)
{
	for (size_t i = 0; i < selection->symbols.count; i++) {
		struct kernel_function *function = &selection->symbols.at[i];

		if (!matches(selection, function->name))
			continue;
		if (!ARRAY_RESERVE(named->at, named->count, named->room))
			return -ENOMEM;
		named->at[named->count++] = function;
	}
	if (named->count)
		qsort(named->at, named->count, sizeof(*named->at), compare_functions);
	return 0;
}

/* The first function of a name; NULL: none. */
static struct kernel_function *find_named(const struct named *named, const struct traced *traced)
{
	size_t low = 0, high = named->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (compare_named(named->at[middle], traced->name, traced->module) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low < named->count && !compare_named(named->at[low], traced->name, traced->module)
		       ? named->at[low]
		       : NULL;
}

/* Counts each line at the first function of its name. */
static int count_listed(struct selection *selection, const struct named *named, const char *list,
			bool has_addresses)
{
	struct traced traced;
	struct word line;
	int err = 0;

	while (!err && word__next_line(&list, &line)) {
		struct kernel_function *first;

		if (!parse_traced(&traced, line, has_addresses) || !matches(selection, traced.name))
			continue;
		first = find_named(named, &traced);
		if (first)
			first->listed++;
		else
			err = add_function(selection, traced.name, traced.module, 0);
	}
	return err;
}

/* If only some functions of a name are listed, it is unknown which ones. */
static int choose_listed(struct selection *selection, const struct named *named)
{
	size_t end;
	int err = 0;

	for (size_t i = 0; !err && i < named->count; i = end) {
		struct kernel_function *first = named->at[i];

		for (end = i + 1; end < named->count; end++)
			if (compare_named(named->at[end], first->name, first->module) != 0)
				break;
		for (size_t j = i; !err && j < end && first->listed >= end - i; j++)
			err = choose(selection, named->at[j], first->name);
	}
	return err;
}

static int choose_by_name(struct selection *selection, const char *list, bool has_addresses)
{
	struct named named = { 0 };
	int err = collect_named(selection, &named);

	if (!err)
		err = count_listed(selection, &named, list, has_addresses);
	if (!err)
		err = choose_listed(selection, &named);
	free(named.at);
	return err;
}

/* ---------------------------------------------------------------------------------------------- */

static int choose_functions(struct selection *selection, const struct kernel_function_lists *lists)
{
	const char *traced = lists->filter_addrs ? lists->filter_addrs : lists->filter;
	int err;

	if (!traced)
		return choose_all(selection);
	if (lists->filter_addrs && selection->symbols.count &&
	    !kernel_symbols__are_hidden(&selection->symbols))
		err = choose_by_address(selection, traced);
	else
		err = choose_by_name(selection, traced, traced == lists->filter_addrs);
	if (err || selection->found->count || glob__is(selection->pattern))
		return err;
	selection->found->left_out = 0;
	return choose_all(selection);
}

/* Symbols of one address are one function. */
static void count_left_out(struct selection *selection)
{
	const struct kernel_symbols *symbols = &selection->symbols;
	size_t end;

	for (size_t i = 0; i < symbols->count; i = end) {
		const uint64_t address = symbols->at[i].address;
		bool has_match = false, is_chosen = false;

		for (end = i; end == i || (address && end < symbols->count &&
					   symbols->at[end].address == address);
		     end++) {
			has_match |= matches(selection, symbols->at[end].name);
			is_chosen |= symbols->at[end].is_chosen;
		}
		selection->found->left_out += has_match && !is_chosen;
	}
}

static void suggest(struct selection *selection, struct word name)
{
	char text[KALLSYMS_NAME_BYTES + 1];

	if (copy_word(text, name))
		suggestion__try(&selection->found->alike, text);
}

static void suggest_names(struct selection *selection, const struct kernel_function_lists *lists)
{
	const char *list = lists->filter_addrs ? lists->filter_addrs : lists->filter;
	struct traced traced;
	struct word line;

	for (size_t i = 0; i < selection->symbols.count; i++)
		suggest(selection, selection->symbols.at[i].name);
	while (!lists->kallsyms && list && word__next_line(&list, &line))
		if (parse_traced(&traced, line, list == lists->filter_addrs))
			suggest(selection, traced.name);
}

static int select_functions(struct selection *selection, const struct kernel_function_lists *lists)
{
	int err =
		kernel_symbols__parse(&selection->symbols, lists->kallsyms ? lists->kallsyms : "");

	if (!err)
		err = kprobe_blacklist__parse(&selection->blacklist, lists->blacklist);
	if (!err)
		err = choose_functions(selection, lists);
	if (err)
		return err;
	count_left_out(selection);
	found_functions__sort(selection->found);
	if (selection->found->count)
		return 0;
	if (!selection->found->left_out)
		suggest_names(selection, lists);
	return -ENOENT;
}

int kernel_functions__select(struct found_functions *found, const char *pattern,
			     const struct kernel_function_lists *lists)
{
	struct selection selection = { .found = found,
				       .pattern = pattern,
				       .has_dot = strchr(pattern, '.') != NULL };
	int err;

	found->alike.wanted = pattern;
	if (!lists->kallsyms && !glob__is(pattern))
		err = found_functions__add(found, pattern, NULL, 0);
	else
		err = select_functions(&selection, lists);
	kernel_symbols__free(&selection.symbols);
	kprobe_blacklist__free(&selection.blacklist);
	if (err && err != -ENOENT)
		found_functions__free(found);
	return err;
}
