// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* ring/perf_events.c: opening the perf events of a CPU, with fallbacks for older kernels. */
#include <errno.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include <linux/perf_event.h>

#include "sys/caps.h"
#include "sys/file_room.h"
#include "ring/perf_events.h"
#include "base/log.h"
#include "event/side_band.h"
#include "sys/event_fd.h"
#include "ring/ring.h"
#include "ring/samplers.h"
#include "record/sample_regs.h"

/* PERF_FORMAT_LOST, Linux 6.0; the kernel headers of Debian 12 have it, those of 5.15 do not. */
#define READ_FORMAT_LOST (1ULL << 4)

/* A record has at most 65,528 bytes, and several have to fit into a ring. */
#define STACK_USER_BYTES 8192

/* rings__reopen() needs the time. */
#define READ_FORMAT PERF_FORMAT_TOTAL_TIME_ENABLED

void perf_events__init(struct perf_events *events, uint32_t outputs, bool has_ids,
		       uint32_t side_kinds)
{
	*events = (struct perf_events){
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

void perf_events__init_samplers(struct perf_events *events, const struct samplers *samplers,
				uint32_t side_kinds)
{
	perf_events__init(events, samplers__outputs(samplers), true, side_kinds);
	events->samplers = samplers;
	events->output.sample_type = events->side.sample_type = SAMPLERS_IDS;
	events->output.sample_id_all = true;
}

void perf_events__add_sample_fields(struct perf_events *events, uint64_t what)
{
	events->output.sample_type |= what;
	if (what & PEAT_SAMPLE_REGS_USER)
		events->output.regs_user = SAMPLE_REGS_USER;
}

void perf_events__add_stacks(struct perf_events *events, const struct peat_stack_request *stacks,
			     uint32_t first)
{
	events->stacks = *stacks;
	events->first_stacked = first;
	events->stacked = events->output;
	stack_opts__set_layout(stacks, first ? &events->stacked : &events->output);
}

const struct peat_layout *perf_events__output_layout(const struct perf_events *events,
						     uint32_t index)
{
	bool is_stacked = events->first_stacked && index >= events->first_stacked;

	return is_stacked ? &events->stacked : &events->output;
}

/*
 * A LOST record is about the whole ring and has the trailer of the event that wrote next.  Decoded
 * as `output`, which has no trailer, the trailer is ignored.
 */
const struct peat_layout *perf_events__layout(const struct perf_events *events,
					      uint32_t record_type)
{
	bool of_output = record_type == PEAT_RECORD_SAMPLE || record_type == PEAT_RECORD_LOST ||
			 record_type == PEAT_RECORD_LOST_SAMPLES || !events->side_kinds;

	return of_output && events->outputs ? &events->output : &events->side;
}

/* ---- opening --------------------------------------------------------------------------------- */

/*
 * Timestamps are CLOCK_MONOTONIC, as those of bpf_ktime_get_ns() are.  Events that share a ring
 * need the same clock.
 */
static struct perf_event_attr common_attr(const struct perf_events *events,
					  const struct peat_layout *layout)
{
	return (struct perf_event_attr){
		.size = sizeof(struct perf_event_attr),
		.type = PERF_TYPE_SOFTWARE,
		.sample_type = layout->sample_type,
		.read_format = layout->read_format,
		.watermark = 1,
		.wakeup_watermark = events->watermark_bytes,
		.write_backward = events->overwrites,
		.use_clockid = 1,
		.clockid = CLOCK_MONOTONIC,
	};
}

/*
 * Each bpf_perf_event_output() writes one sample.  sample_period has no effect, but 0 would mean
 * counting mode.
 */
static struct perf_event_attr output_attr(const struct perf_events *events, uint32_t index)
{
	struct perf_event_attr attr =
		common_attr(events, perf_events__output_layout(events, index));

	attr.config = PERF_COUNT_SW_BPF_OUTPUT;
	attr.sample_period = 1;
	attr.sample_regs_user = events->output.regs_user;
	if (events->output.sample_type & PEAT_SAMPLE_STACK_USER)
		attr.sample_stack_user = STACK_USER_BYTES;
	if (index >= events->first_stacked)
		stack_opts__set_attr(&events->stacks, &attr);
	return attr;
}

static int try_output(const struct perf_events *events, uint32_t index, uint32_t cpu)
{
	struct perf_event_attr attr = output_attr(events, index);

	return event_fd__open(&attr, cpu);
}

/*
 * attr.build_id is not set: beside an event that has it, the kernel also sets
 * PERF_RECORD_MISC_MMAP_BUILD_ID in MMAP2 records of other events, which have no build id, and
 * stock perf crashes (perf_event_mmap_output() of Linux 5.12 to 6.18 does not restore the bit).
 */
static struct perf_event_attr side_attr(const struct perf_events *events, uint32_t kinds)
{
	struct perf_event_attr attr = common_attr(events, &events->side);

	attr.config = PERF_COUNT_SW_DUMMY;
	attr.sample_id_all = 1;
	attr.mmap_data = events->data_maps && kinds & PEAT_SIDE_BAND_MMAP;
	side_band__request(kinds, &attr);
	return attr;
}

static int try_side(const struct perf_events *events, uint32_t kinds, uint32_t cpu)
{
	struct perf_event_attr attr = side_attr(events, kinds);

	return event_fd__open(&attr, cpu);
}

static void do_without_lost(struct perf_events *events)
{
	events->counts_lost = false;
	events->output.read_format = events->side.read_format = READ_FORMAT;
	events->stacked.read_format = READ_FORMAT;
}

static const char *perf_event_remedy(int err)
{
	if (err == -EPERM || err == -EACCES)
		return caps__explain();
	if (err == -EMFILE)
		return "each CPU needs a file descriptor per map, and one for task names or "
		       "kinds: " FILE_ROOM_REMEDY;
	return "check that the CPU exists and that the kernel has CONFIG_PERF_EVENTS";
}

static int log_perf_event_error(int err, uint32_t cpu)
{
	if (err < 0 && err != -ENODEV)
		log__error("cannot open a perf event on CPU %u: %s: %s", cpu, strerror(-err),
			   perf_event_remedy(err));
	return err;
}

/* Kernels without PERF_FORMAT_LOST return EINVAL; because of backports versions are no guide. */
static int open_output_event(struct perf_events *events, uint32_t index, uint32_t cpu)
{
	int fd = try_output(events, index, cpu);

	if (fd == -EINVAL && events->counts_lost) {
		do_without_lost(events);
		fd = try_output(events, index, cpu);
	}
	return log_perf_event_error(fd, cpu);
}

/* Logs each kind that this kernel does not support, and returns their number. */
static uint32_t log_unsupported_kinds(const struct perf_events *events, uint32_t cpu)
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
		log__error("this kernel has no records of kind %s", peat_side_band__name(kind));
		unknown++;
	}
	return unknown;
}

