/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* perf_dump.h: the records of a recording as printed by `perf script -D`, by time. */
#ifndef TESTS_SUPPORT_PERF_PERF_DUMP_H
#define TESTS_SUPPORT_PERF_PERF_DUMP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct dumped {
	const char *type; /* without PERF_RECORD_: "SAMPLE" */
	uint64_t time_ns; /* 0: not printed */
	uint32_t cpu;	  /* UINT32_MAX: not printed */
	const char *rest; /* of the line, after the type */
	char **lines;	  /* following lines up to the next record */
	size_t line_count;
	bool is_after_exit; /* a sample without the name of its task, whose EXIT came before */
};

struct perf_dump {
	char *text, **lines;
	struct dumped *at;
	size_t count;
};

/* Each sample ends with the lines of `perf script -F fields`. */
void perf_dump__read(struct perf_dump *dump, const char *path, const char *fields);
void perf_dump__free(struct perf_dump *dump);

/* The rest of the line with this beginning; NULL: not found. */
const char *perf_dump__line(const struct dumped *dumped, const char *beginning);

/* The first line of `perf script -F fields` of a sample, without leading blanks. */
const char *perf_dump__script(const struct dumped *sample);

#endif /* TESTS_SUPPORT_PERF_PERF_DUMP_H */
