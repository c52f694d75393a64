// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* libbpf_log.c: libbpf's messages among our own. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <bpf/libbpf.h>

#include "base/internal.h"
#include "object/libbpf_log.h"

static _Thread_local struct load_failure *watched;

void libbpf_log__watch(struct load_failure *failure)
{
	if (failure)
		*failure = (struct load_failure){ 0 };
	watched = failure;
}

/* ---- why an object cannot be loaded ---------------------------------------------------------- */

static void copy_line(char *to, size_t room, const char *line)
{
	size_t bytes = strcspn(line, "\n");

	snprintf(to, room, "%.*s", (int)(bytes < room ? bytes : room - 1), line);
}

/* The verifier's last word, before it sums up what it did. */
static void copy_verdict(const char *log)
{
	const char *verdict = NULL;

	for (; *log; log += strcspn(log, "\n"), log += *log == '\n')
		if (*log != '\n' && !begins_with(log, "processed ") && !begins_with(log, "-- ") &&
		    !begins_with(log, "verification time ") && !begins_with(log, "stack depth "))
			verdict = log;
	if (verdict)
		copy_line(watched->reason, sizeof(watched->reason), verdict);
}

/* What libbpf says of the same program after it said why. */
static bool is_echo(const char *words)
{
	return begins_with(words, "failed to load") || begins_with(words, "failed to prepare load");
}

/* "libbpf: map 'NAME': failed to create: ...": no program was looked at yet. */
static void watch_map(const char *text)
{
	int end = 0;

	if (sscanf(text, "libbpf: map '%127[^']': failed to create%n", watched->map, &end) == 1 &&
	    !end)
		*watched->map = '\0';
}

/* "libbpf: prog 'NAME': ...": the last one that is named is where libbpf gave up. */
static void watch_program(const char *text)
{
	char program[sizeof(watched->program)];
	int start = 0;

	if (sscanf(text, "libbpf: prog '%127[^']': %n", program, &start) != 1 || !start)
		return;
	text += start;
	if (!strcmp(program, watched->program) && is_echo(text))
		return;
	strcpy(watched->program, program);
	if (begins_with(text, "-- BEGIN PROG LOAD LOG"))
		copy_verdict(text);
	else
		copy_line(watched->reason, sizeof(watched->reason), text);
}

/* ---- libbpf's words -------------------------------------------------------------------------- */

/* The verifier's log can be long, and its end is what counts. */
static void watch_all(const char *format, va_list args)
{
	char *text;

	if (vasprintf(&text, format, args) < 0)
		return;
	watch_map(text);
	watch_program(text);
	free(text);
}

static int forward(enum libbpf_print_level level, const char *format, va_list args)
{
	char text[4096];
	va_list again;
	size_t bytes;

	va_copy(again, args);
	if (watched && level == LIBBPF_WARN)
		watch_all(format, again);
	va_end(again);
	vsnprintf(text, sizeof(text), format, args);
	bytes = strlen(text);
	if (bytes && text[bytes - 1] == '\n')
		text[bytes - 1] = '\0';
	log__print(level == LIBBPF_WARN ? PEAT_LOG_INFO : PEAT_LOG_DEBUG, "%s", text);
	return 0;
}

void libbpf_log__forward_all(void)
{
	libbpf_set_print(forward);
}

/* libbpf has numbers of its own, behind those of errno. */
int libbpf_log__explain_open(const char *name, int number)
{
	char text[128];

	libbpf_strerror(number, text, sizeof(text));
	log__error("%s cannot be used as a BPF object: %s", name, text);
	return number < __LIBBPF_ERRNO__START ? -number : -EINVAL;
}
