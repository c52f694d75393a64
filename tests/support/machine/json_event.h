/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* json_event.h: members of an event that peat printed as JSON. */
#ifndef TESTS_SUPPORT_MACHINE_JSON_EVENT_H
#define TESTS_SUPPORT_MACHINE_JSON_EVENT_H

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "harness.h"
#include "support/recording/json_lines.h"

static inline bool json_event__has(const char *event, const char *path)
{
	return json_lines__kind(event, path) != JSON_NOTHING;
}

static inline bool json_event__is_true(const char *event, const char *path)
{
	return json_lines__is(event, path, "true");
}

/* The string, or "" if the member is no string. */
static inline const char *json_event__text(const char *event, const char *path)
{
	return json_lines__text(event, path) ?: "";
}

/* A number, or one in a string: "0x17". */
static inline unsigned long long json_event__number(const char *event, const char *path)
{
	const char *raw = json_lines__raw(event, path);

	ck_assert_msg(*raw && strcmp(raw, "null"), "no %s in %s", path, event);
	return strtoull(raw + (*raw == '"'), NULL, 0);
}

static inline void json_event__check(const char *event, const char *path, unsigned long long wanted)
{
	ck_assert_msg(json_event__number(event, path) == wanted, "%s should be %llu, %#llx, in %s",
		      path, wanted, wanted, event);
}

#endif /* TESTS_SUPPORT_MACHINE_JSON_EVENT_H */
