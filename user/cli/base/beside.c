// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* beside.c: becomes a program beside this one. */
#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/base/beside.h"
#include "cli/base/messages.h"

/* False: its path is unknown or too long. */
static bool find(const char *name, char path[PATH_MAX])
{
	ssize_t bytes = readlink("/proc/self/exe", path, PATH_MAX - 1);
	char *slash;

	if (bytes < 0)
		return false;
	path[bytes] = '\0';
	slash = strrchr(path, '/');
	if (!slash || slash + 1 + strlen(name) >= path + PATH_MAX)
		return false;
	strcpy(slash + 1, name);
	return true;
}

void beside__become(const char *name, char *const *argv)
{
	char path[PATH_MAX];

	if (find(name, path))
		execv(path, argv);
	if (errno == ENOENT)
		execvp(name, argv);
	messages__print("cannot run %s: %m: it is a program beside peat, and may be a package of "
			"its own",
			name);
}
