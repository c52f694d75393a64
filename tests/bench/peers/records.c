// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * records.c: a flood of events recorded to a file by peat record and by stock perf record; and as
 * many bytes written by dd, to show the limit of the file system.
 *
 * Stock perf does not load BPF programs, but opens rings for them: -e bpf-output.  Its fd is copied
 * with pidfd_getfd(2) into the perf event array of the program that peat bench uses for libbpf's
 * perf_buffer, so perf records the same events.
 */
#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include "cli/cli.h"
#include "output.h"
#include "process.h"
#include "peers.h"
#include "records.h"

#define MIB 1048576.0

/* Directory of this workload's recordings. */
static const char *directory;

struct recorder {
	const char *argv[24]; /* the path after "-o" is filled in at the start */
	bool lends;	      /* the benchmark's program writes to its ring */
};

struct recording {
	struct peer_process process;
	char path[PATH_MAX];
	off_t before;	/* bytes at the begin of the run */
	uint64_t tries; /* events written by accepts_event() */
	uint64_t cpu_ns, bytes;
};

/* ---- the ring of another process ------------------------------------------------------------- */

/* Whether a program on this CPU can write to the event in the array. */
static bool accepts_event(struct bench_rig *rig)
{
	rig->control->per_call = 1;
	rig->control->refused = 0;
	syscall(SYS_getpgid, 0);
	return !rig->control->refused;
}

/*
 * Only trying shows which of its events is the bpf-output event of the CPU.  The array keeps a
 * reference to the event, so the fd can be closed.
 */
static bool lend_fd(struct bench_rig *rig, int pid_fd, int number)
{
	int array = bpf_object__find_map_fd_by_name(rig->object, "bench_perf");
	int fd = (int)syscall(SYS_pidfd_getfd, pid_fd, number, 0);
	bool lent;

	if (fd < 0)
		return false;
	lent = !bpf_map_update_elem(array, &peers.bench.cpus.producers[0], &fd, BPF_ANY) &&
	       accepts_event(rig);
	close(fd);
	return lent;
}

static bool lend_one_of(struct bench_rig *rig, int pid_fd, DIR *fds, const char *path)
{
	char link[PATH_MAX + 32], target[64];
	struct dirent *entry;
	ssize_t bytes;

	while ((entry = readdir(fds))) {
		snprintf(link, sizeof(link), "%s/%s", path, entry->d_name);
		bytes = readlink(link, target, sizeof(target) - 1);
		target[bytes < 0 ? 0 : bytes] = '\0';
		if (strstr(target, "[perf_event]") && lend_fd(rig, pid_fd, atoi(entry->d_name)))
			return true;
	}
	return false;
}

int peer_records__lend_ring(struct bench_rig *rig, pid_t pid)
{
	int pid_fd = (int)syscall(SYS_pidfd_open, pid, 0);
	char path[64];
	cpu_set_t allowed;
	bool lent = false;
	DIR *fds;

	snprintf(path, sizeof(path), "/proc/%d/fd", (int)pid);
	fds = opendir(path);
	if (fds && pid_fd >= 0 && !sched_getaffinity(0, sizeof(allowed), &allowed)) {
		if (!peer_process__pin(peers.bench.cpus.producers[0]))
			lent = lend_one_of(rig, pid_fd, fds, path);
		sched_setaffinity(0, sizeof(allowed), &allowed);
	}
	if (fds)
		closedir(fds);
	if (pid_fd >= 0)
		close(pid_fd);
	return lent ? 0 : -ENOTCONN;
}

/* ---- dd -------------------------------------------------------------------------------------- */

/* Speed of dd in MB/s for this many bytes, rounded up to MiB; 0 on failure. */
static double write_by_dd(uint64_t bytes)
{
	uint64_t count = bytes / (uint64_t)MIB + 1, start_ns = bench_rig__now_ns(), passed_ns;
	char path[PATH_MAX], to[PATH_MAX + 4], blocks[32];
	struct peer_process dd;

	snprintf(path, sizeof(path), "%s/zeros", directory);
	snprintf(to, sizeof(to), "of=%s", path);
	snprintf(blocks, sizeof(blocks), "count=%" PRIu64, count);
	if (peer_process__start(
		    &dd, &(struct peer_start){ .argv = (const char *[]){ "dd", "if=/dev/zero", to,
									 "bs=1M", blocks, NULL },
					       .output = "/dev/null",
					       .errors = peers.errors,
					       .kept_fd = -1,
					       .cpu = peers.bench.cpus.reader }))
		return 0;
	while (peer_process__is_running(&dd))
		peer_process__sleep_ms(1);
	passed_ns = bench_rig__now_ns() - start_ns;
	peer_process__end(&dd);
	if ((uint64_t)peer_output__size(path) != count * (uint64_t)MIB)
		count = 0;
	remove(path);
	return (double)count * MIB / (double)passed_ns * 1e3;
}

