// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* events.c: the perf events of a CPU: how they are asked for, and what a kernel may refuse. */
#include <string.h>
#include <time.h>
#include <unistd.h>
#include <linux/perf_event.h>

#include "sys/caps.h"
#include "ring/perf_events.h"
#include "base/internal.h"
#include "event/kinds.h"
#include "ring/ring.h"
#include "print/sample_fields.h"

/* Linux 6.0; the kernel headers of Debian 12 have it, those of 5.15 do not. */
#define READ_FORMAT_LOST (1ULL << 4)

/* A record has 65,528 bytes at most, and a ring is to hold several. */
#define STACK_USER_BYTES 8192

/* Without it: rings__renew() needs the time. */
#define READ_FORMAT PERF_FORMAT_TOTAL_TIME_ENABLED

void events__init(struct events *events, uint32_t outputs, bool has_ids, uint32_t side_kinds)
{
	*events = (struct events){
		.outputs = outputs,
		.side_kinds = side_kinds,
		.counts_lost = true,
	};
	events->output.read_format = events->side.read_format = READ_FORMAT | READ_FORMAT_LOST;
	events->output.sample_type = PEAT_SAMPLE_RAW;
	if (has_ids)
		events->output.sample_type |= PEAT_SAMPLE_TID | PEAT_SAMPLE_TIME;
	if (outputs > 1)
		events->output.sample_type |= PEAT_SAMPLE_IDENTIFIER;
	events->side.sample_type = PEAT_SAMPLE_TID | PEAT_SAMPLE_TIME | PEAT_SAMPLE_CPU;
	events->side.sample_id_all = true;
}

void events__sample(struct events *events, uint64_t what)
{
	events->output.sample_type |= what;
	if (what & PEAT_SAMPLE_REGS_USER)
		events->output.regs_user = sampled__regs;
}

/*
 * A LOST is about the ring, and has the trailer of whichever event wrote next: `output` has none,
 * and what follows is passed over.
 */
const struct peat_layout *events__layout(const struct events *events, uint32_t record_type)
{
	bool of_output = record_type == PEAT_RECORD_SAMPLE || record_type == PEAT_RECORD_LOST ||
			 record_type == PEAT_RECORD_LOST_SAMPLES || !events->side_kinds;

	return of_output && events->outputs ? &events->output : &events->side;
}

/* ---- opening --------------------------------------------------------------------------------- */

/*
 * The times are those of CLOCK_MONOTONIC, which is what bpf_ktime_get_ns() has.  Events that share
 * a ring have to have one clock.
 */
static struct perf_event_attr common_attr(const struct events *events,
					  const struct peat_layout *layout)
{
	return (struct perf_event_attr){
		.size = sizeof(struct perf_event_attr),
		.type = PERF_TYPE_SOFTWARE,
		.sample_type = layout->sample_type,
		.read_format = layout->read_format,
		.watermark = 1,
		.wakeup_watermark = events->watermark_bytes,
		.use_clockid = 1,
		.clockid = CLOCK_MONOTONIC,
	};
}

/*
 * One sample for each bpf_perf_event_output().  sample_period is of no effect, but 0 would be
 * counting mode.
 */
static int try_output(const struct events *events, uint32_t cpu)
{
	struct perf_event_attr attr = common_attr(events, &events->output);

	attr.config = PERF_COUNT_SW_BPF_OUTPUT;
	attr.sample_period = 1;
	attr.sample_regs_user = events->output.regs_user;
	if (events->output.sample_type & PEAT_SAMPLE_STACK_USER)
		attr.sample_stack_user = STACK_USER_BYTES;
	return ring__open_event(&attr, cpu);
}

static int try_side(const struct events *events, uint32_t kinds, uint32_t cpu)
{
	struct perf_event_attr attr = common_attr(events, &events->side);

	attr.config = PERF_COUNT_SW_DUMMY;
	attr.sample_id_all = 1;
	kinds__ask(kinds, &attr);
	return ring__open_event(&attr, cpu);
}

static void do_without_lost(struct events *events)
{
	events->counts_lost = false;
	events->output.read_format = events->side.read_format = READ_FORMAT;
}

static const char *remedy(int err)
{
	if (err == -EPERM || err == -EACCES)
		return caps__explain();
	if (err == -EMFILE)
		return "every CPU takes a file descriptor for each map, and one for names or "
		       "kinds: raise RLIMIT_NOFILE (ulimit -n)";
	return "does this kernel have CONFIG_PERF_EVENTS, and such a CPU?";
}

static int explain(int err, uint32_t cpu)
{
	if (err < 0 && err != -ENODEV)
		log__error("cannot open a perf event on CPU %u: %s: %s", cpu, strerror(-err),
			   remedy(err));
	return err;
}

/* Kernels without PERF_FORMAT_LOST say EINVAL; backports make their version numbers no guide. */
static int open_output(struct events *events, uint32_t cpu)
{
	int fd = try_output(events, cpu);

	if (fd == -EINVAL && events->counts_lost) {
		do_without_lost(events);
		fd = try_output(events, cpu);
	}
	return explain(fd, cpu);
}

/* Names the kinds that this kernel does not know.  How many. */
static uint32_t tell_unknown(const struct events *events, uint32_t cpu)
{
	uint32_t unknown = 0;

	for (uint32_t kind = 1; kind <= events->side_kinds; kind <<= 1) {
		int fd;

		if (!(events->side_kinds & kind))
			continue;
		fd = try_side(events, kind, cpu);
		if (fd >= 0)
			close(fd);
		if (fd != -EINVAL)
			continue;
		log__error("this kernel has no records of the kind %s", peat_kind__name(kind));
		unknown++;
	}
	return unknown;
}

static int open_side(struct events *events, uint32_t cpu)
{
	int fd = try_side(events, events->side_kinds, cpu);

	if (fd == -EINVAL && events->counts_lost && !events->outputs) {
		do_without_lost(events);
		fd = try_side(events, events->side_kinds, cpu);
	}
	if (fd == -EINVAL && tell_unknown(events, cpu))
		return fd;
	return explain(fd, cpu);
}

int events__open(struct events *events, uint32_t index, uint32_t cpu)
{
	return index < events->outputs ? open_output(events, cpu) : open_side(events, cpu);
}

uint32_t events__count(const struct events *events)
{
	return events->outputs + (events->side_kinds != 0);
}
