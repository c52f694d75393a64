// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* list_functions.c: peat list kprobe:vfs_*: functions and tracepoints. */
#include <stdio.h>

#include <peat/peat.h>

#include "cli/base/json_text.h"
#include "cli/cli.h"
#include "cli/list/list_functions.h"

struct listing {
	bool json, *is_first;
};

static void print_json(struct listing *listing, const struct peat_function *function)
{
	json_text__member(*listing->is_first ? "[{" : ",\n {", "source", function->source);
	json_text__member(",", "prototype", function->prototype);
	json_text__member(",", "module", function->module);
	json_text__member(",", "arguments", function->arguments);
	putchar('}');
	*listing->is_first = false;
}

static int print(void *context, const struct peat_function *function)
{
	struct listing *listing = context;

	if (listing->json) {
		print_json(listing, function);
		return 0;
	}
	fputs(function->source, stdout);
	if (function->prototype)
		printf("  %s", function->prototype);
	if (function->arguments)
		printf("  %s", function->arguments);
	if (function->module)
		printf("  [%s]", function->module);
	putchar('\n');
	return 0;
}

int list_functions__print(const char *source, uint32_t pid, bool json, bool *is_first)
{
	struct listing listing = { json, is_first };

	return peat_functions__each_of(source, pid, print, &listing) ? EXIT_FAILED : 0;
}
