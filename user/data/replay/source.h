/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * replay/source.h: a reader's source: the events of a perf.data.
 *
 *	perf_file ──▶ queue, by rounds ──▶ deferred stacks ──▶ decode, name tasks ──▶ event
 *	              (if ordered)         (if there are any)
 */
#ifndef PEAT_REPLAY_SOURCE_H
#define PEAT_REPLAY_SOURCE_H

#include "event/order.h"
#include "perf_data/read/merge_files.h"
#include "replay/deferral.h"
#include "replay/intake.h"

/* Offsets in the samples of an event; 0: they have no such field. */
struct sample_offsets {
	const struct perf_attr *attr; /* the event */
	uint32_t time, cpu;
};

struct replay {
	struct peat_reader reader;
	char *path;
	struct replay_intake in;
	bool is_ordered;

	struct order order;	       /* if is_ordered */
	struct sample_offsets offsets; /* of the last sample's event */
	struct deferral deferral;      /* if is_ordered */
	bool is_releasing;	  /* releasable records are returned first, until none is left */
	bool is_flushing;	  /* samples do not wait for deferred stacks */
	struct peat_event queued; /* for order__put(); most members never change */
	uint64_t last_ns;	  /* newest timestamp returned */
	uint64_t newest_ns;	  /* newest timestamp read */
	uint64_t round_newest_ns; /* newest timestamp read before the last round ended */
	bool has_streams;	  /* the files of a directory are merged */
	struct merge_files merge; /* if has_streams */
	struct perf_entry held; /* the first of another recording: the events before it are first */
	bool has_held;
	uint32_t entries_left; /* to read until this drain ends */
	bool at_end;
	int err; /* negative errno of a failed read */

	int epoll_fd, interrupt_fd, ready_fd;
	bool is_marked; /* ready_fd is readable */
};

/* The recording of a reader that peat_reader__open() made. */
struct perf_recording *replay__recording(struct peat_reader *reader);

#endif /* PEAT_REPLAY_SOURCE_H */
