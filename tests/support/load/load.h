/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* load.h: burst.bpf.c, loaded for this process, and its counters. */
#ifndef TESTS_SUPPORT_LOAD_LOAD_H
#define TESTS_SUPPORT_LOAD_LOAD_H

#include <sched.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <check.h>

#include "live/bpf/burst.bpf.h"
#include "support/machine/object.h"
#include "support/machine/process.h"

EMBED_OBJECT(burst)

struct load {
	struct bpf_object *object;
	struct bpf_link *link;
	/* Variables of the program. */
	volatile uint32_t *per_call, *event_bytes;
	const volatile struct burst_counts *counts; /* per CPU */
};

static inline void load__set(const struct load *load, const char *name, uint32_t value)
{
	*(uint32_t *)object__variable(load->object, name, sizeof(value)) = value;
}

/* Loads the object, but does not attach it. */
static inline struct load *load__open(void)
{
	struct load *load = calloc(1, sizeof(*load));

	ck_assert_ptr_nonnull(load);
	load->object = object__open(&burst_object);
	load__set(load, "only_pid", (uint32_t)getpid());
	load__set(load, "getpgid_number", SYS_getpgid);
	object__load(load->object);
	load->per_call = object__variable(load->object, "per_call", sizeof(*load->per_call));
	load->event_bytes =
		object__variable(load->object, "event_bytes", sizeof(*load->event_bytes));
	load->counts = object__variable(load->object, "counts", BURST_CPUS * sizeof(*load->counts));
	return load;
}

static inline void load__attach(struct load *load)
{
	load->link = object__attach(load->object, "burst");
}

static inline void load__free(struct load *load)
{
	bpf_link__destroy(load->link);
	bpf_object__close(load->object);
	free(load);
}

static inline int load__map_fd(const struct load *load)
{
	return object__map_fd(load->object, "events");
}

static inline void load__pin(uint32_t cpu)
{
	ck_assert_int_eq(process__pin_to(cpu), 0);
}

/* Emits `calls` times per_call events on this CPU. */
static inline void load__emit(uint32_t calls)
{
	while (calls--)
		syscall(SYS_getpgid, 0);
}

#endif /* TESTS_SUPPORT_LOAD_LOAD_H */
