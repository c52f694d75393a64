// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* output/output.c: the end of a batch. */
#include <peat/output.h>

void peat_output__settle(struct peat_output *output, struct peat_batch *batch, uint64_t refused,
			 const char *why)
{
	output->settled(output->arg, batch, refused, why);
}
