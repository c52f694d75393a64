// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* counters/self_page.c: a counter of the calling thread, read from its page. */
#include <stddef.h>

#include "counters/self_page.h"

/* ---- processors ------------------------------------------------------------------------------ */

#if defined(__x86_64__)

static uint64_t read_cycles(void)
{
	uint32_t low, high;

	__asm__ volatile("rdtsc" : "=a"(low), "=d"(high));
	return (uint64_t)high << 32 | low;
}

static uint64_t read_counter(uint32_t index)
{
	uint32_t low, high;

	__asm__ volatile("rdpmc" : "=a"(low), "=d"(high) : "c"(index));
	return (uint64_t)high << 32 | low;
}

const struct self_clock self_page__clock = { read_cycles, read_counter };

void self_page__request(struct perf_event_attr *attr)
{
	(void)attr; /* rdpmc is allowed where the page says so:
		       /sys/bus/event_source/devices/cpu/rdpmc */
}

#elif defined(__aarch64__)

static uint64_t read_cycles(void)
{
	uint64_t cycles;

	__asm__ volatile("isb\n\tmrs %0, cntvct_el0" : "=r"(cycles));
	return cycles;
}

/* A register is part of the instruction. */
#define READ_EVENT(n)                                                                              \
	case n:                                                                                    \
		__asm__ volatile("mrs %0, pmevcntr" #n "_el0" : "=r"(value));                      \
		break;
#define READ_EVENTS_3(a, b, c) READ_EVENT(a) READ_EVENT(b) READ_EVENT(c)
#define READ_EVENTS_7(a, b, c, d, e, f, g)                                                         \
	READ_EVENTS_3(a, b, c) READ_EVENTS_3(d, e, f) READ_EVENT(g)

#define CYCLE_COUNTER	  31

static uint64_t read_counter(uint32_t index)
{
	uint64_t value = 0;

	if (index == CYCLE_COUNTER)
		__asm__ volatile("mrs %0, pmccntr_el0" : "=r"(value));
	switch (index) {
		READ_EVENTS_7(0, 1, 2, 3, 4, 5, 6)
		READ_EVENTS_7(7, 8, 9, 10, 11, 12, 13)
		READ_EVENTS_7(14, 15, 16, 17, 18, 19, 20)
		READ_EVENTS_7(21, 22, 23, 24, 25, 26, 27)
		READ_EVENTS_3(28, 29, 30)
	}
	return value;
}

const struct self_clock self_page__clock = { read_cycles, read_counter };

/*
 * config1:1, "rdpmc", from Linux 5.17 on; kernels before ignore it.  kernel.perf_user_access has to
 * be 1 besides: otherwise the page does not allow it.
 */
#define WANTS_USER_ACCESS 2

void self_page__request(struct perf_event_attr *attr)
{
	if (attr->type == PERF_TYPE_HARDWARE || attr->type == PERF_TYPE_HW_CACHE ||
	    attr->type == PERF_TYPE_RAW)
		attr->config1 |= WANTS_USER_ACCESS;
}

#else

const struct self_clock self_page__clock;

void self_page__request(struct perf_event_attr *attr)
{
	(void)attr;
}

#endif

/* ---- the page -------------------------------------------------------------------------------- */

/* The kernel changes a page of this thread only while the thread does not run: twice is rare. */
#define TRIES 100

/* The values of one pass over the page. */
struct view {
	uint64_t capabilities, enabled_ns, running_ns;
	uint64_t cycles, time_offset, time_cycles, time_mask;
	uint32_t index, time_mult;
	uint16_t time_shift, width;
	uint64_t offset, counter;
};

/* As the bits of struct perf_event_mmap_page. */
enum { CAN_READ_COUNTER = 1 << 2, HAS_TIME = 1 << 3, HAS_SHORT_TIME = 1 << 5 };

#define LOAD(member) __atomic_load_n(&page->member, __ATOMIC_RELAXED)

/* The clock and the counter are read between the loads, so that they belong to them. */
static void look(const struct perf_event_mmap_page *page, const struct self_clock *clock,
		 struct view *view)
{
	view->capabilities = LOAD(capabilities);
	view->enabled_ns = LOAD(time_enabled);
	view->running_ns = LOAD(time_running);
	view->cycles = clock->cycles();
	view->time_offset = LOAD(time_offset);
	view->time_mult = LOAD(time_mult);
	view->time_shift = LOAD(time_shift);
	view->time_cycles = LOAD(time_cycles);
	view->time_mask = LOAD(time_mask);
	view->index = LOAD(index);
	view->offset = (uint64_t)LOAD(offset);
	view->width = LOAD(pmc_width);
	if (view->capabilities & CAN_READ_COUNTER && view->index)
		view->counter = clock->counter(view->index - 1);
}

/* The lock is odd while the kernel writes, and another number afterwards. */
static bool view_page(const struct perf_event_mmap_page *page, const struct self_clock *clock,
		      struct view *view)
{
	for (int i = 0; clock->cycles && i < TRIES; i++) {
		uint32_t before = LOAD(lock);

		__atomic_thread_fence(__ATOMIC_ACQUIRE);
		look(page, clock, view);
		__atomic_thread_fence(__ATOMIC_ACQUIRE);
		if (!(before & 1) && before == LOAD(lock))
			return view->capabilities & HAS_TIME && view->time_shift < 64;
	}
	return false;
}

/* Nanoseconds since the kernel has written the page. */
static uint64_t time_since(const struct view *view)
{
	uint64_t cycles = view->cycles, whole, rest;

	if (view->capabilities & HAS_SHORT_TIME)
		cycles = view->time_cycles + ((cycles - view->time_cycles) & view->time_mask);
	whole = cycles >> view->time_shift;
	rest = cycles & ((1ULL << view->time_shift) - 1);
	return view->time_offset + whole * view->time_mult +
	       (rest * view->time_mult >> view->time_shift);
}

static void set_times(const struct view *view, struct reading *reading)
{
	uint64_t since = time_since(view);

	reading->enabled_ns = view->enabled_ns + since;
	reading->running_ns = view->running_ns + (view->index ? since : 0);
}

bool self_page__times(const struct perf_event_mmap_page *page, const struct self_clock *clock,
		      struct reading *reading)
{
	struct view view;

	if (!view_page(page, clock, &view))
		return false;
	set_times(&view, reading);
	return true;
}

/* The counter has `width` bits, and a sign. */
static uint64_t extended(uint64_t counter, uint16_t width)
{
	int unused = 64 - width;

	return (uint64_t)((int64_t)(counter << unused) >> unused);
}

bool self_page__read(const struct perf_event_mmap_page *page, const struct self_clock *clock,
		     struct reading *reading)
{
	struct view view = { 0 };

	if (!view_page(page, clock, &view) || !(view.capabilities & CAN_READ_COUNTER) ||
	    view.width < 1 || view.width > 64)
		return false;
	set_times(&view, reading);
	reading->value = view.offset + (view.index ? extended(view.counter, view.width) : 0);
	return true;
}
