// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* event/from_record.c: records of the kernel become events. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "event/from_record.h"
#include "event/side_band.h"

int from_record__init(struct from_record *from)
{
	from->data = malloc(FROM_RECORD_BYTES);
	return from->data ? 0 : -ENOMEM;
}

void from_record__free(struct from_record *from)
{
	free(from->data);
	from->data = NULL;
}

/*
 * Some records have a time in their body.  It is reported if none was sampled, but does not count
 * for the order: the records around this one have no time, and are in the order in which they were
 * written.
 */
static uint64_t stated_time_ns(const struct peat_record *record)
{
	if (record->has & PEAT_SAMPLE_TIME)
		return record->time_ns;
	switch (record->type) {
	case PEAT_RECORD_FORK:
	case PEAT_RECORD_EXIT:
		return record->task.time_ns;
	case PEAT_RECORD_THROTTLE:
	case PEAT_RECORD_UNTHROTTLE:
		return record->throttle.time_ns;
	default:
		return 0;
	}
}

/* Names all members: compilers clear the others by an instruction that takes longer. */
void from_record__begin(struct peat_event *event, const struct peat_record *record)
{
	bool has_task = record->has & PEAT_SAMPLE_TID;

	*event = (struct peat_event){
		.kind = PEAT_EVENT_RECORD,
		.cpu = record->has & PEAT_SAMPLE_CPU ? record->cpu : PEAT_NO_CPU,
		.time_ns = from_record__known_ns(stated_time_ns(record)),
		.pid = has_task ? record->pid : PEAT_NO_TASK,
		.tid = has_task ? record->tid : PEAT_NO_TASK,
		.type = 0,
		.size = 0,
		.data = NULL,
		.lost = 0,
		.record = record,
		.schema = NULL,
		.comm = NULL,
		.map = NULL,
		.late = false,
		.recorded = NULL,
	};
}

/* A payload lies at 4 mod 8; programs read 64-bit fields from it. */
void from_record__sample(const struct from_record *from, struct peat_event *event,
			 const struct peat_sample *sample)
{
	event->kind = PEAT_EVENT_DATA;
	event->data = from->data;
	event->size = sample->raw ? sample->raw_bytes : 0;
	if (event->size)
		memcpy(from->data, sample->raw, event->size);
}

static bool fill_lost(struct peat_event *event, uint64_t lost)
{
	event->kind = PEAT_EVENT_LOST;
	event->lost = lost;
	return true;
}

bool from_record__fill(const struct from_record *from, struct peat_event *event)
{
	const struct peat_record *record = event->record;

	if (record->type == PEAT_RECORD_LOST)
		event->cause = PEAT_LOST_RING_FULL;
	if (record->type == PEAT_RECORD_LOST)
		return fill_lost(event, record->lost.lost);
	if (record->type == PEAT_RECORD_LOST_SAMPLES)
		return !from_record__is_filtered(record) &&
		       fill_lost(event, record->lost_samples.lost);
	if (!(from->side_band & side_band__of(record->type)))
		return false;
	event->data = from->data;
	event->schema = side_band__fill(record, from->data, FROM_RECORD_BYTES, &event->size);
	return true;
}

void from_record__count_lost(const struct peat_record *record, struct peat_reader_stats *stats)
{
	if (record->type == PEAT_RECORD_LOST)
		stats->lost_records += record->lost.lost;
	else if (record->type == PEAT_RECORD_LOST_SAMPLES && !from_record__is_filtered(record))
		stats->lost_samples += record->lost_samples.lost;
}

static const char *idle_comm(struct from_record *from, uint32_t cpu)
{
	if (cpu == PEAT_NO_CPU)
		return "swapper";
	snprintf(from->idle_comm, sizeof(from->idle_comm), "swapper/%u", cpu);
	return from->idle_comm;
}

/* In a pid namespace, the kernel's records have the id 0 for all tasks outside. */
void from_record__name_task(struct from_record *from, struct peat_event *event, uint64_t time_ns)
{
	if (event->tid)
		event->comm = tasks__name(from->tasks, event->tid, time_ns);
	else
		event->comm = from->has_other_pids ? NULL : idle_comm(from, event->cpu);
}

bool from_record__name_sent(struct from_record *from, struct peat_event *event,
			    const struct peat_frame_event *framed)
{
	if (!framed->comm && !from->has_other_pids)
		return false;
	event->comm = framed->comm;
	if (!event->comm && framed->has_ids && !framed->tid)
		event->comm = idle_comm(from, event->cpu);
	return true;
}
