/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* replay_intake.h: one record of a recording becomes one event, or none. */
#ifndef REPLAY_INTAKE_H
#define REPLAY_INTAKE_H

#include "sys/cpus.h"
#include "replay/recorded.h"
#include "replay/header.h"
#include "event/task_names.h"

struct replay_intake {
	struct perf_recording rec;
	struct replay_events events;
	struct replay_header header;
	struct peat_recorded recorded;

	uint32_t kinds;	     /* the records that are wanted as events */
	struct cpus cpus;    /* whose events are, if some_cpus */
	struct tasks *tasks; /* NULL: names are not followed */
	bool some_cpus;

	struct peat_event event;
	struct peat_record record;
	struct tool_record tool;
	char idle_comm[24];
	uint64_t payload[65536 / 8]; /* a record is shorter */
	struct peat_reader_stats stats;
};

/* Of a recording that is open: takes what its header says.  0, or what the log explains. */
int replay_intake__open(struct replay_intake *in, const struct peat_reader_opts *opts);
void replay_intake__close(struct replay_intake *in); /* the recording as well */

/*
 * Decodes a record of the kernel's: 1, and in->record is set; 0: it makes no sense, or is of no
 * event that is known, and counts as such.
 */
int replay_intake__decode(struct replay_intake *in, const struct perf_attr *attr,
			  const struct peat_layout *layout, const void *bytes, uint32_t size);

/*
 * When the record that was decoded happened, as far as that was sampled; 0: only where it stands
 * says so.
 */
uint64_t replay_intake__sampled_ns(const struct replay_intake *in);

/* The record that was decoded.  1: in->event is one; 0: it is none, or not wanted; a
 * negative errno: -ENOMEM, or that of replay_intake__settle(). */
int replay_intake__take(struct replay_intake *in, const struct perf_attr *attr);

/*
 * Once the events are there, with the first sample of a pipe at the latest, and at its end: what
 * somebody says of them has to be true.  0 or a negative errno, which the log explains.
 */
int replay_intake__settle(struct replay_intake *in);

/* A record of perf itself: what it says of the events is learned.  Likewise. */
int replay_intake__take_tool(struct replay_intake *in, const struct perf_entry *entry);

#endif /* REPLAY_INTAKE_H */
