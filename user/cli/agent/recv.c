// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* recv.c: peat recv: becomes peat-recv, a program of its own. */
#include "cli/base/beside.h"
#include "cli/cli.h"

int recv_main(int argc, char **argv)
{
	(void)argc;
	argv[0] = (char *)"peat-recv";
	beside__become("peat-recv", argv);
	return EXIT_FAILED;
}
