/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * replay_source.h: a perf.data as a reader's source of events, in place of rings.
 *
 *	perf_file ──▶ hold, by rounds ──▶ decode, follow names ──▶ struct peat_event
 *	               (if ordered)
 */
#ifndef REPLAY_SOURCE_H
#define REPLAY_SOURCE_H

#include "event/order.h"
#include "perf_data/read/merge_files.h"
#include "replay/intake.h"

struct replay {
	char *path;
	struct replay_intake in;
	bool is_ordered;

	/* Where it is. */
	struct order order;	     /* if is_ordered */
	bool lets_go;		     /* it may hand out what it has for that, until there is none */
	struct peat_event to_hold;   /* what is put there: most members are the same in all */
	uint64_t last_ns;	     /* of all that was handed out, the newest */
	uint64_t newest_ns;	     /* of all that was read */
	uint64_t newest_of_round_ns; /* of what was read before the last round ended */
	bool has_parts;		     /* those of a directory are read side by side */
	struct perf_turns turns;     /* if so */
	uint32_t left_of_round;	     /* entries */
	bool at_end;
	int err; /* what reading failed with */

	int epoll_fd, break_fd, ready_fd;
	bool is_marked; /* ready_fd is readable */
};

/* Of options that are good.  0 or a negative errno, which the log explains. */
int replay__open(struct replay **replay, const char *path, const struct peat_reader_opts *opts);
void replay__close(struct replay *replay); /* takes NULL */

/* As in reader.h. */
int replay__fd(const struct replay *replay);
int replay__wait(struct replay *replay, int timeout_ms);
void replay__break(const struct replay *replay);
int replay__next(struct replay *replay, const struct peat_event **event);
void replay__flush(struct replay *replay);
const struct peat_schema *replay__type(struct replay *replay, uint32_t i);
void replay__fill_stats(const struct replay *replay, struct peat_reader_stats *stats);

#endif /* REPLAY_SOURCE_H */
