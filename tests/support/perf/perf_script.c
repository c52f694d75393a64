// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* perf_script.c: compares a sample of perf script with that of peat replay -j. */
#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/machine/harness.h"
#include "support/recording/json_lines.h"
#include "perf_script.h"
#include "support/machine/tracing.h"

static bool begins_sample(const char *line)
{
	static const char pattern[] = "^.* [0-9]+/[0-9]+ +\\[[0-9]+\\] +[0-9]+\\.[0-9]{9}: +[^ ]+:";
	static bool compiled;
	static regex_t regex;
	char *copy;
	bool begins;

	if (!compiled)
		ck_assert_int_eq(regcomp(&regex, pattern, REG_EXTENDED), 0);
	compiled = true;
	copy = strndup(line, strcspn(line, "\n")); /* sanitizers read all that regexec() could */
	ck_assert_ptr_nonnull(copy);
	begins = !regexec(&regex, copy, 0, NULL, 0);
	free(copy);
	return begins;
}

char *perf_script__next(char **rest)
{
	char *sample = *rest, *end = sample;

	if (!*sample)
		return NULL;
	do
		end = strchrnul(end + 1, '\n');
	while (*end && end[1] && !begins_sample(end + 1));
	*rest = end + !!*end;
	*end = '\0';
	return sample;
}

/* "  a name   12/13    [001]  1234.123456789: peat:exec: ppid=1 ..." */
void perf_script__parse(char *line, struct perf_script *shown)
{
	char *cpu = strstr(line, " [0"), *ids = cpu, *time;
	unsigned long long seconds, ns;
	int at = 0;

	ck_assert_msg(cpu, "no CPU in '%s'", line);
	while (ids > line && ids[-1] == ' ')
		ids--;
	while (ids > line && ids[-1] != ' ')
		ids--;
	ck_assert_int_eq(sscanf(ids, "%d/%d", &shown->pid, &shown->tid), 2);
	time = cpu + 2 + strspn(cpu + 2, "0123456789]");
	ck_assert_int_eq(sscanf(cpu, " [%u]", &shown->cpu), 1);
	ck_assert_int_eq(sscanf(time, " %llu.%9llu: %63s%n", &seconds, &ns, shown->event, &at), 3);
	ck_assert_int_eq(at > 0, 1);
	shown->time_ns = (long long)(seconds * 1000000000 + ns);
	shown->event[strlen(shown->event) - 1] = '\0'; /* remove the colon */
	shown->fields = time + at;
	while (ids > line && ids[-1] == ' ')
		ids--;
	*ids = '\0';
	line += strspn(line, " ");
	ck_assert_uint_lt(strlen(line), sizeof(shown->comm));
	strcpy(shown->comm, line);
}

/* The character of an escape in JSON; *at is moved to its end. */
static char unescape(const char **at)
{
	static const char letters[] = "ntrbf", characters[] = "\n\t\r\b\f";
	const char *letter;
	unsigned code = 0;

	if (*++*at == 'u') {
		sscanf(*at + 1, "%4x", &code);
		*at += 4;
		return (char)code;
	}
	letter = strchr(letters, **at);
	return letter ? characters[letter - letters] : **at;
}

/* Several strings, ["sh","-c","a b"], as perf has them: blanks between them. */
static void join_strings(const char *array, char *text, size_t room)
{
	char *at = text;

	ck_assert_uint_lt(strlen(array), room);
	for (array += strlen("[\""); *array && strcmp(array, "\"]"); array++) {
		if (!strncmp(array, "\",\"", 3)) {
			*at++ = ' ';
			array += 2;
		} else {
			*at++ = *array == '\\' ? unescape(&array) : *array;
		}
	}
	*at = '\0';
}

void perf_script__check_field(const struct perf_script *shown, const char *event, const char *name)
{
	const char *text = json_lines__text(event, name) ?: json_lines__raw(event, name), *at;
	char wanted[20480], joined[16384], *dot;

	if (!strncmp(text, "[\"", 2)) {
		join_strings(text, joined, sizeof(joined));
		text = joined;
	}
	snprintf(wanted, sizeof(wanted), " %s=%s", name, text);
	while ((dot = strchr(wanted, '.')) && dot < strchr(wanted, '='))
		*dot = '_';
	at = strstr(shown->fields, wanted);
	ck_assert_msg(at && strchr(" ", at[strlen(wanted)]), "no '%s' in '%s'", wanted,
		      shown->fields);
}

void perf_script__check_head(const struct perf_script *shown, const char *event)
{
	const char *comm = json_lines__text(event, "comm"), *name = shown->event;

	if (!strncmp(name, "peat:", 5)) /* perf has the name of a tracepoint */
		name += 5;
	ck_assert_str_eq(json_lines__text(event, "type"), name);
	expect_number(event, "time_ns", shown->time_ns);
	expect_number(event, "cpu", shown->cpu);
	expect_number(event, "pid", shown->pid);
	expect_number(event, "tid", shown->tid);
	if (comm)
		ck_assert_str_eq(shown->comm, comm);
}
