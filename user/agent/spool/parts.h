/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * spool/parts.h: a spool, for the files of this room.
 *
 *	settled │ loaded: settled, under way, ready │ unread │ end of the last segment
 *	        ▲ settled.before                    ▲ spool->unread
 */
#ifndef PEAT_SPOOL_PARTS_H
#define PEAT_SPOOL_PARTS_H

#include <pthread.h>

#include "spool/piece_reader.h"
#include "spool/segments.h"
#include "spool/settled.h"
#include "spool/spool.h"

enum loaded_state { LOADED_READY, LOADED_UNDER_WAY, LOADED_SETTLED };

/* A piece whose batch is in memory. */
struct loaded {
	struct loaded *next;
	struct place place;
	struct peat_batch *batch; /* NULL: settled */
	struct flow *flow;
	uint64_t size; /* events and points */
	struct peat_origin origin;
	enum loaded_state state;
	bool is_former;	 /* of another run */
	bool is_decoded; /* the batch was read from disk */
};

/* A source of pieces, by its name. */
struct spool_source {
	char *name;
	struct flow *flow;
	uint64_t run, next; /* the number of its next event; 0: unknown */
};

struct spool {
	struct spool_opts opts; /* without the directory */
	struct segments segments;
	struct settled_files files;
	struct settled former; /* when the spool was opened */
	struct piece_reader reader;
	uint64_t reader_segment; /* the open one */
	int read_err;		 /* the last one, logged */
	struct place unread;
	uint64_t kept_from; /* segments before this one were dropped */
	uint64_t id;	    /* of the directory */
	struct loaded *first, **last;
	uint64_t ready_bytes; /* memory of the batches that are ready */
	uint32_t busy;	      /* loaded pieces that are under way or settled */
	struct spool_source *sources;
	size_t source_count;
	pthread_mutex_t lock; /* guards `counts` */
	struct spool_counts counts;
	struct spool_counts own; /* of the thread of the spool */
};

/* Whether all pieces on disk are loaded or settled.  Moves `unread` to a segment that exists. */
bool spool__is_read(struct spool *spool);

/* Loads the next piece.  1; 0: there is none; or a negative errno: try later. */
int spool__load(struct spool *spool);

/* Adds a loaded piece, which takes a reference of its batch.  0 or -ENOMEM. */
int spool__add_loaded(struct spool *spool, const struct loaded *piece);

/* Removes the piece at `link`. */
void spool__free_loaded(struct spool *spool, struct loaded **link);

/* Finds or makes a source.  NULL: no memory. */
struct spool_source *spool__source(struct spool *spool, const char *name, struct flow *flow);

/* Writes which pieces are settled, and the ends of all. */
void spool__write_settled(struct spool *spool);

/* Moves a piece of the spool to the dropped ones. */
void spool__count_dropped(const struct loaded *piece);

/* ---- ends.c ---------------------------------------------------------------------------------- */

/* The source of the flow goes on with the counts of the spool's file, and those of the state. */
void ends__continue(const struct spool *spool, const struct spool_source *source);

/* Adds the sources that have counts. */
void ends__fill(const struct spool *spool, struct settled *settled);

/* Notes that the pieces of a source reach so far. */
void spool__note_number(struct spool *spool, struct spool_source *source,
			const struct piece_info *info);

/* Drops the pieces of the first segment that are not under way, and removes it.  0 or an error. */
int spool__drop_first(struct spool *spool);

#endif /* PEAT_SPOOL_PARTS_H */
