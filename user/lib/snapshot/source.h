/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* snapshot/source.h: the source that has the events of a flight recorder at one moment. */
#ifndef PEAT_SNAPSHOT_SOURCE_H
#define PEAT_SNAPSHOT_SOURCE_H

#include "base/time_heap.h"
#include "event/from_record.h"
#include "event/source.h"
#include "live/flight_rings.h"
#include "snapshot/frames.h"
#include "snapshot/samples.h"

struct live_source;

/* A slot of a channel; in raw mode, a CPU. */
struct snapshot_stream {
	uint32_t cpu;
	struct frames frames;
	struct samples samples;
	const struct backward_copy *copy; /* that the samples lie in */
};

/* Losses since the snapshot before. */
struct snapshot_loss {
	uint64_t lost;
	uint32_t cpu;
	enum peat_lost_cause cause;
};

struct snapshot_source {
	struct peat_reader reader;
	struct flight_copy copy;
	struct snapshot_stream *streams;
	uint32_t stream_count;
	struct time_heap heap; /* streams that have a next event */
	struct peat_snapshot_info info;
	uint64_t records, corrupt;
	uint64_t skipped; /* runs of programs since the snapshot before */
	bool skipped_is_known;
	uint64_t last_ns; /* of the event returned last */

	struct tasks *tasks; /* NULL: names were not followed */
	struct from_record from;

	/* Events of a channel. */
	struct peat_channel *channel;
	struct peat_ledger *ledgers; /* by CPU; without the reader's own counts */
	uint64_t *returned;	     /* by CPU */
	uint32_t cpus;
	const struct peat_schema *last_schema; /* of events of last_type; NULL: unknown */
	uint32_t last_type;
	struct snapshot_loss *losses;
	uint32_t loss_count, loss_at;

	/* Raw events, by map. */
	struct peat_record record; /* the present one */
	struct peat_layout layout;
	const struct peat_schema *schemas[INPUTS_MAPS];
	const char *map_names[INPUTS_MAPS];
	const struct btf *map_btfs[INPUTS_MAPS];
	char kernel_names[INPUTS_MAPS][16];
	uint32_t maps;

	int ready_fd, interrupt_fd; /* ready_fd is always readable */
	bool has_ended;
};

extern const struct source_ops snapshot_source__ops;

/* Moves the stream to its next event, and sets its time.  False: there is none. */
bool snapshot_source__advance(struct snapshot_stream *stream, uint64_t *time_ns);

#endif /* PEAT_SNAPSHOT_SOURCE_H */
