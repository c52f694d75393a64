// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* agent.c: peat agent: becomes peat-agent, a program of its own. */
#include "cli/base/beside.h"
#include "cli/cli.h"

int agent_main(int argc, char **argv)
{
	(void)argc;
	argv[0] = (char *)"peat-agent";
	beside__become("peat-agent", argv);
	return EXIT_FAILED;
}
