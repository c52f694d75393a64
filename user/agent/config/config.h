/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* config/config.h: what an agent is to do. */
#ifndef PEAT_CONFIG_CONFIG_H
#define PEAT_CONFIG_CONFIG_H

#include "config/sections.h"
#include "output/settings.h"
#include "queue/queue.h"
#include "spool/spool.h"

struct config;

#define CONFIG_OUTPUTS_MAX 64 /* of a pipeline */

enum pipeline_kind {
	PIPELINE_EVENTS, /* each event */
	PIPELINE_TABLE,	 /* events counted in a table */
	PIPELINE_STAT,	 /* perf events counted */
	PIPELINE_LEDGER, /* the agent's own ledger */
	PIPELINE_FLIGHT, /* a flight recorder: the events before a trigger */
	PIPELINE_ALERTS	 /* troubles of the agent itself: the setting `alerts` of `agent` */
};

/* The settings of a pipeline, with the names that peat's options have. */
struct config_pipeline {
	struct config *config;
	const struct section *section; /* name and place */
	enum pipeline_kind kind;
	/*
	 * All settings but `outputs`, and all of the outputs that it writes itself: pipelines of
	 * the same text do the same.
	 */
	char *text;
	struct setting_list sources, sets, left_out, fields, outputs, stat;
	char *where, *comm, *cgroup, *cpus, *interfaces, *btf;
	char *pin; /* the directory of pins: the programs outlive the agent; NULL: none */
	uint64_t pid, tid, uid;
	bool has_uid, best_effort, measure, ledger, identity, is_ordered;
	uint64_t max_rate, memory_bytes, latency_ms;
	/* TABLE */
	char *by, *sum, *hist;
	uint64_t max_rows;
	uint64_t interval_ms; /* also STAT, ALERTS */
	/* FLIGHT */
	uint64_t flight_bytes, last_ms, every_ms;
	char *on, *on_where;
	struct {
		bool is_given;	    /* `on` is EVENT>N, a perf event that is counted */
		size_t event_bytes; /* of EVENT */
		uint64_t over;	    /* N */
	} on_count;
};

struct config_output {
	const struct section *section;
	const struct peat_output_ops *ops;
	char *text;	/* all settings */
	bool is_direct; /* pipelines write it themselves, it has no queue: outputs/direct.h */
	uint64_t queue_bytes;
	enum queue_policy policy;
	char *spool; /* its directory; NULL: none */
	struct spool_limits spool_limits;
	/* The settings that the output reads itself, in the memory of the sections. */
	struct peat_setting *settings;
	uint32_t setting_count;
};

struct config_agent {
	char *socket;	   /* of --status and --reload; NULL: none */
	char *state;	   /* the file of the ledger; NULL: none */
	uint64_t drain_ms; /* how long the end waits for outputs */
	/* A pipeline named `agent` sends alerts to these outputs, and has the list. */
	struct setting_list alerts;
	uint64_t alert_interval_ms;
};

struct config {
	unsigned references;			  /* of the agent and its pipelines */
	const struct peat_output_ops *const *own; /* outputs of the program; NULL: none */
	struct sections sections;
	struct config_agent agent;
	struct config_pipeline *pipelines;
	struct config_output *outputs;
	size_t pipeline_count, output_count;
};

/*
 * Reads files and directories, NULL after the last path.  `own`: outputs of the program, likewise,
 * or NULL.  0; -EINVAL: the log has file, line and column; or another negative errno.
 */
int config__read(struct config *config, const char *const *paths,
		 const struct peat_output_ops *const *own);

/* The same for a text: of tests. */
int config__read_text(struct config *config, const char *file, const char *text, size_t bytes,
		      const struct peat_output_ops *const *own);

/* The number of the output of this name; -1: there is none. */
int config__find_output(const struct config *config, const char *name);

/* The options by which an output is opened, but for its functions. */
struct peat_output_opts config_output__opts(const struct config_output *output);

void config__free(struct config *config); /* all zero: nothing */

#endif /* PEAT_CONFIG_CONFIG_H */
