/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* every_kind.h: an event with a field of each kind, and the text that perf and peat print for it.
 */
#ifndef TESTS_SUPPORT_RECORDING_EVERY_KIND_H
#define TESTS_SUPPORT_RECORDING_EVERY_KIND_H

#include <peat/schema.h>

#define EVERY_KIND_OPEN 2 /* elements of the flexible array at its end */

struct every_kind_text {
	const char *name; /* of the recorded field */
	const char *perf; /* NULL: perf does not print it as a field */
	const char *peat; /* NULL: same as perf; "": not a field, but additional text of perf */
};

/* The text of each field; ends with a NULL name. */
extern const struct every_kind_text every_kind_texts[];

/*
 * The schema, made from BTF.  It has the flexible array only if `open`, since some of perf's
 * readers do not support it.
 */
struct peat_schema *every_kind__schema(bool open);

/* Its BTF, which the caller frees, and the id of the struct "every_kind". */
struct btf *every_kind__btf(bool open, uint32_t *id);

/* An event with the elements of the flexible array.  Valid for the lifetime of the program. */
const void *every_kind__event(uint32_t *bytes);

#endif /* TESTS_SUPPORT_RECORDING_EVERY_KIND_H */