static int open_side_event(struct perf_events *events, uint32_t cpu)
{
	int fd = try_side(events, events->side_kinds, cpu);

	if (fd == -EINVAL && events->counts_lost && !events->outputs) {
		do_without_lost(events);
		fd = try_side(events, events->side_kinds, cpu);
	}
	if (fd == -EINVAL && log_unsupported_kinds(events, cpu))
		return fd;
	return log_perf_event_error(fd, cpu);
}

/* exclude_kernel: an event without samples does not need the permission to sample the kernel. */
static int try_sampler(const struct perf_events *events, uint32_t index, uint32_t cpu,
		       const int *fds)
{
	struct perf_event_attr common = side_attr(events, events->side_kinds);

	common.exclude_kernel = 1;
	return samplers__open(events->samplers, index, cpu, &common, fds);
}

static int open_sampler(struct perf_events *events, uint32_t index, uint32_t cpu, const int *fds)
{
	int fd = try_sampler(events, index, cpu, fds);

	if (fd == -EINVAL && events->counts_lost) {
		do_without_lost(events);
		fd = try_sampler(events, index, cpu, fds);
	}
	if (fd >= 0 || fd == -ENODEV || fd == SAMPLERS_NO_EVENT)
		return fd;
	return index < events->outputs
		       ? samplers__log_error(samplers__of(events->samplers, index), fd)
		       : log_perf_event_error(fd, cpu);
}

int perf_events__open(struct perf_events *events, uint32_t index, uint32_t cpu, const int *fds)
{
	if (events->samplers)
		return open_sampler(events, index, cpu, fds);
	return index < events->outputs ? open_output_event(events, index, cpu)
				       : open_side_event(events, cpu);
}

/*
 * The watermark of a ring is that of the event that was mapped.  But wakeup_events is counted by
 * the event that writes, and wakes the pollers of all events of the ring (perf_output_sample(),
 * ring_buffer_wakeup(), Linux 5.12 to 7.2).
 */
int perf_events__open_bell(const struct perf_events *events, uint32_t cpu)
{
	struct perf_event_attr attr = output_attr(events, 0);

	attr.watermark = 0;
	attr.wakeup_events = 1;
	return event_fd__open(&attr, cpu);
}

uint32_t perf_events__count(const struct perf_events *events)
{
	if (events->samplers)
		return events->outputs + samplers__sides(events->samplers);
	return events->outputs + (events->side_kinds != 0);
}
