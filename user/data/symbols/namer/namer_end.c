// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* symbols/namer/namer_end.c: the time at which waits for files end. */
#include "base/monotonic.h"
#include "symbols/namer/namer_end.h"

#define MS_NS UINT64_C(1000000)

/* Nobody else can make files of root large, and their names are wanted most. */
#define ROOT_TIMES 20

void namer_end__init(struct namer_end *end)
{
	*end = (struct namer_end){ .root_ns = UINT64_MAX, .others_ns = UINT64_MAX };
}

void namer_end__set(struct namer_end *end, uint32_t ms)
{
	end->ms = (sig_atomic_t)(ms < INT32_MAX ? ms : INT32_MAX);
	end->requests = (sig_atomic_t)((uint32_t)end->requests + 1);
}

/* A request that arrives between the two reads is seen again by the next call. */
static void see_request(struct namer_end *end)
{
	const uint64_t now_ns = monotonic_ns();
	uint64_t ns;

	end->seen = end->requests;
	ns = (uint64_t)end->ms * MS_NS;
	end->others_ns = now_ns + ns;
	end->root_ns = now_ns + ROOT_TIMES * ns;
}

uint64_t namer_end__of(struct namer_end *end, bool is_of_root)
{
	if (end->seen != end->requests)
		see_request(end);
	return is_of_root ? end->root_ns : end->others_ns;
}
