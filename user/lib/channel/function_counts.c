// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* channel/function_counts.c: reads the counts of programs of functions. */
#include <errno.h>
#include <stdlib.h>
#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include "channel/channel.h"
#include "channel/function_counts.h"
#include "functions/plan.h"

/* A call may return on another CPU, and while the CPUs are read. */
static void add(struct peat_ledger *ledger, const struct plan_counts *counts, int cpus)
{
	uint64_t kept = 0, returned = 0;

	for (int cpu = 0; cpu < cpus; cpu++) {
		ledger->calls_full += counts[cpu].calls_full;
		ledger->no_call += counts[cpu].no_call;
		ledger->absent_fields += counts[cpu].failed_reads;
		kept += counts[cpu].kept;
		returned += counts[cpu].returned;
	}
	ledger->no_return += kept > returned ? kept - returned : 0;
}

static int add_map(const struct bpf_map *map, struct peat_ledger *ledger)
{
	int cpus = libbpf_num_possible_cpus(), err;
	const uint32_t first = 0;
	struct plan_counts *counts;

	if (cpus < 0)
		return cpus;
	counts = calloc((size_t)cpus, sizeof(*counts));
	if (!counts)
		return -ENOMEM;
	err = bpf_map_lookup_elem(bpf_map__fd(map), &first, counts) ? -errno : 0;
	if (!err)
		add(ledger, counts, cpus);
	free(counts);
	return err;
}

int function_counts__add(const struct peat_channel *channel, struct peat_ledger *ledger)
{
	int err = 0;

	for (size_t i = 0; !err && i < channel->bound_count; i++) {
		const struct bpf_object *object = channel->bound[i].object;
		const struct bpf_map *map;

		map = object ? bpf_object__find_map_by_name(object, "peat_plan_counts") : NULL;
		if (map && bpf_map__fd(map) >= 0)
			err = add_map(map, ledger);
	}
	return err;
}
