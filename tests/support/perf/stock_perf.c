// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* stock_perf.c: runs stock perf. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "support/machine/command.h"
#include "support/machine/harness.h"
#include "support/recording/json_lines.h"
#include "support/machine/process.h"
#include "stock_perf.h"

static char directory[32];

void stock_perf__setup(void)
{
	strcpy(directory, "/tmp/peat-perf-XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(directory));
	ck_assert_int_eq(chdir(directory), 0);
}

void stock_perf__teardown(void)
{
	ck_assert_int_eq(chdir("/"), 0);
	process__run("/bin/rm", ARGV("rm", "-r", directory));
}

char *stock_perf__shell(const char *line)
{
	struct command command;
	char *text;

	command__run(&command, ALL_CAPS, ARGV("sh", "-ec", line));
	ck_assert_msg(command.status == 0, "%s: status %d: %s", line, command.status,
		      command.err_text);
	text = strdup(command.out_text);
	command__free(&command);
	return text;
}

char *stock_perf__shellf(const char *format, ...)
{
	char *line, *text;
	va_list args;

	va_start(args, format);
	ck_assert_int_gt(vasprintf(&line, format, args), 0);
	va_end(args);
	text = stock_perf__shell(line);
	free(line);
	return text;
}

bool stock_perf__is_there(void)
{
	struct command command;
	bool is;

	command__run(&command, ALL_CAPS, ARGV("perf", "--version"));
	is = command.status == 0;
	command__free(&command);
	return is;
}

/* Removes the name behind a number: " (NAME)". */
static void cut_name(char *number)
{
	char *name = number + strcspn(number, " ,\n"), *end;

	if (strncmp(name, " (", 2))
		return;
	end = strchr(name, ')');
	ck_assert_msg(end, "%.80s", number);
	memmove(name, end + 1, strlen(end + 1) + 1);
}

static void cut_names(char *text, const char *before)
{
	for (char *at = text; (at = strstr(at, before));) {
		at += strlen(before);
		cut_name(at);
	}
}

static void cut_all(char *text, const char *part)
{
	for (char *at = text; (at = strstr(at, part));)
		memmove(at, at + strlen(part), strlen(at + strlen(part)) + 1);
}

static void cut_blanks(char *text)
{
	char *to = text;

	for (const char *from = text; *from; from++)
		if (*from != ' ' || from[1] != ' ')
			*to++ = *from;
	*to = '\0';
}

void stock_perf__unify(char *text)
{
	cut_names(text, " type = ");
	cut_names(text, " type: ");
	cut_names(text, " config = ");
	cut_names(text, " config: ");
	cut_all(text, " config = 0,");
	cut_all(text, " config: 0,");
	cut_blanks(text);
}

bool stock_perf__has(const char *text, const char *part)
{
	char *whole = strdup(text), *wanted = strdup(part);
	bool has;

	ck_assert(whole && wanted);
	stock_perf__unify(whole);
	stock_perf__unify(wanted);
	has = strstr(whole, wanted);
	free(whole);
	free(wanted);
	return has;
}

void stock_perf__check_has(const char *text, const char *part)
{
	ck_assert_msg(stock_perf__has(text, part), "no '%s' in: %.3000s", part, text);
}

void stock_perf__check_counts(const char *document, const char *object, char *lines)
{
	char *save = NULL;

	for (char *line = strtok_r(lines, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
		char name[64], path[128];
		long long count;

		ck_assert_int_eq(sscanf(line, "%lld %63s", &count, name), 2);
		snprintf(path, sizeof(path), "%s.%s", object, name);
		ck_assert_msg(json_lines__number(document, path) == count,
			      "there are %lld of %s in %s", count, path, document);
	}
}
