// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* doctor_checks.c: the checks of this machine, kept, as text and JSON. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/base/json_text.h"
#include "cli/base/messages.h"
#include "cli/base/option_words.h"
#include "cli/base/terminal_text.h"
#include "cli/cli.h"
#include "cli/doctor/doctor_checks.h"

/* Names and topics are static.  The texts name members of the API, which become options. */
static int keep(void *arg, const struct peat_check *check)
{
	struct doctor_checks *checks = arg;
	struct peat_check *kept = &checks->at[checks->count];

	if (checks->count == DOCTOR_CHECKS)
		return -E2BIG;
	*kept = *check;
	checks->count++;
	kept->found = option_words__exchange(check->found);
	if (check->remedy)
		kept->remedy = option_words__exchange(check->remedy);
	return !kept->found || (check->remedy && !kept->remedy) ? -ENOMEM : 0;
}

int doctor_checks__run(struct doctor_checks *checks)
{
	int err = peat_machine__check(keep, checks);

	if (err)
		messages__print("cannot check this machine: %s", strerror(-err));
	return err ? EXIT_FAILED : 0;
}

void doctor_checks__free(struct doctor_checks *checks)
{
	for (size_t i = 0; i < checks->count; i++) {
		free((char *)checks->at[i].found);
		free((char *)checks->at[i].remedy);
	}
}

bool doctor_checks__any_missing(const struct doctor_checks *checks)
{
	for (size_t i = 0; i < checks->count; i++)
		if (checks->at[i].state == PEAT_CHECK_MISSING)
			return true;
	return false;
}

static bool is_named(const struct peat_check *check, const char *messages)
{
	return check->state && strstr(messages, check->name);
}

static bool any_named(const struct doctor_checks *checks, const char *messages)
{
	for (size_t i = 0; i < checks->count; i++)
		if (is_named(&checks->at[i], messages))
			return true;
	return false;
}

bool doctor_checks__explains(const struct doctor_checks *checks, size_t i, const char *messages)
{
	if (any_named(checks, messages))
		return is_named(&checks->at[i], messages);
	return checks->at[i].state == PEAT_CHECK_MISSING;
}

static const char *const states[] = {
	[PEAT_CHECK_OK] = "ok",
	[PEAT_CHECK_LIMITED] = "limited",
	[PEAT_CHECK_MISSING] = "missing",
};

/* A remedy of several checks is printed once if they follow each other. */
static bool has_new_remedy(const struct doctor_checks *checks, size_t i)
{
	const char *remedy = checks->at[i].remedy, *last = i ? checks->at[i - 1].remedy : NULL;

	return checks->at[i].state && remedy && (!last || strcmp(remedy, last) != 0);
}

void doctor_checks__print(const struct doctor_checks *checks)
{
	const char *topic = "";

	for (size_t i = 0; i < checks->count; i++) {
		const struct peat_check *check = &checks->at[i];

		if (strcmp(topic, check->topic) != 0)
			printf("%s%s\n", i ? "\n" : "", check->topic);
		topic = check->topic;
		terminal_text__print(stdout, "  %-7s  %-23s  %s\n", states[check->state],
				     check->name, check->found);
		if (has_new_remedy(checks, i))
			printf("%36s%s\n", "remedy: ", check->remedy);
	}
}

void doctor_checks__print_json(const struct doctor_checks *checks)
{
	fputs("\"checks\":[", stdout);
	for (size_t i = 0; i < checks->count; i++) {
		const struct peat_check *check = &checks->at[i];

		json_text__member(i ? ",\n {" : "{", "topic", check->topic);
		json_text__member(",", "name", check->name);
		json_text__member(",", "state", states[check->state]);
		json_text__member(",", "found", check->found);
		json_text__member(",", "remedy", check->state ? check->remedy : NULL);
		putchar('}');
	}
	putchar(']');
}
