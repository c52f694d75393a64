/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * batch.h: events and measurements of one source, copied, for outputs (output.h) to send.
 * Link with libpeat-agent (agent.h).
 *
 *	struct peat_batch_opts opts = { .sz = sizeof(opts), .source = "exec" };
 *	struct peat_batch *batch = peat_batch__new(&opts);
 *
 *	while (peat_reader__next(reader, &event) > 0)
 *		if (peat_batch__add(batch, event) == -ENOSPC)
 *			...send it, and begin another...
 *
 * and in the output:
 *
 *	struct peat_batch_cursor at = PEAT_BATCH_START;
 *
 *	while (peat_batch__next(batch, &at, &event))
 *		use(&event);
 *
 * One thread fills a batch.  From then on it does not change, and any thread may read it, and hold
 * it by references of its own.
 */
#ifndef PEAT_BATCH_H
#define PEAT_BATCH_H

#include <peat/common.h>
#include <peat/reader.h>

PEAT_BEGIN_DECLS

struct peat_batch;

struct peat_batch_opts {
	size_t sz;	    /* sizeof(struct peat_batch_opts) */
	const char *source; /* the name of the source, which is copied */
	/* The most bytes of events; 0: 256 KiB.  A larger event is the only one of its batch. */
	uint64_t bytes;
	int64_t wall_clock_ns; /* as of peat_reader__wall_clock() */
	/*
	 * Called when the last reference is given back, by any thread: everything that the events
	 * lend, such as their schemas, has to live until then.  NULL: nothing to do.
	 */
	void (*release)(void *arg);
	void *arg;
};

/* Makes a batch, with one reference.  NULL and errno: EINVAL, ENOMEM. */
PEAT_API struct peat_batch *peat_batch__new(const struct peat_batch_opts *opts);

/* Adds a reference, for another holder.  Returns the batch. */
PEAT_API struct peat_batch *peat_batch__ref(struct peat_batch *batch);

/* Gives a reference back; the last one frees the batch.  Accepts NULL. */
PEAT_API void peat_batch__unref(struct peat_batch *batch);

PEAT_API const char *peat_batch__source(const struct peat_batch *batch);
PEAT_API int64_t peat_batch__wall_clock(const struct peat_batch *batch);

/* The number of its PEAT_EVENT_DATA and PEAT_EVENT_RECORD. */
PEAT_API uint64_t peat_batch__events(const struct peat_batch *batch);

/* The number of its points. */
PEAT_API uint64_t peat_batch__points(const struct peat_batch *batch);

/*
 * The numbers of a batch on its way from a source to an output.  A batch that is sent again, by the
 * same agent or by the next one, has the same.
 */
struct peat_origin {
	size_t sz;	 /* sizeof(struct peat_origin), set by the caller */
	uint64_t run;	 /* the agent that read the events: its start, ns since 1970 */
	uint64_t number; /* the batch's, from 1 in each run, source and output */
	uint64_t first;	 /* the first event's, likewise */
};

/* Memory that it occupies. */
PEAT_API uint64_t peat_batch__bytes(const struct peat_batch *batch);

/* ---- events ----------------------------------------------------------------------------------
 */

/*
 * Copies an event of any kind, with its bytes and its `comm`.  Its `schema`, `map` and `recorded`
 * are lent; its `record` is not kept.
 *
 *	0		done
 *	-ENOSPC		the batch is full: begin another
 *	-ENOMEM
 */
PEAT_API int peat_batch__add(struct peat_batch *batch, const struct peat_event *event);

/* The place of the next event or point of a batch. */
struct peat_batch_cursor {
	uint64_t at;
};

#define PEAT_BATCH_START                                                                           \
	{                                                                                          \
		0                                                                                  \
	}

/* Whether there is an event more.  It is stored in `event`, and valid as long as the batch. */
PEAT_API bool peat_batch__next(const struct peat_batch *batch, struct peat_batch_cursor *at,
			       struct peat_event *event);

/* ---- points ----------------------------------------------------------------------------------
 */

enum peat_point_kind {
	PEAT_POINT_COUNTER,  /* `count` since start_ns, which only grows */
	PEAT_POINT_GAUGE,    /* `value`, at time_ns */
	PEAT_POINT_HISTOGRAM /* `buckets` since start_ns, each of which only grows */
};

struct peat_label {
	const char *name, *value;
};

/* The numbers above the bucket before it, up to `upper` and with it. */
struct peat_bucket {
	double upper; /* INFINITY: the last one */
	uint64_t count;
};

/* A measurement.  Points of one name have the same kind, unit and names of labels. */
struct peat_point {
	size_t sz; /* sizeof(struct peat_point), set by the caller */
	enum peat_point_kind kind;
	uint32_t label_count, bucket_count;
	const char *name; /* words with dots: "peat.events.lost" */
	const char *unit; /* "ns", "By" (bytes), "{event}", or NULL */
	const char *doc;  /* its meaning, in a line; NULL: unknown */
	const struct peat_label *labels;
	uint64_t start_ns, time_ns; /* since 1970 */
	uint64_t count;		    /* COUNTER; HISTOGRAM: of all buckets */
	double value;		    /* GAUGE; HISTOGRAM: the sum of the numbers, NAN: unknown */
	const struct peat_bucket *buckets; /* HISTOGRAM: by `upper`; the last one is INFINITY */
};

/* Copies a point, whatever the batch's size.  0; -EINVAL; -ENOMEM. */
PEAT_API int peat_batch__add_point(struct peat_batch *batch, const struct peat_point *point);

/* Whether there is a point more.  It is stored in `point`, and valid as long as the batch. */
PEAT_API bool peat_batch__next_point(const struct peat_batch *batch, struct peat_batch_cursor *at,
				     struct peat_point *point);

PEAT_END_DECLS

#endif /* PEAT_BATCH_H */
