// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* record/tool_names.c: names of the records that perf itself writes into a perf.data. */
#include <stddef.h>

#include "record/tool_names.h"

#define FIRST_TYPE 64 /* the kernel's types are below */

static const char *const names[] = {
	"ATTR",		  "EVENT_TYPE",	   "TRACING_DATA",     "BUILD_ID",
	"FINISHED_ROUND", "ID_INDEX",	   "AUXTRACE_INFO",    "AUXTRACE",
	"AUXTRACE_ERROR", "THREAD_MAP",	   "CPU_MAP",	       "STAT_CONFIG",
	"STAT",		  "STAT_ROUND",	   "EVENT_UPDATE",     "TIME_CONV",
	"FEATURE",	  "COMPRESSED",	   "FINISHED_INIT",    "COMPRESSED2",
	"BPF_METADATA",	  "SCHEDSTAT_CPU", "SCHEDSTAT_DOMAIN",
};

#define NAMES_COUNT (sizeof(names) / sizeof(*names))

const char *tool_record__name(uint32_t type)
{
	if (type < FIRST_TYPE || type - FIRST_TYPE >= NAMES_COUNT)
		return NULL;
	return names[type - FIRST_TYPE];
}
