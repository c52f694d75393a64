// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* run.c: threads that emit, and one that reads, each on its own CPU. */
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "run.h"
#include "table.h"
#include "cli/base/messages.h"

/* ---- CPUs ------------------------------------------------------------------------------------ */

int bench_run__read_cpus(struct bench_cpus *cpus)
{
	cpu_set_t allowed;

	*cpus = (struct bench_cpus){ 0 };
	if (sched_getaffinity(0, sizeof(allowed), &allowed)) {
		messages__print("cannot read the CPU affinity: %m");
		return -errno;
	}
	for (uint32_t cpu = 0; cpu < CPU_SETSIZE; cpu++) {
		if (!CPU_ISSET(cpu, &allowed))
			continue;
		if (cpus->count < BENCH_PRODUCERS_MAX)
			cpus->producers[cpus->count++] = cpu;
		cpus->reader = cpu;
	}
	return 0;
}

static int pin_to(uint32_t cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	return pthread_setaffinity_np(pthread_self(), sizeof(set), &set);
}

static void sleep_ns(uint64_t ns)
{
	struct timespec time = { (time_t)(ns / 1000000000), (long)(ns % 1000000000) };

	while (clock_nanosleep(CLOCK_MONOTONIC, 0, &time, &time) == EINTR)
		;
}

/* ---- a run ----------------------------------------------------------------------------------- */

struct bench_run;

#define SLICES	 256
#define SLICE_NS 1000000

struct producer {
	struct bench_run *run;
	pthread_t thread;
	uint32_t cpu;
	uint64_t emitted, emit_ns;
	double slices[SLICES]; /* nanoseconds per event */
	uint32_t slice_count;
	int err; /* of moving it to its CPU */
};

struct bench_run {
	struct bench_rig *rig;
	const struct bench_load *load;
	uint32_t cpu;	   /* of the reader */
	atomic_uint ready; /* threads */
	atomic_bool go, stop;
	uint64_t end_ns, reader_ns; /* time when the rings were empty at the end; CPU time */
	int err, pin_err;	    /* of the reader; of moving it to its CPU */
	struct producer producers[BENCH_PRODUCERS_MAX];
};

static void await_go(struct bench_run *run)
{
	atomic_fetch_add(&run->ready, 1);
	while (!atomic_load(&run->go))
		sched_yield();
}

/* ---- emitting -------------------------------------------------------------------------------- */

static void emit(const struct bench_load *load, uint32_t calls)
{
	while (load->call && calls) {
		load->call();
		calls--;
	}
	while (calls--)
		syscall(SYS_getpgid, 0);
}

/* Reads the clock between system calls, but rarely enough not to affect the result. */
static void emit_slice(struct producer *producer)
{
	const struct bench_load *load = producer->run->load;
	uint32_t per_call = load->per_call, calls = load->call ? 1 : 1 + 63 / per_call;
	uint64_t start_ns = bench_rig__now_ns(), passed_ns, emitted = 0;

	do {
		emit(load, calls);
		emitted += (uint64_t)calls * per_call;
		passed_ns = bench_rig__now_ns() - start_ns;
	} while (passed_ns < SLICE_NS);
	producer->emitted += emitted;
	if (producer->slice_count < SLICES)
		producer->slices[producer->slice_count++] = (double)passed_ns / (double)emitted;
}

static void emit_unlimited(struct producer *producer, uint64_t start_ns)
{
	while (bench_rig__now_ns() - start_ns < producer->run->load->run_ns)
		emit_slice(producer);
}

/* Events overdue by more than this, because another task had the CPU, are dropped: a burst of them
 * would not be a fixed rate. */
#define OVERDUE_NS 1000000

/* Each system call emits all events that are due: one, unless the rate leaves no time between two.
 */
static uint64_t emit_at_rate(const struct bench_run *run, uint64_t start_ns)
{
	uint32_t least = run->load->whole_calls ? run->load->per_call : 1;
	uint32_t most = run->load->whole_calls ? run->load->per_call : BENCH_PER_CALL_MAX;
	uint64_t limit = (uint64_t)(run->load->rate * OVERDUE_NS / 1e9) + least;
	uint64_t emitted = 0, dropped = 0, due, passed_ns;

	while ((passed_ns = bench_rig__now_ns() - start_ns) < run->load->run_ns) {
		due = (uint64_t)((double)passed_ns * run->load->rate / 1e9) - dropped;
		if (due < emitted + least)
			continue;
		due -= emitted;
		if (due > limit) {
			dropped += due - limit;
			due = limit;
		}
		if (due > most)
			due = most;
		run->rig->control->per_call = (uint32_t)due;
		emit(run->load, 1);
		emitted += due;
	}
	return emitted;
}

static void *produce(void *context)
{
	struct producer *producer = context;
	struct bench_run *run = producer->run;
	uint64_t start_ns;

	producer->err = -pin_to(producer->cpu);
	await_go(run);
	start_ns = bench_rig__now_ns();
	if (run->load->rate > 0)
		producer->emitted = emit_at_rate(run, start_ns);
	else
		emit_unlimited(producer, start_ns);
	producer->emit_ns = bench_rig__now_ns() - start_ns;
	return NULL;
}

/* ---- reading --------------------------------------------------------------------------------- */

