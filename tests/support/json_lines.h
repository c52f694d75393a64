/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * json_lines.h: what a program printed as JSON, checked to the letter and taken apart.
 *
 *	struct json_lines events = json_lines__split(peat.out_text);
 *
 *	for (size_t i = 0; i < events.count; i++)
 *		ck_assert_str_eq(json_lines__text(events.lines[i], "to.address"), "::1");
 *	json_lines__free(&events);
 *
 * A path has names and indices: "type", "args[1]", "to.port", "[3].name".
 */
#ifndef JSON_LINES_H
#define JSON_LINES_H

#include <stdbool.h>
#include <stddef.h>

enum json_kind {
	JSON_NOTHING, /* there is no such member */
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
 * What is wrong with `bytes` bytes that should be one value of JSON (RFC 8259, in UTF-8, no name
 * twice in an object), and in `at` where; NULL: nothing.
 */
const char *json_lines__check(const char *text, size_t bytes, size_t *at);

/*
 * Objects, a line each, into which `text` is cut: its newlines become NULs.  Anything else fails
 * the running test.
 */
struct json_lines json_lines__split(char *text);
void json_lines__free(struct json_lines *lines);

/* The rest is for text that was found to be good. */

enum json_kind json_lines__kind(const char *line, const char *path);

/* A value as it is written, until the eighth call from now; "" if there is none. */
const char *json_lines__raw(const char *line, const char *path);

/* The same, and the string in it without its quotes and escapes; NULL if it is no string. */
const char *json_lines__text(const char *line, const char *path);

/* A whole number; anything else fails the running test. */
long long json_lines__number(const char *line, const char *path);

/* Is it written this way: "17", "true", "\"SIGTERM\""? */
bool json_lines__is(const char *line, const char *path, const char *raw);

#endif /* JSON_LINES_H */
