// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* live/returned_time.c: the earlier of two times: that of the slots, and that of the rings. */
#include "base/monotonic.h"
#include "live/returned_time.h"

/* A leaked slot is reclaimed after a second and a grace period: see live/inputs.c. */
#define SLOT_TIMEOUT_NS 3000000000ull

/*
 * A slot's lock taken by a plain store is visible only when the CPU has written its store buffer:
 * some ten nanoseconds later, or more if the host preempts a virtual CPU.
 */
#define STORE_NS 100000

int returned_time__open(struct returned_time *returned, const struct intake *in,
			uint64_t in_flight_ns, uint64_t begin_ns)
{
	const struct inputs *inputs = in->inputs;

	*returned = (struct returned_time){
		.inputs = inputs,
		.has_records = !in->has_frames || in->from.side_band,
		.in_flight_ns = in_flight_ns,
		.slots = { .cpus = inputs->drain.cpus,
			   .timeout_ns = SLOT_TIMEOUT_NS,
			   .unseen_ns = inputs->stage.collector ? STORE_NS : 0 },
	};
	return inputs->stage.slots ? safe_time__init(&returned->slots, &inputs->stage, begin_ns)
				   : 0;
}

void returned_time__close(struct returned_time *returned)
{
	safe_time__free(&returned->slots);
	*returned = (struct returned_time){ 0 };
}

/*
 * The kernel reads a record's time with preemption off.  The record becomes visible when the writer
 * that it interrupted has written its own.  A quarter of the latency is longer than that, unless a
 * hypervisor preempts the CPU.
 */
static uint64_t time_of_records(const struct returned_time *returned)
{
	uint64_t drained_ns = returned->inputs->drain.drained_ns;

	return drained_ns > returned->in_flight_ns ? drained_ns - returned->in_flight_ns : 0;
}

uint64_t returned_time__find(struct returned_time *returned)
{
	uint64_t until_ns = returned->has_records ? time_of_records(returned) : UINT64_MAX, safe_ns;

	if (!returned->inputs->stage.slots)
		return until_ns;
	safe_ns = safe_time__find(&returned->slots, monotonic_ns());
	return safe_ns < until_ns ? safe_ns : until_ns;
}