static uint64_t cpu_time_ns(void)
{
	struct timespec used;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
	return (uint64_t)used.tv_sec * 1000000000 + (uint64_t)used.tv_nsec;
}

static void *consume(void *context)
{
	struct bench_run *run = context;
	uint64_t used_ns;

	run->err = run->pin_err = -pin_to(run->cpu);
	await_go(run);
	used_ns = cpu_time_ns();
	while (!run->err && !atomic_load(&run->stop))
		run->err = bench_rig__read(run->rig);
	if (!run->err)
		run->err = bench_rig__finish(run->rig);
	run->end_ns = run->rig->peer_end_ns ? run->rig->peer_end_ns : run->rig->drained_ns;
	run->reader_ns = run->rig->peer_end_ns ? run->rig->peer_ns : cpu_time_ns() - used_ns;
	return NULL;
}

static void on_signal(int number)
{
	(void)number;
}

void bench_run__prepare(void)
{
	/* Without SA_RESTART: the signal ends the wait of any reader. */
	sigaction(SIGUSR1, &(struct sigaction){ .sa_handler = on_signal }, NULL);
}

/* Repeats the signal, since the first one may arrive before the reader waits. */
static void end_reader(struct bench_run *run, pthread_t thread)
{
	struct timespec until;

	atomic_store(&run->stop, true);
	do {
		pthread_kill(thread, SIGUSR1);
		clock_gettime(CLOCK_REALTIME, &until);
		until.tv_nsec += 2000000;
		until.tv_sec += until.tv_nsec / 1000000000;
		until.tv_nsec %= 1000000000;
	} while (pthread_timedjoin_np(thread, NULL, &until) == ETIMEDOUT);
}

/* ---- both ------------------------------------------------------------------------------------ */

/* Returns the number of threads started: fewer than requested after an error. */
static uint32_t start_producers(struct bench_run *run, const struct bench_cpus *cpus, int *err)
{
	uint32_t i;

	for (i = 0; i < run->load->producers && i < cpus->count; i++) {
		struct producer *producer = &run->producers[i];

		producer->run = run;
		producer->cpu = cpus->producers[i];
		*err = -pthread_create(&producer->thread, NULL, produce, producer);
		if (*err)
			break;
	}
	return i;
}

static void sum_up(const struct bench_run *run, uint32_t producers, uint64_t start_ns,
		   struct bench_result *result)
{
	*result = (struct bench_result){ .delivered = run->rig->delivered,
					 .refused = run->rig->control->refused,
					 .elapsed_ns = (double)(run->end_ns - start_ns),
					 .reader_ns = (double)run->reader_ns };
	for (uint32_t i = 0; i < producers; i++) {
		result->emitted += run->producers[i].emitted;
		result->emit_ns += (double)run->producers[i].emit_ns;
	}
	if (producers)
		result->event_ns =
			bench_table__spread(run->producers[0].slices, run->producers[0].slice_count)
				.median;
}

static int run_attached(struct bench_run *run, const struct bench_cpus *cpus,
			struct bench_result *result)
{
	bool reads = bench_rig__has_reader(run->rig);
	uint32_t producers;
	uint64_t start_ns;
	pthread_t reader;
	int err = 0;

	if (reads)
		err = -pthread_create(&reader, NULL, consume, run);
	if (err)
		return err;
	producers = start_producers(run, cpus, &err);
	while (atomic_load(&run->ready) < producers + reads)
		sched_yield();
	start_ns = bench_rig__now_ns();
	atomic_store(&run->go, true);
	for (uint32_t i = 0; i < producers; i++) {
		pthread_join(run->producers[i].thread, NULL);
		if (run->producers[i].err)
			err = run->producers[i].err;
	}
	if (!producers)
		sleep_ns(run->load->run_ns);
	sleep_ns(run->load->linger_ns);
	run->end_ns = bench_rig__now_ns();
	if (reads)
		end_reader(run, reader);
	sum_up(run, producers, start_ns, result);
	return err ? err : run->err;
}

static void report(const struct bench_run *run, int err)
{
	const struct bench_transport *transport = run->rig->transport;
	const struct producer *producer = run->producers;

	while (producer < run->producers + BENCH_PRODUCERS_MAX && !producer->err)
		producer++;
	if (run->pin_err || producer < run->producers + BENCH_PRODUCERS_MAX)
		messages__print(
			"cannot run on CPU %u: %s: it has gone offline, or this process may "
			"no longer use it: run peat bench again",
			run->pin_err ? run->cpu : producer->cpu, strerror(-err));
	else
		messages__print("cannot run %s, %s: %s", bench_rig__transport_name(transport),
				transport->setting, strerror(-err));
}

int bench_run__load(struct bench_rig *rig, const struct bench_cpus *cpus,
		    const struct bench_load *load, struct bench_result *result)
{
	struct bench_run run = { .rig = rig, .load = load, .cpu = cpus->reader };
	int err = bench_rig__attach(rig);

	rig->control->per_call = load->per_call;
	rig->control->refused = 0;
	rig->delivered = 0;
	rig->latency_count = 0;
	rig->last_poll_ns = bench_rig__now_ns();
	rig->peer_ns = rig->peer_end_ns = 0;
	if (!err)
		err = run_attached(&run, cpus, result);
	bench_rig__detach(rig);
	if (err)
		report(&run, err);
	return err;
}