/* Bytes of the longest recording so far. */
static uint64_t longest_bytes = 256 << 20;

/*
 * Hypervisors take back memory that is free: the first write to it then costs 10 us per page, more
 * than all else.  So a file as long as the recording is written, and removed, before each run.
 */
static void warm_memory(void)
{
	write_by_dd(longest_bytes + longest_bytes / 4);
}

/* ---- a recorder as a reader ------------------------------------------------------------------ */

static int open_recorder(struct bench_rig *rig)
{
	struct recording *recording = calloc(1, sizeof(*recording));

	if (!recording)
		return -ENOMEM;
	snprintf(recording->path, sizeof(recording->path), "%s/recorded", directory);
	rig->peer = recording;
	return 0;
}

static int start_recorder(struct bench_rig *rig)
{
	const struct recorder *recorder = rig->transport->peer;
	struct recording *recording = rig->peer;
	struct recorder complete = *recorder;

	for (const char **next = complete.argv; *next; next++)
		if (!strcmp(*next, "-o"))
			next[1] = recording->path;
	return peer_process__start(&recording->process,
				   &(struct peer_start){ .argv = complete.argv,
							 .output = "/dev/null",
							 .errors = peers.errors,
							 .kept_fd = -1,
							 .cpu = peers.bench.cpus.reader });
}

static int begin_recorder(struct bench_rig *rig)
{
	const struct recorder *recorder = rig->transport->peer;
	struct recording *recording = rig->peer;
	int err;

	warm_memory();
	err = start_recorder(rig);
	if (!err)
		err = peer_output__await(peers.errors, PEERS_READY, &recording->process, NULL);
	recording->tries = 0;
	if (!err && recorder->lends) {
		err = peer_records__lend_ring(rig, recording->process.pid);
		recording->tries = 1;
	}
	if (err)
		return err;
	recording->before = peer_output__size(recording->path);
	recording->cpu_ns = peer_process__cpu_ns(&recording->process);
	return 0;
}

int peer_records__count_samples(const char *path, uint64_t *samples)
{
	struct peer_process replay;
	uint64_t count;
	char line[256];
	bool found = false;
	int err = peer_process__start(
		&replay, &(struct peer_start){ .argv = (const char *[]){ peers.peat, "replay",
									 "--stats", path, NULL },
					       .errors = peers.errors,
					       .kept_fd = -1,
					       .cpu = peers.bench.cpus.reader });

	*samples = 0;
	/* "samples", followed by a line for each kind. */
	while (!err && !(err = peer_process__read_line(&replay, line, sizeof(line)))) {
		if (*line != ' ')
			found = !strcmp(line, "samples");
		else if (found && sscanf(line, "%" SCNu64, &count) == 1)
			*samples += count;
	}
	peer_process__end(&replay);
	return err == -EPIPE ? 0 : err;
}

static int finish_recorder(struct bench_rig *rig)
{
	struct recording *recording = rig->peer;
	uint64_t samples;
	int err;

	rig->peer_end_ns = peer_output__await_quiet(recording->path);
	rig->peer_ns = peer_process__cpu_ns(&recording->process) - recording->cpu_ns;
	recording->bytes = (uint64_t)(peer_output__size(recording->path) - recording->before);
	if (recording->bytes > longest_bytes)
		longest_bytes = recording->bytes;
	peer_process__end(&recording->process);
	err = peer_records__count_samples(recording->path, &samples);
	rig->delivered = samples > recording->tries ? samples - recording->tries : 0;
	return err;
}

static void end_recorder(struct bench_rig *rig)
{
	struct recording *recording = rig->peer;

	if (!recording)
		return;
	peer_process__end(&recording->process);
	remove(recording->path);
}

static void close_recorder(struct bench_rig *rig)
{
	free(rig->peer);
}

static const struct bench_reader recorder_reader = { open_recorder,   peers__wait,
						     finish_recorder, close_recorder,
						     begin_recorder,  end_recorder };

/* ---- numbers --------------------------------------------------------------------------------- */

