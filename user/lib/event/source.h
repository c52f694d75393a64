/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * event/source.h: the source interface: where the events of a reader come from.
 *
 * A source is a struct that begins with struct peat_reader and fills in its operations:
 *
 *	reader/reader.c ──▶ struct source_ops ──▶ live/input.h     rings and stage, of each input
 *	                                      ──▶ replay/source.c  a recording
 *
 * Its file also has its constructor, a public function such as peat_reader__new(), and the checks
 * of its options.
 */
#ifndef PEAT_EVENT_SOURCE_H
#define PEAT_EVENT_SOURCE_H

#include <pthread.h>

#include <peat/reader.h>

#include "base/fork_mark.h"
#include "event/frame_row.h"
#include "record/attr.h"

struct btf;
struct perf_event_header;
struct peat_table;
struct peat_where;

/* An event that the kernel samples, as it was opened. */
struct sampled_type {
	struct perf_attr attr; /* without name and ids */
	/* The system of a tracepoint and the text of its format; NULL for other events. */
	const char *system, *format;
	size_t format_bytes;
};

/* A type of events that a source may return. */
struct reader_type {
	uint32_t type;			    /* peat_event.type */
	const struct peat_schema *schema;   /* NULL: the events are bytes */
	const char *name;		    /* never NULL */
	const char *map;		    /* of its events; NULL: of a channel or a recording */
	const struct sampled_type *sampled; /* NULL: the kernel does not sample the events */
	uint32_t stacks;		    /* PEAT_STACK_*: those that programs take with events */
	uint32_t stack_memory;		    /* the most bytes of user stack; 0: none */
	bool has_identity;		    /* events have peat_event.identity */
};

/*
 * The operations of a source.  Each does what the function of that name in reader.h does
 * (`interrupt` is peat_reader__break()) and returns a negative errno on failure; the caller sets
 * errno.
 */
struct source_ops {
	void (*free)(struct peat_reader *reader);
	int (*fd)(const struct peat_reader *reader);
	int (*wait)(struct peat_reader *reader, int timeout_ms);
	void (*interrupt)(const struct peat_reader *reader); /* async-signal-safe */
	int (*next)(struct peat_reader *reader);	     /* 1: the next one is reader->event */
	void (*flush)(struct peat_reader *reader);
	/* Adds the numbers that cost no system call to reader->stats; see source__publish() too. */
	void (*count)(const struct peat_reader *reader, struct peat_reader_stats *stats);

	/* The i-th type; false: there are no more.  Lent as long as the reader, the name until the
	 * next call. */
	bool (*type)(struct peat_reader *reader, uint32_t i, struct reader_type *type);

	/* Sets reader->event.comm and reader->named, for the next event of a row. */
	void (*name)(struct peat_reader *reader); /* if reader->named is used */
	/* Sets reader->event.identity. */
	void (*identify)(struct peat_reader *reader); /* if reader->has_identities */

	/* Optional: NULL is as in the comment. */
	/*
	 * The events that are returned from now on are not older than this; 0: unknown; UINT64_MAX:
	 * they are in the order of time.  It passes an event's time only if it is asked for now and
	 * then.  `is_urgent`: much waits for it.
	 */
	uint64_t (*safe_time)(struct peat_reader *reader, bool is_urgent); /* UINT64_MAX */
	void (*pause)(struct peat_reader *reader); /* nothing writes: there is nothing to do */
	int (*wall_clock)(const struct peat_reader *reader,
			  int64_t *offset_ns);					/* this machine's */
	const struct btf *(*btf)(const struct peat_reader *reader, uint32_t i); /* no BTF */
	const struct peat_schema *(*recorded_type)(struct peat_reader *reader,
						   uint32_t i); /* none */
	int (*set_schema)(struct peat_reader *reader, uint32_t map,
			  const struct peat_schema *schema); /* -EINVAL */
	int (*set_map_name)(struct peat_reader *reader, uint32_t map,
			    const char *name); /* -EINVAL */
	int (*set_map_btf)(struct peat_reader *reader, uint32_t map,
			   const struct btf *btf); /* -EINVAL */
	int (*map_lost)(const struct peat_reader *reader, uint32_t map,
			uint64_t *lost); /* -EINVAL */
	int (*ledger)(const struct peat_reader *reader, uint32_t cpu,
		      struct peat_ledger *ledger); /* -ENOTSUP */
	int (*add_losses)(const struct peat_reader *reader,
			  struct peat_reader_stats *stats); /* none beyond `count` */
	/*
	 * For peat_reader__counts(), with reader->lock.  publish: copies further counts of the
	 * reader's thread. read_published: by any thread, from those copies; each result may be
	 * NULL.
	 */
	void (*publish)(struct peat_reader *reader); /* nothing to copy */
	int (*read_published)(const struct peat_reader *reader, uint32_t cpu,
			      struct peat_reader_stats *stats,
			      struct peat_ledger *ledger); /* -ENOTSUP for the ledger */
};

