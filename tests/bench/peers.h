/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* peers.h: peat beside readers in other languages and whole tools: what all workloads share. */
#ifndef PEERS_H
#define PEERS_H

#include <limits.h>

#include "bench.h"
#include "bench_reader.h"

/* Somebody who could not be measured, and why. */
struct peers_skip {
	char workload[32], setting[48], reason[408];
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

struct peers_plan {
	const char *workload;
	struct bench_load load;
	uint32_t rounds;
	bool warm_up; /* a round first that is not noted: of those that are not started for each */
	bench_note_fn note;
};

/* Tries each, takes out those that do not work here, and remembers why. */
void peers__keep_working(const struct peers_plan *plan, struct bench_transports *transports);

/* Runs the load over each of them in turns. */
int peers__measure(const struct peers_plan *plan, const struct bench_transports *transports);

const struct bench_transport *peers__most_delivered(const char *workload,
						    const struct bench_transports *transports);

/* Of what the i-th emitted in the present round. */
double peers__lost_percent(const struct bench_rigs *rigs, size_t i);

/* What others read is only waited for. */
int peers__take(struct bench_rig *rig);

/* peat bench's program over a channel, set by peat trace and peat record as peat bench sets it. */
struct peers_sets {
	char pid[48], syscall[48], per_call[48];
};

#define PEERS_SETS(sets)                                                                           \
	"--set", (sets).pid, "--set", (sets).syscall, "--set", (sets).per_call, "--set",           \
		"bench_setup.bytes=16"

/*
 * What peat and perf run once they are at work: it says so on stderr, and ends when its input does,
 * with which they end.
 */
#define PEERS_READY	"peer is ready"
#define PEERS_SAY_READY "--", "sh", "-c", "echo " PEERS_READY " >&2; read line"

void peers__name_sets(struct peers_sets *sets, unsigned per_call);

/* How long a run is and how often it is repeated; with -q only so that it has been done. */
uint64_t peers__run_ns(unsigned ms);
uint32_t peers__rounds(uint32_t count);

#endif /* PEERS_H */
