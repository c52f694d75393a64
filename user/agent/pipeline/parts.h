/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* pipeline/parts.h: what the kinds of pipelines share. */
#ifndef PEAT_PIPELINE_PARTS_H
#define PEAT_PIPELINE_PARTS_H

#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>

#include <peat/counters.h>

#include "pipeline/handover.h"
#include "pipeline/pipeline.h"
#include "pipeline/source.h"

/* The operations of a kind. */
struct pipeline_ops {
	/* Loads and attaches.  0 or a negative errno.  NULL: there is nothing to load. */
	int (*open)(struct pipeline *pipeline);
	/* Waits for work, at most timeout_ms, and does it.  0 or a negative errno. */
	int (*work)(struct pipeline *pipeline, int timeout_ms);
	/* Detaches, and delivers what is left. */
	void (*finish)(struct pipeline *pipeline);
	/* Checks the settings without loading.  0 or a negative errno.  NULL: nothing to check. */
	int (*check)(const struct config_pipeline *config, const struct peat_agent_opts *opts);
};

extern const struct pipeline_ops events_pipeline, table_pipeline, stat_pipeline, ledger_pipeline,
	flight_pipeline, alerts_pipeline;

struct pipeline {
	const struct pipeline_ops *ops;
	const struct config_pipeline *config;
	const struct pipeline_env *env;
	const char *name;
	struct source *source, *trigger; /* NULL: none */
	struct peat_counters *counters;	 /* of `stat`, or of `on: EVENT>N`; NULL: none */
	pthread_t thread;
	bool has_thread, is_running; /* a thread that does not run waits for `starts` */
	sem_t starts;
	atomic_bool ends_programs; /* that are pinned; set before the stop */
	atomic_bool is_stopping;
	int wake_fd;		   /* readable when it is */
	struct handover *handover; /* for the pipeline after this one */
	/* The pipeline before this one, and the one after it.  NULL: none. */
	struct handover *before;
	_Atomic(struct handover *) after;
	atomic_uint_fast64_t put_until_ns; /* from then on, full queues drop batches */
	atomic_uint_fast64_t offered, handed_over, triggers;

	/* Outputs that the pipeline writes itself.  They belong to its thread once that runs. */
	struct recording *recordings;
	size_t recording_count;

	/* The thread alone uses these. */
	struct peat_batch *batch; /* that is being filled; NULL: none */
	uint64_t batch_ns;	  /* its first event was added */
	size_t batch_bytes;	  /* of the events of the batch before */
	uint64_t pause_ns;	  /* when recordings are written out */
	uint64_t points_ns;	  /* when the next points are due */
	uint64_t mark_ns;	  /* when losses of pinned programs are marked as reported */
	uint64_t start_ns;	  /* since 1970: of all points */
	uint64_t trigger_ns;	  /* of the last dump; 0: none */
	uint64_t rest;		  /* of the trigger's counters: peat_counters__exceeded() */
	uint32_t slots;		  /* of histograms: the most so far */
	bool said_memory;	  /* that there is none */

	pthread_mutex_t lock; /* guards the rest */
	struct target *targets;
	atomic_size_t target_count; /* the thread asks without the lock whether there are any */
	char *failure;		    /* NULL: it works */
};

/* CLOCK_MONOTONIC as of events, and the time since 1970. */
uint64_t pipeline__now_ns(void);
uint64_t pipeline__wall_ns(void);
int64_t pipeline__wall_clock(void); /* the second minus the first */

/* Milliseconds until a time of pipeline__now_ns(), at most `most`. */
int pipeline__until(uint64_t at_ns, int most);

/* Opens the outputs that it writes itself, which do not keep the pipeline from running. */
void recordings__open(struct pipeline *pipeline);

/*
 * Writes an event, which the reader returned last, to each of them; if there is one, and no other
 * target, also the events that follow it.  Returns the number of events.
 */
uint64_t recordings__write(struct pipeline *pipeline, const struct peat_event *event);

/* Writes out and counts, ten times a second; rotates files. */
void recordings__pause(struct pipeline *pipeline, bool in_any_case);

void recordings__close(struct pipeline *pipeline);
void recordings__free(struct pipeline *pipeline);

/* An output that it writes itself. */
struct recording {
	const struct config_output *output;
	struct flow *flow;
	struct recorded_file *file; /* NULL: it could not be opened */
	uint64_t recorded, dropped; /* that are in the flow already */
};

/* Sends the batch if it waits long enough, or in any case. */
void pipeline__flush(struct pipeline *pipeline, bool in_any_case);

/* An empty batch for points.  NULL: no memory, which is logged once. */
struct peat_batch *pipeline__new_batch(struct pipeline *pipeline);

/* Offers it to all targets, and gives it back. */
void pipeline__send(struct pipeline *pipeline, struct peat_batch *batch);

/* Delivers all available events of a reader.  0 or a negative errno. */
int pipeline__drain(struct pipeline *pipeline, struct peat_reader *reader);

/* Adds the rows of the table as points. */
void table_points__add(struct pipeline *pipeline, struct peat_batch *batch);

#endif /* PEAT_PIPELINE_PARTS_H */
