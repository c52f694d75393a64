/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * json_lines.h: strictly checks and parses the JSON that a program printed.
 *
 *	struct json_lines events = json_lines__split(peat.out_text);
 *
 *	for (size_t i = 0; i < events.count; i++)
 *		ck_assert_str_eq(json_lines__text(events.lines[i], "to.address"), "::1");
 *	json_lines__free(&events);
 *
 * A path has names and indices: "type", "args[1]", "to.port", "[3].name".
 */
#ifndef TESTS_SUPPORT_RECORDING_JSON_LINES_H
#define TESTS_SUPPORT_RECORDING_JSON_LINES_H

#include <stdbool.h>
#include <stddef.h>

enum json_kind {
	JSON_NOTHING, /* no such member */
	JSON_NULL,
	JSON_BOOL,
	JSON_NUMBER,
	JSON_STRING,
	JSON_ARRAY,
	JSON_OBJECT
};

struct json_lines {
	const char **lines;
	size_t count;
};

/*
 * Checks that `text` is one JSON value (RFC 8259, UTF-8, unique names in each object).  Returns the
 * error and its offset in `at`; NULL: valid.
 */
const char *json_lines__check(const char *text, size_t bytes, size_t *at);

/*
 * Splits `text` in place into lines, each of which has to be an object.  Anything else fails the
 * running test.
 */
struct json_lines json_lines__split(char *text);
void json_lines__free(struct json_lines *lines);

/* The following functions need valid JSON. */

enum json_kind json_lines__kind(const char *line, const char *path);

/* The text of a value, valid until the eighth call from now; "": no such member. */
const char *json_lines__raw(const char *line, const char *path);

/* A string without quotes and escapes, valid as long; NULL: no string. */
const char *json_lines__text(const char *line, const char *path);

/* An integer; anything else fails the running test. */
long long json_lines__number(const char *line, const char *path);

/* Whether the text of the value is `raw`: "17", "true", "\"SIGTERM\"". */
bool json_lines__is(const char *line, const char *path, const char *raw);

#endif /* TESTS_SUPPORT_RECORDING_JSON_LINES_H */
