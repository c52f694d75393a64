// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* symbols/debug/perf_copy.c: the path of perf's copy of a program. */
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "symbols/debug/perf_copy.h"

bool perf_copy__path(const struct build_id *build_id, char path[PERF_COPY_PATH])
{
	const char *home = getenv("HOME");
	char id[BUILD_ID_TEXT];
	struct stat status;

	if (build_id->bytes < 2 || !home || stat(home, &status) ||
	    (status.st_uid != geteuid() && status.st_uid != getuid()))
		return false;
	build_id__text(build_id, id);
	return snprintf(path, PERF_COPY_PATH, "%s/.debug/.build-id/%.2s/%s/elf", home, id, id + 2) <
	       PERF_COPY_PATH;
}
