/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#ifndef PEAT_RUNTIMES_RUNTIME_JSON_H
#define PEAT_RUNTIMES_RUNTIME_JSON_H

#include <stdbool.h>
#include <stddef.h>

/* runtimes/runtime_json.h: reads the JSON of container runtimes. */

#define RUNTIME_KEY_BYTES  40
#define RUNTIME_TEXT_BYTES 256

/* A text in JSON. */
struct runtime_text {
	unsigned depth;		       /* of objects and arrays around it: at least 1 */
	char key[RUNTIME_KEY_BYTES];   /* the last one before it, cut: "names" of ["a", "b"], too */
	char text[RUNTIME_TEXT_BYTES]; /* cut */
};

/*
 * Calls `use` with each text of a regular file, which may be another user's, until it returns
 * false, the JSON is malformed, or 16 MiB were read.  False: there is no such file, or peat was
 * built without libyajl.
 */
bool runtime_json__read(const char *path, bool (*use)(void *arg, const struct runtime_text *text),
			void *arg);

#endif /* PEAT_RUNTIMES_RUNTIME_JSON_H */
