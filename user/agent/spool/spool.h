/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * spool/spool.h: the batches of an output on disk, from the queue to the acknowledgement.
 *
 * One thread calls these functions, but for spool__read_counts().
 */
#ifndef PEAT_SPOOL_SPOOL_H
#define PEAT_SPOOL_SPOOL_H

#include "piece/piece.h"
#include "queue/flow.h"

enum spool_full {
	SPOOL_BLOCK,	  /* no piece is taken until others are settled */
	SPOOL_DROP_OLDEST /* a segment at a time */
};

enum spool_sync {
	SPOOL_SYNC_NEVER,  /* the kernel chooses when bytes reach the disk */
	SPOOL_SYNC_ROTATE, /* a segment that is complete is on the disk */
	SPOOL_SYNC_BATCH   /* each piece that was put is, and each one that was settled */
};

struct spool_limits {
	uint64_t most_bytes;	/* of all segments */
	uint64_t segment_bytes; /* a larger piece is alone in its segment */
	uint64_t memory_bytes;	/* of batches that need not be read from disk */
	enum spool_full full;
	enum spool_sync sync;
};

struct spool_opts {
	const char *directory;
	struct spool_limits limits;
	uint64_t run; /* of this process: pieces of other runs are not in its flows yet */
	/* piece__measure() and piece__decode(), or those of a test. */
	ssize_t (*measure)(const void *bytes, size_t count, struct piece_info *info);
	struct peat_batch *(*decode)(const void *bytes, size_t count, uint64_t most,
				     struct piece_info *info);
	/*
	 * The flow of a source whose pieces are found on disk.  NULL: no memory, try later; or
	 * there is none yet, and it is not made unless `makes`.
	 */
	struct flow *(*find_flow)(void *arg, const char *source, bool makes);
	void *arg;
};

struct spool_counts {
	uint64_t bytes, most_bytes, segments;
	uint64_t damaged_bytes; /* that were no whole piece, torn or damaged */
	uint64_t lost;		/* events and points of these, as far as numbers show them */
	uint64_t errors;	/* failed writes, reads and removals */
	bool is_empty;		/* all pieces are settled */
};

struct spool;

/* NULL and errno, with the reason in the log.  The options are copied. */
struct spool *spool__open(const struct spool_opts *opts);

/* From now on. */
void spool__set_limits(struct spool *spool, const struct spool_limits *limits);

/* The name of a policy; false: there is none of this name. */
bool spool__parse_full(const char *name, enum spool_full *full);
bool spool__parse_sync(const char *name, enum spool_sync *sync);

/* A batch as a piece.  It is of the run of the options. */
struct spool_piece {
	struct peat_batch *batch;
	struct flow *flow; /* outlives the spool */
	struct peat_origin origin;
	const void *bytes;
	size_t count;
};

/*
 * Writes a piece, and takes a reference of its batch if that stays in memory.  Adds to the flow's
 * `spooled`.
 *
 *	0		written, and on the disk by SPOOL_SYNC_BATCH
 *	-EAGAIN		full, by SPOOL_BLOCK
 *	-E2BIG		larger than the spool
 *	a negative errno	not written: try again later
 */
int spool__put(struct spool *spool, const struct spool_piece *piece);

/*
 * The oldest batch that is not under way, lent; it is under way from now on.  NULL: none, or none
 * can be read now.
 */
struct peat_batch *spool__next(struct spool *spool);

/* The origin of a batch that is under way, as its piece has it.  False: no such batch is. */
bool spool__origin(struct spool *spool, const struct peat_batch *batch, struct peat_origin *origin);

/* A batch with these numbers goes to the output without a piece: its events are not missing. */
void spool__skip_numbers(struct spool *spool, const struct peat_batch *batch,
			 const struct peat_origin *origin, struct flow *flow);

/* These are not under way any longer, and are the next ones again, in their order. */
void spool__put_back(struct spool *spool, const struct peat_batch *batch);
void spool__put_all_back(struct spool *spool);

/*
 * Frees the batches that are ready, in memory since they were put, and on disk: during an outage
 * they cost memory, and keep the source of their events.
 */
void spool__forget(struct spool *spool);

/* Frees a batch that is done, and adds to its flow.  False: no such batch is under way. */
bool spool__settle(struct spool *spool, const struct peat_batch *batch, uint64_t refused);

/* Any thread. */
void spool__read_counts(struct spool *spool, struct spool_counts *counts);

/* Everything that is not settled stays on disk.  Accepts NULL. */
void spool__close(struct spool *spool);

#endif /* PEAT_SPOOL_SPOOL_H */
