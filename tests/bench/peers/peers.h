/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* peers.h: peat beside readers in other languages and whole tools: state of all workloads. */
#ifndef BENCH_PEERS_PEERS_H
#define BENCH_PEERS_PEERS_H

#include <limits.h>

#include "bench/bench.h"
#include "bench/reader.h"

/* A transport that could not be measured, and the reason. */
struct peers_skip {
	char workload[32], setting[48], reason[408];
	const char *transport;
};

#define PEERS_SKIPS_MAX 32

struct peers {
	struct bench bench;
	const char *build;	  /* the build directory */
	const char *tmpfs, *disk; /* directories to write to */
	char peat[PATH_MAX];	  /* the command */
	char channel[PATH_MAX];	  /* BPF object of peat bench that has a peat channel */
	char errors[PATH_MAX];	  /* file with the standard error of the last program started */
	struct peers_skip skips[PEERS_SKIPS_MAX];
	size_t skip_count;
};

/* The only instance. */
extern struct peers peers;

/*
 * Measure readers in other languages; tools that print lines, count, record, or keep the last
 * events.  0 or a negative errno; the reason is in peers.skips.
 */
int peer_readers__measure(void);
int peer_tools__measure(void);
int peer_kernel_counts__measure(void);
int peer_records__measure(void);
int peer_flight__measure(void);

/* Adds a copy of the transport with this setting. */
struct bench_transport *peers__add(struct bench_transports *transports,
				   const struct bench_transport *as, const char *setting);

/* Fills in the peat transports of peat bench. */
void peers__peat(struct bench_transports *transports);

struct peers_plan {
	const char *workload;
	struct bench_load load;
	uint32_t event_bytes; /* 0: 16 */
	uint32_t rounds;
	bool warm_up; /* discard the first round; not for tools that are started for each run */
	bench_add_rows_fn add_rows;
};

/* Tries each transport.  Removes those that do not work here, and keeps the reason. */
void peers__keep_working(const struct peers_plan *plan, struct bench_transports *transports);

/* Runs the load over each transport in turn. */
int peers__measure(const struct peers_plan *plan, const struct bench_transports *transports);

const struct bench_transport *peers__most_delivered(const char *workload,
						    const struct bench_transports *transports);

/* Share of the events that the i-th transport lost in the current round. */
double peers__lost_percent(const struct bench_rigs *rigs, size_t i);

/* bench_reader.read() of a reader in another process: only waits. */
int peers__wait(struct bench_rig *rig);

/* --set options of peat trace and peat record that configure the program of peat bench. */
struct peers_sets {
	char pid[48], syscall[48], per_call[48], bytes[48];
};

#define PEERS_SETS(sets)                                                                           \
	"--set", (sets).pid, "--set", (sets).syscall, "--set", (sets).per_call, "--set",           \
		(sets).bytes

/*
 * Command that peat and perf run once they are ready.  It prints that to stderr and exits at the
 * end of its input; peat and perf exit with it.
 */
#define PEERS_READY	"peer is ready"
#define PEERS_SAY_READY "--", "sh", "-c", "echo " PEERS_READY " >&2; read line"

void peers__name_sets(struct peers_sets *sets, unsigned per_call, uint32_t event_bytes);

/* Length of a run and number of rounds.  -q only checks that everything works. */
uint64_t peers__run_ns(unsigned ms);
uint32_t peers__rounds(uint32_t count);

#endif /* BENCH_PEERS_PEERS_H */
