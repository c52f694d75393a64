/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* perf_types.h: perf's names of record types, for comparing counts. */
#ifndef TESTS_SUPPORT_PERF_PERF_TYPES_H
#define TESTS_SUPPORT_PERF_PERF_TYPES_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <peat/record.h>

#define PERF_TYPES 128

static inline const char *perf_type_name(uint32_t type)
{
	static const char *const names[PERF_TYPES] = {
		[64] = "HEADER_ATTR",	[65] = "EVENT_TYPE",	 [66] = "TRACING_DATA",
		[67] = "BUILD_ID",	[68] = "FINISHED_ROUND", [69] = "ID_INDEX",
		[70] = "AUXTRACE_INFO", [71] = "AUXTRACE",	 [72] = "AUXTRACE_ERROR",
		[73] = "THREAD_MAP",	[74] = "CPU_MAP",	 [75] = "STAT_CONFIG",
		[76] = "STAT",		[77] = "STAT_ROUND",	 [78] = "EVENT_UPDATE",
		[79] = "TIME_CONV",	[80] = "HEADER_FEATURE", [81] = "COMPRESSED",
		[82] = "FINISHED_INIT", [83] = "COMPRESSED2",
	};

	return type < 64 ? peat_record__name(type) : type < PERF_TYPES ? names[type] : NULL;
}

/* Compares the names before the colon. */
static inline int compare_words(const void *a, const void *b)
{
	const char *x = *(char *const *)a, *y = *(char *const *)b;

	while (*x == *y && *x != ':')
		x++, y++;
	return (*x == ':' ? 0 : *x) - (*y == ':' ? 0 : *y);
}

/* "COMM:2 EXIT:1 SAMPLE:8", sorted by name.  The caller frees it. */
static inline char *perf_types_text(const unsigned long *types)
{
	char *words[PERF_TYPES], *text = calloc(1, PERF_TYPES * 40);
	int count = 0;

	for (uint32_t i = 0; i < PERF_TYPES; i++)
		if (types[i] &&
		    asprintf(&words[count], "%s:%lu", perf_type_name(i) ?: "?", types[i]) > 0)
			count++;
	qsort(words, (size_t)count, sizeof(*words), compare_words);
	for (int i = 0; i < count; i++) {
		strcat(strcat(text, i ? " " : ""), words[i]);
		free(words[i]);
	}
	return text;
}

#endif /* TESTS_SUPPORT_PERF_PERF_TYPES_H */
