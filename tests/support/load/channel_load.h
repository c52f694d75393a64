/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * channel_load.h: a channel, its reader, and programs that are run one call at a time; checks of
 * events and of the ledger.
 */
#ifndef TESTS_SUPPORT_LOAD_CHANNEL_LOAD_H
#define TESTS_SUPPORT_LOAD_CHANNEL_LOAD_H

#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>
#include <bpf/bpf.h>

#include <peat/peat.h>

#include "sys/cpus.h"
#include "support/machine/harness.h"
#include "support/machine/object.h"
#include "support/machine/process.h"
#include "peat/wire.h"

static struct peat_channel *channel;
static struct peat_reader *reader;
static struct bpf_object *objects[4];
static char messages[8192];

/* ---- opening --------------------------------------------------------------------------------- */

static inline void keep_messages(enum peat_log_level level, const char *text)
{
	size_t used = strlen(messages);

	if (level <= PEAT_LOG_WARN)
		snprintf(messages + used, sizeof(messages) - used, "%s\n", text);
}

static inline void open_channel(const struct peat_channel_opts *opts)
{
	peat_set_print(keep_messages);
	channel = peat_channel__new(opts);
	ck_assert_msg(channel, "%s", messages);
}

/* close_all() closes the object. */
static inline struct bpf_object *keep_object(struct bpf_object *object)
{
	size_t i = 0;

	while (objects[i])
		i++;
	ck_assert_uint_lt(i, sizeof(objects) / sizeof(*objects));
	return objects[i] = object;
}

/* Opens and binds the object, but does not load it. */
static inline struct bpf_object *bind_object(const struct object_file *file)
{
	struct bpf_object *object = keep_object(object__open(file));

	ck_assert_msg(!peat_channel__bind(channel, object), "%s", messages);
	return object;
}

static inline struct bpf_object *add_object(const struct object_file *file)
{
	struct bpf_object *object = bind_object(file);

	object__load(object);
	return object;
}

static inline uint32_t possible_cpus(void)
{
	struct cpus cpus;
	uint32_t limit;

	ck_assert_int_eq(cpus__read(&cpus, "possible"), 0);
	limit = cpus.limit;
	cpus__free(&cpus);
	return limit;
}

static inline struct cpus online_cpus(void)
{
	struct cpus cpus;

	ck_assert_int_eq(cpus__read(&cpus, "online"), 0);
	return cpus;
}

/* Memory with which each ring has ring_bytes, or a page. */
static inline uint64_t memory_for(uint64_t ring_bytes, uint64_t slot_bytes)
{
	struct cpus cpus = online_cpus();
	uint64_t bytes = cpus__count(&cpus) * ring_bytes;

	cpus__free(&cpus);
	return bytes + possible_cpus() * PEAT_SLOTS * slot_bytes;
}

static inline void open_channel_reader(uint32_t latency_ms, uint64_t memory_bytes)
{
	struct peat_reader_opts opts = PEAT_READER_OPTS_INIT;

	opts.latency_ms = latency_ms;
	opts.immediate = !latency_ms;
	opts.memory_bytes = memory_bytes;
	reader = peat_reader__new(channel, &opts);
	ck_assert_msg(reader, "%s", messages);
}

/* Events are ordered by time. */
static inline void open_ordered_reader(uint32_t latency_ms)
{
	struct peat_reader_opts opts = PEAT_READER_OPTS_INIT;

	opts.latency_ms = latency_ms;
	opts.immediate = !latency_ms;
	opts.ordered = true;
	reader = peat_reader__new(channel, &opts);
	ck_assert_msg(reader, "%s", messages);
}

static inline void close_reader(void)
{
	peat_reader__free(reader);
	reader = NULL;
}

static inline void close_all(void)
{
	close_reader();
	for (size_t i = 0; i < sizeof(objects) / sizeof(*objects); i++) {
		bpf_object__close(objects[i]);
		objects[i] = NULL;
	}
	peat_channel__free(channel);
	channel = NULL;
}

/* ---- running --------------------------------------------------------------------------------- */

static inline void pin_to(uint32_t cpu)
{
	ck_assert_int_eq(process__pin_to(cpu), 0);
}

/* Runs a raw tracepoint program once on this CPU.  Returns its return value. */
static inline uint32_t call(struct bpf_object *object, const char *program, uint64_t first,
			    uint64_t second)
{
	uint64_t args[12] = { first, second };
	LIBBPF_OPTS(bpf_test_run_opts, opts, .ctx_in = args, .ctx_size_in = sizeof(args));
	int err = bpf_prog_test_run_opts(object__program_fd(object, program), &opts);

	ck_assert_msg(!err, "running %s: %s", program, strerror(-err));
	return opts.retval;
}

static inline uint64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

/* ---- the stage ------------------------------------------------------------------------------- */