static void add_rate_rows(struct bench *bench, const struct bench_place *place,
			  const struct bench_rigs *rigs, size_t i)
{
	const struct bench_result *result = &rigs->results[i];

	bench_table__add(&bench->table, place, "lost", "%", peers__lost_percent(rigs, i));
	bench_table__add(&bench->table, place, "tool", "ns/event",
			 result->reader_ns / (double)result->delivered);
	bench_table__add(&bench->table, place, "tool CPU", "%",
			 100 * result->reader_ns / result->emit_ns);
}

static void add_recorded_rows(struct bench *bench, const struct bench_place *place,
			      const struct bench_rigs *rigs, size_t i)
{
	const struct bench_result *result = &rigs->results[i];
	const struct recording *recording = rigs->all[i].peer;
	struct bench_place beside = { place->workload, "dd", "bs=1M, as much as peat" };

	bench_table__add(&bench->table, place, "emitted", "M/s",
			 (double)result->emitted / result->emit_ns * 1e3);
	bench_table__add(&bench->table, place, "recorded", "M/s",
			 (double)result->delivered / result->elapsed_ns * 1e3);
	bench_table__add(&bench->table, place, "written", "MB/s",
			 (double)recording->bytes / result->elapsed_ns * 1e3);
	add_rate_rows(bench, place, rigs, i);
	if (!i)
		bench_table__add(&bench->table, &beside, "written", "MB/s",
				 write_by_dd(recording->bytes));
}

/* ---- workloads ------------------------------------------------------------------------------- */

static void add_recorder(struct bench_transports *transports, const char *name, const char *setting,
			 const struct recorder *recorder)
{
	peers__add(
		transports,
		&(struct bench_transport){ .way = recorder->lends ? BENCH_PERF_BUFFER : BENCH_TOOL,
					   .name = name,
					   .reader = &recorder_reader,
					   .peer = recorder,
					   .ring_bytes = peers.bench.sizes.cpu_bytes },
		setting);
}

static int measure_recorders(const struct peers_plan *plan)
{
	static const char event[] = "bpf-output/no-inherit=1,name=evt/";
	struct bench_transports all = { .count = 0 };
	struct peers_sets sets;
	char ring[24], setting[48];
	const struct recorder peat = { .argv = { peers.peat, "record", "-q", peers.channel,
						 PEERS_SETS(sets), "-o", "", PEERS_SAY_READY } };
	const struct recorder perf = { .argv = { "perf", "record", "-q", "-e", event, "-a", "-o",
						 "", PEERS_SAY_READY },
				       .lends = true };
	const struct recorder better = { .argv = { "perf", "record", "-q", "-e", event, "-a", "-B",
						   "-m", ring, "-o", "", PEERS_SAY_READY },
					 .lends = true };

	peers__name_sets(&sets, BENCH_PER_CALL_MAX, plan->event_bytes ? plan->event_bytes : 16);
	snprintf(ring, sizeof(ring), "%zuK", peers.bench.sizes.cpu_bytes / 1024);
	snprintf(setting, sizeof(setting), "-B -m %s", ring);
	add_recorder(&all, "peat record", "default", &peat);
	if (plan->load.rate <= 0)
		add_recorder(&all, "perf record", "default", &perf);
	add_recorder(&all, "perf record", setting, &better);
	peers__keep_working(plan, &all);
	return peers__measure(plan, &all);
}

int peer_records__measure(void)
{
	struct peers_plan plan = { .workload = "record to a tmpfs",
				   .load = { .producers = 1,
					     .per_call = BENCH_PER_CALL_MAX,
					     .whole_calls = true,
					     .run_ns = peers__run_ns(400) },
				   .rounds = peers__rounds(5),
				   .add_rows = add_recorded_rows };
	static const struct {
		const char *workload;
		double rate;
	} rates[] = { { "record 1 M/s", 1e6 }, { "record 5 M/s", 5e6 } };
	int err, now;

	directory = peers.tmpfs;
	err = measure_recorders(&plan);
	plan.workload = "record 256 bytes";
	plan.event_bytes = 256;
	now = measure_recorders(&plan);
	err = err ? err : now;
	plan.event_bytes = 0;
	directory = peers.disk;
	plan.workload = "record to a disk";
	now = measure_recorders(&plan);
	err = err ? err : now;
	/* A flood is larger if the recorder slows it down less; a fixed rate is equal for all. */
	plan.add_rows = add_rate_rows;
	for (size_t i = 0; i < sizeof(rates) / sizeof(*rates); i++) {
		plan.workload = rates[i].workload;
		plan.load.rate = rates[i].rate;
		now = measure_recorders(&plan);
		err = err ? err : now;
	}
	return err;
}
