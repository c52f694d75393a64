// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* operations_security.c: acts that need a capability. */
#include <sched.h>
#include <stdlib.h>
#include <unistd.h>

#include "operations.h"

static void change_root(void)
{
	if (chroot("/"))
		abort();
}

const struct gallery_operation gallery_chroot = { "chroot(\"/\")", NULL, change_root, NULL };

static void enter_nothing(void)
{
	if (!setns(-1, 0))
		abort();
}

const struct gallery_operation gallery_setns = { "setns() that fails", NULL, enter_nothing, NULL };
