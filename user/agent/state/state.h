/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * state/state.h: the ledger of an agent, for the next one.
 *
 * Programs that are pinned count on while no agent runs, so their counts are kept apart: the next
 * agent reads them from the programs.  It adds what former agents have counted themselves, and
 * counts events that these had read, or had in their rings, as lost with the agent: `agent_died`.
 */
#ifndef PEAT_STATE_STATE_H
#define PEAT_STATE_STATE_H

#include "pipeline/pipeline.h"
#include "queue/flow.h"

#define STATE_NAME 64 /* the room of a name, with its NUL */

struct state_source {
	char name[STATE_NAME];
	char *pin;		  /* the directory of its pins; NULL: none */
	uint64_t pinned_ns;	  /* when its programs were pinned; 0: they ended with the agent */
	uint64_t read;		  /* events of these programs that agents have read, or lost */
	struct source_counts own; /* of agents, and of programs that have ended */
	struct source_counts programs; /* of the present programs, since their load */
};

struct state_flow {
	char source[STATE_NAME], output[STATE_NAME];
	struct flow_counts counts;
};

/* All zero: empty. */
struct state {
	uint64_t start_ns; /* of the first agent, since 1970 */
	uint64_t agents;   /* that have counted */
	struct state_source *sources;
	struct state_flow *flows;
	size_t source_count, flow_count;
};

/* ---- text ------------------------------------------------------------------------------------ */

/* To be freed.  NULL and errno: ENOMEM. */
char *state__print(const struct state *state);

/* 0, -ENOMEM, or -EBADMSG: it is no state, or not a whole one; `state` is empty then. */
int state__parse(struct state *state, const char *text, size_t bytes);

void state__free(struct state *state);

/* ---- files ----------------------------------------------------------------------------------- */

/* 0; -ENOENT: no such file; -EBADMSG: it has something else; or another negative errno. */
int state_file__read(struct state *state, const char *path);

/* Renames a file that is no state to PATH.damaged, with a warning.  0 or a negative errno. */
int state_file__put_aside(const char *path);

/*
 * Replaces the file as a whole.  `is_final`: it is on the disk when the function returns; otherwise
 * it survives the agent's end, not the machine's.  0 or a negative errno.
 */
int state_file__write(const char *path, const char *text, bool is_final);

/* ---- counts ---------------------------------------------------------------------------------- */

/* Splits the counts of a source: `ended` are of its pipelines that have ended, `now` of the present
 * one. */
void state__split(struct state_source *source, const struct source_counts *ended,
		  const struct source_counts *now);

/* The counts of a source whose programs ended with the former agent. */
void state__continue(const struct state_source *source, struct source_counts *counts);

/* The same if its programs go on; `former`: of their ledger when the present reader was opened. */
void state__continue_programs(const struct state_source *source, uint64_t former,
			      struct source_counts *counts);

/* The same if its programs end now, with this ledger since their load. */
void state__end_programs(const struct state_source *source, const struct peat_ledger *ledger,
			 struct source_counts *counts);

#endif /* PEAT_STATE_STATE_H */
