/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* peers.h: peat beside readers in other languages and whole tools: what all workloads share. */
#ifndef PEERS_H
#define PEERS_H

#include <limits.h>

#include "bench.h"
#include "bench_reader.h"

/* Somebody who could not be measured, and why. */
struct peers_skip {
	char workload[32], setting[48], reason[160];
	const char *transport;
};

#define PEERS_SKIPS_MAX 32

struct peers {
	struct bench bench;
	const char *build;	  /* where our own programs are */
	const char *tmpfs, *disk; /* directories to write to */
	char peat[PATH_MAX];	  /* the command */
	char channel[PATH_MAX];	  /* peat bench's BPF object that has a channel of peat's */
	char errors[PATH_MAX];	  /* what the last program that was started said */
	struct peers_skip skips[PEERS_SKIPS_MAX];
	size_t skip_count;
};

/* There is one. */
extern struct peers peers;

/*
 * Readers in other languages; tools that print lines; tools that record.  0 or a negative errno,
 * which was complained about.
 */
int peer_readers__measure(void);
int peer_tools__measure(void);
int peer_records__measure(void);

/* One more transport: what is in `as`, with this setting. */
struct bench_transport *peers__add(struct bench_transports *transports,
				   const struct bench_transport *as, const char *setting);

/* Those of peat's that peat bench compares. */
void peers__peat(struct bench_transports *transports);

/* Tries each, takes out those that do not work here, and remembers why. */
int peers__keep_working(const char *workload, struct bench_transports *transports,
			const struct bench_load *load);

/* A load over each transport in turns, as bench_measure() does. */
int peers__measure(const char *workload, const struct bench_transports *transports,
		   const struct bench_load *load, uint32_t rounds, bench_note_fn note);

const struct bench_transport *peers__most_delivered(const char *workload,
						    const struct bench_transports *transports);

/* Of what the i-th emitted in the present round. */
double peers__lost_percent(const struct bench_rigs *rigs, size_t i);

/* How long a run is and how often it is repeated; with -q only so that it has been done. */
uint64_t peers__run_ns(unsigned ms);
uint32_t peers__rounds(uint32_t count);

#endif /* PEERS_H */
