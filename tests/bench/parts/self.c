// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* self.c: reading a counter of the calling thread: by read(2), from its page, and as peat does. */
#include <linux/perf_event.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <peat/counters.h>

#include "counters/self_page.h"
#include "parts.h"

#define READS 10000

static uint64_t sum; /* of what was read, so that it is read */

/* ---- one event, without the library ---------------------------------------------------------- */

struct raw {
	int fd;
	const struct perf_event_mmap_page *page;
};

static struct raw open_raw(uint32_t type, uint64_t config)
{
	struct perf_event_attr attr = { .size = sizeof(attr),
					.type = type,
					.config = config,
					.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED |
						       PERF_FORMAT_TOTAL_TIME_RUNNING };
	struct raw raw = { .fd = (int)syscall(SYS_perf_event_open, &attr, 0, -1, -1,
					      PERF_FLAG_FD_CLOEXEC) };

	if (raw.fd >= 0)
		raw.page =
			mmap(NULL, (size_t)sysconf(_SC_PAGESIZE), PROT_READ, MAP_SHARED, raw.fd, 0);
	if (raw.fd < 0 || raw.page == MAP_FAILED)
		parts__fail("cannot open and map an event");
	return raw;
}

static uint64_t read_fd(void *context)
{
	const struct raw *raw = context;
	uint64_t values[3];

	for (int i = 0; i < READS; i++) {
		if (read(raw->fd, values, sizeof(values)) != sizeof(values))
			parts__fail("cannot read an event");
		sum += values[0];
	}
	return READS;
}

static uint64_t read_times(void *context)
{
	const struct raw *raw = context;
	struct reading reading = { 0 };

	for (int i = 0; i < READS; i++) {
		if (!self_page__times(raw->page, &self_page__clock, &reading))
			parts__fail("the kernel gives no clock for counters");
		sum += reading.enabled_ns;
	}
	return READS;
}

/* ---- the library ----------------------------------------------------------------------------- */

static struct peat_counters *open_self(const char *events)
{
	const struct peat_counters_opts opts = {
		.sz = sizeof(opts), .events = events, .optional = true, .self = true
	};
	struct peat_counters *counters = peat_counters__new(&opts);

	if (!counters || peat_counters__enable(counters))
		parts__fail("cannot count %s", events);
	return counters;
}

static uint64_t read_self(void *context)
{
	struct peat_counter_value value = { .sz = sizeof(value) };

	for (int i = 0; i < READS; i++) {
		if (peat_counters__read_self(context, 0, &value))
			parts__fail("cannot read a counter");
		sum += value.value;
	}
	return READS;
}

static bool is_supported(struct peat_counters *counters)
{
	struct peat_counter_value value = { .sz = sizeof(value) };

	return !peat_counters__read_self(counters, 0, &value) &&
	       value.status != PEAT_COUNTER_NOT_SUPPORTED;
}

static bool has_times(const struct raw *raw)
{
	struct reading reading;

	return self_page__times(raw->page, &self_page__clock, &reading);
}

/* The rows that this machine can measure. */
void parts_self__measure(struct bench_table *table)
{
	struct raw raw = open_raw(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS);
	struct peat_counters *faults = open_self("page-faults"), *cycles = open_self("cycles:u");
	struct part parts[4] = {
		{ "read(2)", "page-faults", "time per reading", "ns", NULL, read_fd, &raw },
		{ "peat_counters__read_self", "page-faults, by read(2)", "time per reading", "ns",
		  NULL, read_self, faults },
	};
	size_t count = 2;

	if (has_times(&raw))
		parts[count++] = (struct part){
			"times of the page", "page-faults", "time per reading", "ns", NULL,
			read_times,	     &raw
		};
	if (is_supported(cycles))
		parts[count++] = (struct part){ "peat_counters__read_self",
						"cycles:u, by rdpmc",
						"time per reading",
						"ns",
						NULL,
						read_self,
						cycles };
	parts__measure(table, "counters", parts, count);
	peat_counters__free(faults);
	peat_counters__free(cycles);
	munmap((void *)raw.page, (size_t)sysconf(_SC_PAGESIZE));
	close(raw.fd);
}
