/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* told.h: what an event says that peat printed as JSON. */
#ifndef TOLD_H
#define TOLD_H

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "harness.h"
#include "json_lines.h"

static inline bool told__has(const char *event, const char *path)
{
	return json_lines__kind(event, path) != JSON_NOTHING;
}

static inline bool told__holds(const char *event, const char *path)
{
	return json_lines__is(event, path, "true");
}

/* "" of what is no string. */
static inline const char *told__text(const char *event, const char *path)
{
	return json_lines__text(event, path) ?: "";
}

/* A number, or one in a string: "0x17". */
static inline unsigned long long told__number(const char *event, const char *path)
{
	const char *raw = json_lines__raw(event, path);

	ck_assert_msg(*raw && strcmp(raw, "null"), "no %s in %s", path, event);
	return strtoull(raw + (*raw == '"'), NULL, 0);
}

static inline void told__check(const char *event, const char *path, unsigned long long wanted)
{
	ck_assert_msg(told__number(event, path) == wanted, "%s should be %llu, %#llx, in %s", path,
		      wanted, wanted, event);
}

#endif /* TOLD_H */
