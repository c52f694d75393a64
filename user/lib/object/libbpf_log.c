// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* object/libbpf_log.c: forwards libbpf's messages and parses why a load failed. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <bpf/libbpf.h>

#include "base/errors.h"
#include "base/log.h"
#include "base/text.h"
#include "object/libbpf_log.h"

static _Thread_local struct load_failure *watched;
static _Thread_local void (*follower)(void *context);
static _Thread_local void *follower_context;

void libbpf_log__watch(struct load_failure *failure)
{
	if (failure)
		*failure = (struct load_failure){ 0 };
	watched = failure;
}

void libbpf_log__follow(void (*function)(void *context), void *context)
{
	follower = function;
	follower_context = context;
}

/* ---- why an object cannot be loaded ---------------------------------------------------------- */

static void copy_line(char *to, size_t room, const char *line)
{
	size_t bytes = strcspn(line, "\n");

	snprintf(to, room, "%.*s", (int)(bytes < room ? bytes : room - 1), line);
}

/* A line of source or of the statistics at the end.  "insns processed": Linux 7.2. */
static bool is_beside_verdict(const char *line)
{
	static const char *const starts[] = {
		"\n",
		"; ",
		"-- ",
		"processed ",
		"verification time ",
		"stack depth ",
		"insns processed ",
	};

	for (size_t i = 0; i < sizeof(starts) / sizeof(*starts); i++)
		if (begins_with(line, starts[i]))
			return true;
	return false;
}

/* The verifier's last line before its statistics. */
static void copy_verdict(const char *log)
{
	const char *verdict = NULL;

	for (; *log; log += strcspn(log, "\n"), log += *log == '\n')
		if (!is_beside_verdict(log))
			verdict = log;
	if (verdict)
		copy_line(watched->reason, sizeof(watched->reason), verdict);
}

/* libbpf's summary for a program, after the message with the reason. */
static bool is_load_summary(const char *text)
{
	return begins_with(text, "failed to load") || begins_with(text, "failed to prepare load");
}

/* "libbpf: map 'NAME': failed to create: ...": maps are created before programs are loaded. */
static void watch_map(const char *text)
{
	int end = 0;

	if (sscanf(text, "libbpf: map '%127[^']': failed to create%n", watched->map, &end) == 1 &&
	    !end)
		*watched->map = '\0';
}

/* "libbpf: prog 'NAME': ...": the last program named is the one that failed. */
static void watch_program(const char *text)
{
	char program[sizeof(watched->program)];
	int start = 0;

	if (sscanf(text, "libbpf: prog '%127[^']': %n", program, &start) != 1 || !start)
		return;
	text += start;
	if (!strcmp(program, watched->program) && is_load_summary(text))
		return;
	watched->is_refused = begins_with(text, "BPF program load failed") ||
			      (watched->is_refused && !strcmp(program, watched->program));
	strcpy(watched->program, program);
	if (begins_with(text, "-- BEGIN PROG LOAD LOG"))
		copy_verdict(text);
	else
		copy_line(watched->reason, sizeof(watched->reason), text);
}

/* Summaries of a whole object only repeat the errno. */
static void watch_last(const char *text)
{
	static const char prefix[] = "libbpf: ";

	if (begins_with(text, prefix))
		text += strlen(prefix);
	if (!begins_with(text, "failed to load object") &&
	    !begins_with(text, "failed to initialize skeleton"))
		copy_line(watched->last, sizeof(watched->last), text);
}

/* ---- forwarding ------------------------------------------------------------------------------ */

/* The verifier's log can be long, and the reason is at its end. */
static void watch_message(const char *text)
{
	watch_map(text);
	watch_program(text);
	watch_last(text);
}

static _Thread_local bool are_failures_expected;

void libbpf_log__expect_failures(bool are_expected)
{
	are_failures_expected = are_expected;
}

