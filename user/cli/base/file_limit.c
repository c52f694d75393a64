// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* base/file_limit.c: RLIMIT_NOFILE, of the command peat and of the commands that it runs. */
#include <stdbool.h>
#include <sys/resource.h>

#include "cli/base/file_limit.h"

static struct rlimit inherited;
static bool is_raised;

void file_limit__raise(void)
{
	struct rlimit limit;

	if (is_raised || getrlimit(RLIMIT_NOFILE, &inherited))
		return;
	limit = inherited;
	limit.rlim_cur = limit.rlim_max;
	is_raised = !setrlimit(RLIMIT_NOFILE, &limit);
}

void file_limit__restore(void)
{
	if (is_raised)
		setrlimit(RLIMIT_NOFILE, &inherited); /* lowering it cannot fail */
}
