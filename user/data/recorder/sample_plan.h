/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * recorder/sample_plan.h: encodes the events of one type as samples, by a plan.  Pure.
 *
 * The bytes before the payload are copied from a template, and the few that differ are stored:
 *
 *	header  IDENTIFIER  [IP]  TID  TIME  CPU  RAW: size │ payload │ padding  [CGROUP]
 *
 * The payload is made in its place, from the event.  Samples with stacks are made by
 * recorder/stack_sample.c.
 */
#ifndef PEAT_RECORDER_SAMPLE_PLAN_H
#define PEAT_RECORDER_SAMPLE_PLAN_H

#include <peat/reader.h>

#include "base/strbuf.h"
#include "tracing_data/payload.h"

#define SAMPLE_PLAN_HEAD_MAX 56

struct sample_plan {
	unsigned char head[SAMPLE_PLAN_HEAD_MAX]; /* the template */
	uint32_t tid_at;			  /* offset of TID; TIME, CPU and RAW follow */
	uint32_t payload_at;
	uint32_t raw_most;		     /* the most bytes of a payload */
	const struct payload_format *format; /* NULL: the payload is the event's bytes */
	bool has_stack;			     /* a call chain is between CPU and RAW */
	bool has_memory;		     /* registers and stack memory follow RAW */
	bool has_cgroup;		     /* the cgroup is last */
};

/* Bytes from TID to the end of CPU. */
#define SAMPLE_PLAN_IDS_BYTES 24

/* The most bytes of a payload in a sample with a stack, which share the record. */
#define SAMPLE_PLAN_STACK_RAW_MOST 40000

/* A template for events of one CPU and one size. */
struct sample_row {
	struct sample_plan plan;
	uint32_t bytes;	      /* of a record; 0: each event has to be encoded by itself */
	uint32_t event_bytes; /* of an event */
	/* Typed events with one run of few words, as most have: else 0. */
	uint32_t words, from, to; /* offsets in the event and in the record */
};

/*
 * Makes the plan for samples with this id and layout, which has IDENTIFIER, TID, TIME, CPU and RAW,
 * possibly IP and CGROUP, and with IP possibly CALLCHAIN, REGS_USER and STACK_USER.  `format` has
 * to outlive the plan.  0; -ENOTSUP: another layout.
 */
int sample_plan__init(struct sample_plan *plan, const struct peat_layout *layout, uint64_t id,
		      const struct payload_format *format);

/*
 * Appends a sample of the event: its time, task, CPU and data.  1; 2: it was cut, see
 * payload__convert(); 0: no memory.  After 0, nothing was appended.
 */
int sample_plan__put(const struct sample_plan *plan, const struct peat_event *event,
		     struct strbuf *out);

/* The parts of a sample: all bytes before the call chain; the payload; type, misc and size. */
void sample_plan__put_head(const struct sample_plan *plan, const struct peat_event *event,
			   char *to);
/* Returns the size of the payload, with PAYLOAD_CUT.  `to` has room for plan->raw_most bytes. */
uint32_t sample_plan__put_payload(const struct sample_plan *plan, const struct peat_event *event,
				  char *to);
void sample_plan__put_size(uint16_t misc, uint16_t size, char *to);

/*
 * The bytes of RAW that its size states.  perf expects the next field right after these, so they
 * include the padding if there is one.
 */
uint32_t sample_plan__raw_bytes(const struct sample_plan *plan, uint32_t payload_bytes);

/* Prepares events of this event's type, CPU and size that follow each other. */
void sample_row__begin(struct sample_row *row, const struct sample_plan *plan,
		       const struct peat_event *event);

/*
 * Encodes such an event at `to`, which has room for row->bytes (not 0) and 8 more.  It runs for
 * each event of a flood.
 */
static inline void sample_row__put(const struct sample_row *row, const struct peat_event *event,
				   char *to)
{
	const struct sample_plan *plan = &row->plan;
	const uint32_t task[2] = { event->pid, event->tid };
	const char *data = event->data;
	char *payload = to + plan->payload_at;
	const uint64_t zero = 0;
	uint64_t word;

	memcpy(to + row->bytes - sizeof(zero), &zero, sizeof(zero)); /* the padding */
	memcpy(to, plan->head, sizeof(plan->head));
	memcpy(to + plan->tid_at, task, sizeof(task));
	memcpy(to + plan->tid_at + sizeof(task), &event->time_ns, sizeof(event->time_ns));
	if (row->words) {
		memcpy(payload + PAYLOAD_TID_AT, &event->tid, sizeof(event->tid));
		for (uint32_t i = 0; i < row->words; i++) {
			memcpy(&word, data + row->from + i * sizeof(word), sizeof(word));
			memcpy(to + row->to + i * sizeof(word), &word, sizeof(word));
		}
	} else if (plan->format) {
		payload__copy(plan->format, data, event->tid, payload);
	} else {
		memcpy(payload, data, row->event_bytes);
	}
}

#endif /* PEAT_RECORDER_SAMPLE_PLAN_H */