static int forward_message(enum libbpf_print_level level, const char *format, va_list args)
{
	char buffer[4096], *text = log__format(buffer, sizeof(buffer), format, args);
	size_t bytes = strlen(text);

	if (watched && level == LIBBPF_WARN)
		watch_message(text);
	if (bytes && text[bytes - 1] == '\n')
		text[bytes - 1] = '\0';
	log__print(level == LIBBPF_WARN && !are_failures_expected ? PEAT_LOG_INFO : PEAT_LOG_DEBUG,
		   "%s", text);
	if (text != buffer)
		free(text);
	if (follower)
		follower(follower_context);
	return 0;
}

void libbpf_log__forward_all(void)
{
	libbpf_set_print(forward_message);
}

/* ---- opening --------------------------------------------------------------------------------- */

/* The number of bytes without the period at the end of some of libbpf's messages. */
static size_t without_period(const char *text)
{
	size_t bytes = strlen(text);

	return bytes && text[bytes - 1] == '.' ? bytes - 1 : bytes;
}

/* NULL: unknown. */
static const char *open_remedy(const char *message)
{
	static const struct {
		const char *words, *remedy;
	} remedies[] = {
		{ "conflicting value size",
		  "leave out value_size: the type of the value is enough, and for a perf event "
		  "array it is that of the events" },
		{ "is static and not supported",
		  "programs have to be global functions: compile it without `static`" },
		{ "failed to find BTF for extern",
		  "another object has to define it: link both by bpftool gen object" },
		{ "invalid pinning value", "libbpf pins maps by name only: LIBBPF_PIN_BY_NAME" },
	};

	for (size_t i = 0; i < sizeof(remedies) / sizeof(*remedies); i++)
		if (strstr(message, remedies[i].words))
			return remedies[i].remedy;
	return NULL;
}

/* libbpf has error numbers of its own, above those of errno. */
static int explain_open(const char *name, int number, const struct load_failure *failure)
{
	const char *last = failure->last, *remedy = open_remedy(last);
	char text[128];

	if (strstr(last, "BTF is required")) {
		log__error("%s cannot be used as a BPF object: it has no valid BTF: compile it "
			   "with clang -g",
			   name);
		return -EINVAL;
	}
	if (remedy) {
		log__error("%s cannot be used as a BPF object: %.*s: %s", name,
			   (int)without_period(last), last, remedy);
		return -EINVAL;
	}
	libbpf_strerror(number, text, sizeof(text));
	if (strstr(last, text)) /* the path and the errno, again */
		last = "";
	log__error("%s cannot be used as a BPF object: %s%s%s", name, text, *last ? ": " : "",
		   last);
	return number < __LIBBPF_ERRNO__START ? -number : -EINVAL;
}

struct bpf_object *libbpf_log__open_mem(const char *name, const void *bytes, size_t count,
					const struct bpf_object_open_opts *opts)
{
	struct load_failure failure;
	struct bpf_object *object;

	libbpf_log__watch(&failure);
	object = bpf_object__open_mem(bytes, count, opts);
	libbpf_log__watch(NULL);
	return object ? object : fail_null(explain_open(name, errno, &failure));
}

struct bpf_object *libbpf_log__open_file(const char *path, const struct bpf_object_open_opts *opts)
{
	struct load_failure failure;
	struct bpf_object *object;

	libbpf_log__watch(&failure);
	object = bpf_object__open_file(path, opts);
	libbpf_log__watch(NULL);
	return object ? object : fail_null(explain_open(path, errno, &failure));
}

int libbpf_log__open_skeleton(struct bpf_object_skeleton *skeleton,
			      const struct bpf_object_open_opts *opts)
{
	struct load_failure failure;
	int err;

	libbpf_log__watch(&failure);
	err = bpf_object__open_skeleton(skeleton, opts);
	libbpf_log__watch(NULL);
	return err ? fail(explain_open(skeleton->name, -err, &failure)) : 0;
}
