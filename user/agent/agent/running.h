/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* agent/running.h: what runs: for agent.c, which starts and stops all of it, and reload.c. */
#ifndef PEAT_AGENT_RUNNING_H
#define PEAT_AGENT_RUNNING_H

#include <pthread.h>

#include <peat/agent.h>

#include "config/config.h"
#include "ledger/agent_ledger.h"
#include "state/state.h"

/*
 * Other threads ask for the ledger, so `lock` guards its rows.  It is not held while a thread is
 * awaited, since that one may be asking.
 */
struct peat_agent {
	struct peat_agent_opts opts;
	struct config *config;
	pthread_mutex_t lock;
	struct agent_ledger ledger;
	char refusal[256]; /* of a reload, for the next alert; guarded by `lock`; "": none */
	struct pipeline_env env;
	uint64_t run; /* the first start, ns since 1970; 0: not started yet */
	bool is_running;
	int measure_fd;	     /* the kernel measures programs while it is open; -1: it is not */
	struct state former; /* the counts of former agents, as they were read */
	struct state state;  /* the counts to write; `lock` guards it, too */
	struct keeper *keeper;
};

/* The caller has one reference.  NULL and errno: the log has the reason. */
struct config *running__read_config(const struct peat_agent_opts *opts);
void running__unref_config(struct config *config);

/* Lets the kernel measure programs if a pipeline wants it.  Errors are logged only. */
void running__measure(struct peat_agent *agent, const struct config *config);

/* Adds the points of the ledger.  0 or a negative errno.  For pipelines and outputs. */
int running__collect(void *agent, struct peat_batch *points);

/* Adds alerts about troubles since the last call.  For pipelines. */
void running__add_alerts(void *agent, uint64_t interval_ms, struct peat_batch *alerts);

/* Whether all works: for peat_output_opts. */
bool running__is_healthy(void *agent, char *why, size_t room);

/* Makes the rows of all names, so that finding them does not fail later.  0 or -ENOMEM. */
int running__make_rows(struct peat_agent *agent, const struct config *config);
struct source_row *running__source(struct peat_agent *agent, const char *name);
struct output_row *running__output(struct peat_agent *agent, const char *name);

/* 0 or a negative errno; the log has the reason. */
int running__start_output(struct peat_agent *agent, const struct config_output *config);
int running__start_pipeline(struct peat_agent *agent, const struct config_pipeline *config);

void running__stop_output(struct peat_agent *agent, const char *name, uint64_t drain_ms);

/* `ends_programs`: those that are pinned end with the pipeline. */
void running__stop_pipeline(struct peat_agent *agent, const char *name, bool ends_programs);

/* The parts of running__start_pipeline().  A pipeline holds a reference of its configuration. */
struct pipeline *running__new_pipeline(struct peat_agent *agent,
				       const struct config_pipeline *config);
int running__set_targets(struct peat_agent *agent, struct pipeline *pipeline,
			 const struct config_pipeline *config);
void running__free_pipeline(struct pipeline *pipeline);

/* The same for one that did not run: programs that it has pinned end. */
void running__remove_pipeline(struct pipeline *pipeline);

/* The counts of the pipeline before it stay in the ledger; it is the caller's from now on. */
void running__set_pipeline(struct peat_agent *agent, const char *name, struct pipeline *pipeline);

#endif /* PEAT_AGENT_RUNNING_H */