/* Events of a CPU that the reader did not return. */
struct selection_counts {
	uint64_t filtered, counted;
	uint64_t held; /* 1: there was no memory to count the last event */
};

/* The processes whose events are returned, a byte per process id: 1 if they are. */
struct selected_pids {
	const unsigned char *of_data, *of_records; /* NULL: of all processes */
	uint32_t count;				   /* bytes */
};

/*
 * The events that a reader returns: reader/selection.c.  Its source sets it, and returns all
 * events.
 */
struct selection {
	struct peat_where *where; /* NULL: all */
	struct peat_table *table; /* NULL: they are returned, not counted */
	uint32_t side_band;	  /* of records that these apply to */
	struct selected_pids pids;
	bool is_held; /* no memory to count the last event: the next call tests it again */
	/* By CPU, of a channel; cpus 0: the source has no ledger. */
	struct selection_counts *of_cpus, *published;
	uint32_t cpus;
};

/*
 * The name that `event` got last: threads `tid` have it at these times, both included.  While it is
 * valid, the next events of a row need no other.
 */
struct named_task {
	bool is_used; /* names are followed */
	uint32_t tid;
	uint32_t lookups; /* of names, modulo 2^32 */
	uint64_t since_ns, until_ns;
};

/* The part of a reader that all sources share. */
struct peat_reader {
	const struct source_ops *ops;
	struct fork_mark *mark;	 /* of the only process that may read; NULL: any process */
	struct peat_event event; /* returned last; valid until the next call */
	/* The bytes of event.record, if the kernel sampled it; otherwise undefined. */
	const struct perf_event_header *sample_bytes;

	/* The frame that `event` lies in.  row.step is SIZE_MAX unless the next events of the row
	 * may be returned without a call of the source: see source__step(). */
	struct peat_frame frame;
	struct frame_row row;
	struct named_task named;
	bool has_identities;

	struct selection selection;

	/* Its events are in memory: sinks may let them wait instead of losing any. */
	bool is_patient;

	/* Later events may have types that ops->type() does not know yet. */
	bool lacks_types;

	struct peat_reader_stats stats; /* without the numbers that `ops->count` adds */

	/* For peat_reader__counts(): a copy made when a round ends. */
	pthread_mutex_t lock; /* guards it, and the copies of `ops->publish` */
	struct peat_reader_stats published;
};

/* Whether the event is one of a process that is selected. */
static inline bool source__wants_pid(const struct selection *selection,
				     const struct peat_event *event)
{
	const unsigned char *pids = event->kind == PEAT_EVENT_DATA ? selection->pids.of_data
								   : selection->pids.of_records;

	return !pids || (event->pid < selection->pids.count && pids[event->pid]);
}

/* Begins and ends the use of the lock; close also frees the counts of the selection. */
void source__open(struct peat_reader *reader);
void source__close(struct peat_reader *reader);

/* Makes the counts of a selection, for a channel of so many CPUs.  0 or -ENOMEM. */
int source__count_selection(struct peat_reader *reader, uint32_t cpus);

/*
 * Copies the counts for other threads.  The reader's thread calls it between events.  So counting
 * an event needs no lock and no atomic operation.
 */
void source__publish(struct peat_reader *reader);

/* Whether the event's task has the name of the one before. */
static inline bool source__is_named(const struct peat_reader *reader)
{
	const struct named_task *named = &reader->named;
	const struct peat_event *event = &reader->event;

	return event->tid == named->tid && event->time_ns >= named->since_ns &&
	       event->time_ns <= named->until_ns;
}

static inline void source__set_owner(struct peat_reader *reader, const void *at)
{
	struct peat_event *event = &reader->event;
	struct peat_event_owner owner;

	event->has_owner = frame_row__read_owner(&owner, at);
	event->uid = owner.uid;
	event->cgroup = owner.cgroup;
	if (reader->has_identities)
		reader->ops->identify(reader);
}

/*
 * Stores the next event of the row in reader->event: time, task and data change, and possibly its
 * name; the other members stay.  False: the row has ended, call the source.  This runs for every
 * event of a channel.
 */
static inline bool source__step(struct peat_reader *reader)
{
	const unsigned char *at = frame_row__next(&reader->row, &reader->frame);
	struct peat_event *event = &reader->event;
	struct peat_event_head head;
	struct peat_event_ids ids;

	if (!at)
		return false;
	memcpy(&head, at, sizeof(head));
	event->time_ns = reader->frame.time_ns + head.delta_ns;
	event->data = at + reader->row.before;
	reader->stats.event_bytes += event->size;
	if (reader->row.before == sizeof(head))
		return true;
	memcpy(&ids, at + reader->row.before - sizeof(ids), sizeof(ids));
	event->pid = ids.tgid;
	event->tid = ids.tid;
	if (__builtin_expect(reader->row.before > sizeof(head) + sizeof(ids), 0))
		source__set_owner(reader, at + sizeof(head));
	if (reader->named.is_used && !source__is_named(reader))
		reader->ops->name(reader);
	return true;
}

#endif /* PEAT_EVENT_SOURCE_H */
