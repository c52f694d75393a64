/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * audit/audit.h: which events of each host arrived, and where the others were lost.  Pure.
 *
 *	pieces ──▶ audit__add_piece()  ──▶ numbers that arrived ──┐
 *	points ──▶ audit__add_points() ──▶ counts of the agent  ──┴──▶ audit__text(), audit__json()
 *
 * The agent numbers the events of each source from 1.  Its ledger counts events of each source:
 * those that were lost before they were read, and for each output those that its queue dropped,
 * that the server refused, and that the server acknowledged.  A spool goes on with the counts of an
 * agent that was killed, so the ledger of the next one has those that were dropped at its end.
 */
#ifndef PEAT_AUDIT_AUDIT_H
#define PEAT_AUDIT_AUDIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <peat/batch.h>

#include "audit/ranges.h"
#include "base/hash.h"
#include "piece/piece.h"

/*
 * Memory of hosts, runs, sources, names and gaps together: further ones are refused.  A row of a
 * host, run and source has some 1.2 KiB.
 */
#define AUDIT_BYTES_MAX (UINT64_C(128) << 20)

/* Causes of losses, and outputs, of one source: further ones are not kept. */
#define AUDIT_CAUSES  16
#define AUDIT_OUTPUTS 16

struct audit_cause {
	char *name;
	uint64_t events;
};

/* The events of a source on their way to an output. */
struct audit_flow {
	char *output;
	uint64_t offered, dropped, refused, acknowledged;
	/* The parts of these numbers that former agents counted: their pieces are of other runs. */
	uint64_t former_offered, former_dropped, former_refused, former_acknowledged;
};

struct audit_row {
	struct hash_link link;
	struct audit_row *next;
	char *host, *source;
	uint64_t run;
	/* From the pieces: */
	uint64_t pieces, points;
	uint64_t repeated; /* events that arrived again */
	struct ranges numbers, batches;
	/* From the newest points of the ledger: */
	uint64_t ledger_ns; /* its time; 0: no point has arrived */
	uint64_t delivered; /* events read by the agent */
	uint32_t cause_count, flow_count;
	struct audit_cause causes[AUDIT_CAUSES];
	struct audit_flow flows[AUDIT_OUTPUTS];
	/* After the newest ledger, by that of a later run: audit__explain(). */
	uint64_t late_dropped, late_refused;
};

/*
 * The places of a row's events.  Without a ledger, of its own or of a later run, all but `arrived`,
 * `gaps` and `unexplained` is 0.
 */
struct audit_sums {
	uint64_t arrived;
	uint64_t gaps; /* numbers below the greatest that did not arrive */
	bool has_ledger;
	uint64_t lost;		 /* before the agent read them */
	uint64_t dropped;	 /* by the queue of the output */
	uint64_t refused;	 /* by the server */
	uint64_t waiting;	 /* when the newest ledger was sent */
	uint64_t lost_in_stream; /* acknowledged, and did not arrive */
	uint64_t unexplained;	 /* of `gaps` */
};

/* Pieces that are in no row. */
struct audit_others {
	uint64_t left_out; /* no memory was left for them: AUDIT_BYTES_MAX, RANGES_MAX */
	uint64_t misnamed; /* of audit__add_misnamed() */
};

struct audit;

/*
 * `output`: the name of the agents' output that leads here; NULL: the only one of a source of which
 * pieces arrived.
 */
struct audit *audit__new(const char *output);

/*
 *	0		noted
 *	-EALREADY	it has arrived before
 *	-EBADMSG	its numbers are impossible
 *	-ENOSPC		more hosts, runs, sources or gaps than can be kept: counted as left out
 *	-ENOMEM
 */
int audit__add_piece(struct audit *audit, const struct piece_info *info);

/* Counts a piece that names another host or source than its message does: it is in no row. */
void audit__add_misnamed(struct audit *audit);
const struct audit_others *audit__others(const struct audit *audit);

/* Notes the points of a ledger among the points of a batch.  0; -ENOSPC; -ENOMEM. */
int audit__add_points(struct audit *audit, const struct piece_info *info,
		      const struct peat_batch *batch);

/* The row after this one, by the order of arrival; NULL: the first; returns NULL after the last. */
const struct audit_row *audit__next(const struct audit *audit, const struct audit_row *row);

/*
 * Finds what became of a killed agent's events after its last ledger: the ledgers of later runs
 * count them as those of former agents.  Call it before the functions below.  0 or -ENOMEM.
 */
int audit__explain(struct audit *audit);

void audit__sum(const struct audit *audit, const struct audit_row *row, struct audit_sums *sums);

/* Whether events of any row are missing, lost anywhere or in gaps, or pieces are in no row. */
bool audit__lacks_events(const struct audit *audit);

/* A paragraph for each row, or a line of JSON.  To be freed.  NULL and errno: ENOMEM. */
char *audit__text(const struct audit *audit);
char *audit__json(const struct audit *audit);

/* Accepts NULL. */
void audit__free(struct audit *audit);

#endif /* PEAT_AUDIT_AUDIT_H */
