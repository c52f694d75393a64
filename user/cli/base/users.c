// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* users.c: finds and lists users, by name services or in /etc/passwd. */
#include <errno.h>
#include <pwd.h>
#include <stdio.h>
#include <string.h>

#include "cli/base/users.h"

#ifdef PEAT_STATIC
int users__find(const char *name, uint32_t *uid)
{
	FILE *file = fopen("/etc/passwd", "re");
	const struct passwd *user;

	if (!file)
		return -errno;
	while ((user = fgetpwent(file)) && strcmp(user->pw_name, name) != 0)
		;
	fclose(file);
	if (user)
		*uid = user->pw_uid;
	return user ? 0 : -ESRCH;
}

void users__list(void (*add)(void *arg, const char *name), void *arg)
{
	FILE *file = fopen("/etc/passwd", "re");
	const struct passwd *user;

	while (file && (user = fgetpwent(file)))
		add(arg, user->pw_name);
	if (file)
		fclose(file);
}
#else
int users__find(const char *name, uint32_t *uid)
{
	const struct passwd *user = getpwnam(name);

	if (user)
		*uid = user->pw_uid;
	return user ? 0 : -ESRCH;
}

void users__list(void (*add)(void *arg, const char *name), void *arg)
{
	const struct passwd *user;

	setpwent();
	while ((user = getpwent()))
		add(arg, user->pw_name);
	endpwent();
}
#endif