/* Memory of the stage, as programs see it. */
static inline unsigned char *map_stage(const struct bpf_object *object, size_t *slot_bytes)
{
	const struct bpf_map *map = bpf_object__find_map_by_name(object, "peat_stage");
	void *memory;

	*slot_bytes = bpf_map__value_size(map);
	memory = mmap(NULL, *slot_bytes * possible_cpus() * PEAT_SLOTS, PROT_READ | PROT_WRITE,
		      MAP_SHARED, bpf_map__fd(map), 0);
	ck_assert_ptr_ne(memory, MAP_FAILED);
	return memory;
}

/* Events that programs have staged so far: neither rejected nor counted by them. */
static inline uint64_t count_transported(const struct bpf_object *object)
{
	size_t slot_bytes, slots = possible_cpus() * PEAT_SLOTS;
	unsigned char *memory = map_stage(object, &slot_bytes);
	uint64_t count = 0;

	for (size_t i = 0; i < slots; i++)
		count += ((struct peat_slot *)(void *)(memory + i * slot_bytes))->seq;
	munmap(memory, slot_bytes * slots);
	return count;
}

/* ---- reading --------------------------------------------------------------------------------- */

typedef void (*event_fn)(const struct peat_event *event);

/* Reads the available events and calls `check` for each.  Returns their number. */
static inline uint64_t drain(event_fn check)
{
	const struct peat_event *event;
	uint64_t events = 0;

	while (peat_reader__next(reader, &event) > 0) {
		if (event->kind != PEAT_EVENT_DATA)
			continue;
		ck_assert_uint_eq((uintptr_t)event->data % 8, 0);
		if (check)
			check(event);
		events++;
	}
	return events;
}

/* Reads all events, including staged ones. */
static inline uint64_t drain_all(event_fn check)
{
	uint64_t events = drain(check); /* a drain may have begun */

	peat_reader__flush(reader);
	return events + drain(check);
}

/* Waits, as a program would, until `wanted` events have arrived, at most 20 s.  Returns their
 * number. */
static inline uint64_t await(uint64_t wanted, event_fn check)
{
	uint64_t events = 0, deadline_ns = now_ns() + 20000000000;

	while (events < wanted && now_ns() < deadline_ns)
		if (peat_reader__wait(reader, 1000) > 0)
			events += drain(check);
	return events;
}

static inline struct peat_ledger ledger_of(uint32_t cpu)
{
	struct peat_ledger ledger = { .sz = sizeof(ledger) };

	ck_assert_int_eq(peat_reader__ledger(reader, cpu, &ledger), 0);
	return ledger;
}

static inline struct peat_ledger ledger_now(void)
{
	return ledger_of(PEAT_ALL_CPUS);
}

static inline struct peat_reader_stats stats_now(void)
{
	struct peat_reader_stats stats = { .sz = sizeof(stats) };

	ck_assert_int_eq(peat_reader__stats(reader, &stats), 0);
	return stats;
}

/* Checks the ledger after all events have been read. */
static inline void check_balanced(const struct peat_ledger *ledger)
{
	ck_assert_uint_eq(ledger->in_ring, 0);
	ck_assert_uint_eq(ledger->staged, 0);
	ck_assert_uint_eq(ledger->held, 0);
	ck_assert_uint_eq(ledger->corrupt, 0);
	ck_assert_uint_eq(ledger->overwritten, 0);
	ck_assert_uint_eq(ledger->emitted, ledger->delivered + ledger->filtered + ledger->counted +
						   peat_ledger__lost(ledger));
	ck_assert_uint_eq(ledger->frames_ring_full, ledger->frames_lost);
}

/*
 * Reads all remaining events and calls `check` for each.  Checks that the ledger of each CPU is
 * balanced, and that the total is their sum.  Returns the total.
 */
static inline struct peat_ledger finish(event_fn check)
{
	struct peat_ledger all, one;
	uint64_t emitted = 0, delivered = 0;

	drain_all(check);
	for (uint32_t cpu = 0; cpu < possible_cpus(); cpu++) {
		one = ledger_of(cpu);
		check_balanced(&one);
		emitted += one.emitted;
		delivered += one.delivered;
	}
	all = ledger_now();
	check_balanced(&all);
	ck_assert_uint_eq(all.emitted, emitted);
	ck_assert_uint_eq(all.delivered, delivered);
	ck_assert_uint_eq(stats_now().events, delivered);
	ck_assert_uint_eq(stats_now().corrupt, 0);
	ck_assert_uint_eq(stats_now().lost, peat_ledger__lost(&all));
	return all;
}

/* Checks that every event was delivered and none was lost. */
static inline void finish_whole(uint64_t emitted, event_fn check)
{
	struct peat_ledger ledger = finish(check);

	ck_assert_uint_eq(ledger.emitted, emitted);
	ck_assert_uint_eq(ledger.delivered, emitted);
	ck_assert_uint_eq(peat_ledger__lost(&ledger), 0);
	ck_assert_uint_eq(ledger.misuse, 0);
	ck_assert_uint_eq(ledger.discarded, 0);
}

#endif /* TESTS_SUPPORT_LOAD_CHANNEL_LOAD_H */
