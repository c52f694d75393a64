/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* staged_load.h: staged.bpf.c on a channel, and checks of its numbered events. */
#ifndef TESTS_SUPPORT_LOAD_STAGED_LOAD_H
#define TESTS_SUPPORT_LOAD_STAGED_LOAD_H

#include <sys/syscall.h>

#include "support/machine/amount.h"
#include "channel_load.h"
#include "object/globals.h"
#include "live/bpf/staged.bpf.h"

EMBED_TWINS(staged)

static struct bpf_object *object;

static inline void setup(void)
{
	pin_to(0);
}

static inline void open_staged(const struct peat_channel_opts *opts)
{
	open_channel(opts);
	object = add_object(&staged_object);
}

/* The beginning of nearly every test. */
static inline void open_default(void)
{
	open_staged(NULL);
	open_channel_reader(100, 0);
	drain(NULL);
}

static inline void emit_numbered(uint32_t events)
{
	while (events--)
		ck_assert_uint_eq(call(object, "number_one", 0, 0), 0);
}

/* ---- numbered events ------------------------------------------------------------------------- */

#define NUMBERS 500000

static struct {
	uint64_t next[PEAT_SLOTS], time_ns[PEAT_SLOTS], events;
	uint8_t arrived[NUMBERS];
} seen[STAGED_CPUS];

static inline const struct numbered *as_numbered(const struct peat_event *event)
{
	const struct numbered *e = event->data;

	ck_assert_uint_eq(event->size, sizeof(*e));
	ck_assert_str_eq(peat_channel__type_name(channel, event->type), "numbered");
	ck_assert_uint_eq(e->check, ~e->number);
	return e;
}

/* Each event arrives once; events of a slot arrive in order. */
static inline void check_numbered(const struct peat_event *event)
{
	const struct numbered *e = as_numbered(event);

	ck_assert_uint_eq(event->cpu, e->cpu);
	ck_assert_uint_lt(e->cpu, STAGED_CPUS);
	ck_assert_uint_lt(e->slot, PEAT_SLOTS);
	ck_assert_uint_lt(e->number, NUMBERS);
	ck_assert_uint_eq(seen[e->cpu].arrived[e->number]++, 0);
	ck_assert_uint_ge(e->number, seen[e->cpu].next[e->slot]);
	ck_assert_uint_ge(event->time_ns, seen[e->cpu].time_ns[e->slot]);
	seen[e->cpu].next[e->slot] = e->number + 1;
	seen[e->cpu].time_ns[e->slot] = event->time_ns;
	seen[e->cpu].events++;
}

/* ---- threads that emit ----------------------------------------------------------------------- */

static inline uint32_t calls(void)
{
	return amount__at_most("PEAT_TEST_EVENTS", 50000);
}

static uint32_t ended;

static inline void *call_getpgid(void *cpu)
{
	pin_to((uint32_t)(uintptr_t)cpu);
	for (uint32_t i = calls(); i > 0; i--)
		syscall(SYS_getpgid, 0);
	__atomic_add_fetch(&ended, 1, __ATOMIC_RELAXED);
	return NULL;
}

static inline void open_attached(struct bpf_link **link)
{
	uint32_t pid = (uint32_t)getpid(), number = SYS_getpgid;

	open_channel(NULL);
	object = bind_object(&staged_object);
	ck_assert_int_eq(globals__set(object, "only_pid", &pid, 4), 0);
	ck_assert_int_eq(globals__set(object, "getpgid_number", &number, 4), 0);
	object__load(object);
	open_channel_reader(1, 0);
	*link = object__attach(object, "numbered");
}

#endif /* TESTS_SUPPORT_LOAD_STAGED_LOAD_H */
