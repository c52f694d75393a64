/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* perf_dump.h: the records of a recording as `perf script -D` shows them, by time. */
#ifndef PERF_DUMP_H
#define PERF_DUMP_H

#include <stddef.h>
#include <stdint.h>

struct dumped {
	const char *type; /* "SAMPLE": behind PERF_RECORD_ */
	uint64_t time_ns; /* 0: none is told */
	uint32_t cpu;	  /* UINT32_MAX: likewise */
	const char *says; /* the rest of that line */
	char **lines;	  /* those behind it, until the next record */
	size_t line_count;
};

struct perf_dump {
	char *text, **lines;
	struct dumped *at;
	size_t count;
};

/* The last lines of each sample are those of `perf script -F fields`. */
void perf_dump__read(struct perf_dump *dump, const char *path, const char *fields);
void perf_dump__free(struct perf_dump *dump);

/* The rest of its line that begins this way; NULL: there is none. */
const char *perf_dump__line(const struct dumped *dumped, const char *beginning);

/* A sample's first line of `perf script -F fields`, without blanks before it. */
const char *perf_dump__script(const struct dumped *sample);

#endif /* PERF_DUMP_H */
