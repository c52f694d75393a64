/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * event/from_record.h: decoded records of the kernel become events, live or recorded: samples,
 * LOST, and the kernel's own records; with the name of the task that ran.
 */
#ifndef PEAT_EVENT_FROM_RECORD_H
#define PEAT_EVENT_FROM_RECORD_H

#include <peat/frame.h>
#include <peat/reader.h>

#include "event/task_names.h"

/* Room for the data of any event: the size of a record has 16 bits. */
#define FROM_RECORD_BYTES 65536

struct from_record {
	uint32_t side_band;  /* PEAT_SIDE_BAND_*, or-ed: the records that become events */
	struct tasks *tasks; /* NULL: names are not followed */
	bool has_other_pids; /* `tasks` has not the pids of programs' events: a pid namespace */
	void *data;	     /* of the event made last: FROM_RECORD_BYTES, or NULL */
	char idle_comm[24];  /* the kernel's name of an idle task: "swapper/" and the CPU */
};

/* Allocates `data`.  0 or -ENOMEM; from_record__free() takes zeroes, too. */
int from_record__init(struct from_record *from);
void from_record__free(struct from_record *from);

/* perf writes all ones for an unknown time. */
static inline uint64_t from_record__known_ns(uint64_t time_ns)
{
	return time_ns == UINT64_MAX ? 0 : time_ns;
}

/* Returns the sampled time; 0: none, or unknown. */
static inline uint64_t from_record__time_ns(const struct peat_record *record)
{
	return record->has & PEAT_SAMPLE_TIME ? from_record__known_ns(record->time_ns) : 0;
}

/* True for a LOST_SAMPLES whose samples the user filtered: they are not lost. */
static inline bool from_record__is_filtered(const struct peat_record *record)
{
	return record->type == PEAT_RECORD_LOST_SAMPLES &&
	       record->misc & PEAT_MISC_LOST_SAMPLES_BPF;
}

/* Makes an event with the record's CPU, time and task, if they are known, and no data. */
void from_record__begin(struct peat_event *event, const struct peat_record *record);

/* Makes the event a sample: its data is a copy of the payload, 8-byte aligned. */
void from_record__sample(const struct from_record *from, struct peat_event *event,
			 const struct peat_sample *sample);

/*
 * Makes the event of a record that is no sample: PEAT_EVENT_LOST, or with data and schema.  False:
 * its kind is not in `side_band`, or it counts filtered samples.
 */
bool from_record__fill(const struct from_record *from, struct peat_event *event);

/* Adds the losses that a record reports to the counts. */
void from_record__count_lost(const struct peat_record *record, struct peat_reader_stats *stats);

/* Sets the name that the event's task had at time_ns; UINT64_MAX: now. */
void from_record__name_task(struct from_record *from, struct peat_event *event, uint64_t time_ns);

/*
 * Sets the name of a program's event if `tasks` does not have it: the name that the program sent,
 * or none.  False: `tasks` may have it.
 */
bool from_record__name_sent(struct from_record *from, struct peat_event *event,
			    const struct peat_frame_event *framed);

#endif /* PEAT_EVENT_FROM_RECORD_H */
