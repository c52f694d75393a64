// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* machine/check.c: runs all checks. */
#include <stdarg.h>
#include <stdio.h>

#include "base/log.h"
#include "machine/check.h"
#include "object/libbpf_log.h"

void check__pass(struct check *check, const char *found, ...)
{
	va_list args;

	check->state = PEAT_CHECK_OK;
	va_start(args, found);
	vsnprintf(check->found, sizeof(check->found), found, args);
	va_end(args);
}

void check__fail(struct check *check, enum peat_check_state state, const char *remedy,
		 const char *found, ...)
{
	va_list args;

	check->state = state;
	check->remedy = remedy;
	va_start(args, found);
	vsnprintf(check->found, sizeof(check->found), found, args);
	va_end(args);
}

static const struct {
	const char *topic;
	const struct check_row *rows;
} topics[] = {
	{ "privileges", capabilities__rows },
	{ "restrictions", restrictions__rows },
	{ "files of the kernel", kernel_files__rows },
	{ "programs", programs__rows },
	{ "perf events", events__rows },
	{ "limits", limits__rows },
	{ "namespaces and clock", namespaces__rows },
};

/* Messages of functions that may fail here are for debugging only. */
static void run(const struct check_row *row, struct check *check)
{
	enum peat_log_level before = log__set_severest(PEAT_LOG_DEBUG);

	libbpf_log__expect_failures(true);
	row->run(check, row->argument);
	libbpf_log__expect_failures(false);
	log__set_severest(before);
}

static int visit_row(const char *topic, const struct check_row *row,
		     int (*visit)(void *arg, const struct peat_check *check), void *arg)
{
	struct check check = { 0 };
	struct peat_check result = { .sz = sizeof(result), .name = row->name, .topic = topic };

	run(row, &check);
	result.state = check.state;
	result.found = check.found;
	result.remedy = check.remedy;
	return visit(arg, &result);
}

int peat_machine__check(int (*visit)(void *arg, const struct peat_check *check), void *arg)
{
	int result = 0;

	libbpf_log__forward_all();
	for (size_t i = 0; !result && i < sizeof(topics) / sizeof(*topics); i++)
		for (const struct check_row *row = topics[i].rows; !result && row->name; row++)
			result = visit_row(topics[i].topic, row, visit, arg);
	return result;
}
