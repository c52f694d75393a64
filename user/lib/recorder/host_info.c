// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* host_facts.c: the machine, as its kernel and /proc tell. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <peat/peat.h>

#include "perf_data/write/feature_encode.h"
#include "recorder/host_info.h"
#include "base/internal.h"
#include "perf_data/describe/features.h"

#define LINE_BYTES 4096

/* The value of the first line "key : value", without its end; false: there is none. */
static bool find_line(const char *path, const char *key, char value[LINE_BYTES])
{
	FILE *file = fopen(path, "re");
	size_t count = strlen(key);
	bool found = false;

	while (file && !found && fgets(value, LINE_BYTES, file)) {
		char *colon = strchr(value, ':');

		found = !strncmp(value, key, count) && colon &&
			strspn(value + count, " \t") == (size_t)(colon - value) - count;
		if (found) {
			colon += 1 + strspn(colon + 1, " \t");
			colon[strcspn(colon, "\n")] = '\0';
			memmove(value, colon, strlen(colon) + 1);
		}
	}
	if (file)
		fclose(file);
	return found;
}

/* Architectures call it by many names, or by none: perf 6.1 wants some text all the same. */
static void describe_cpu(char value[LINE_BYTES], const char *machine)
{
	static const char *const keys[] = { "model name", "Processor", "cpu model", "cpu",
					    "vendor_id" };

	for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++)
		if (find_line("/proc/cpuinfo", keys[i], value) && *value)
			return;
	snprintf(value, LINE_BYTES, "%s", machine);
}

/* The feature that was put together, which is gone then. */
static int give(struct perf_writer *writer, unsigned bit, struct out *out)
{
	int err = out->failed ? -ENOMEM : perf_writer__feature(writer, bit, out->bytes, out->count);

	out->count = 0;
	return err;
}

static int give_text(struct perf_writer *writer, unsigned bit, struct out *out, const char *text)
{
	feature_encode__text(out, text);
	return give(writer, bit, out);
}

static int add_names(struct perf_writer *writer, struct out *out)
{
	char cpu[LINE_BYTES];
	struct utsname host;
	int err;

	if (uname(&host))
		return -errno;
	describe_cpu(cpu, host.machine);
	err = give_text(writer, FEATURE_HOSTNAME, out, host.nodename);
	if (!err)
		err = give_text(writer, FEATURE_OSRELEASE, out, host.release);
	if (!err)
		err = give_text(writer, FEATURE_VERSION, out, "peat " PEAT_VERSION);
	if (!err)
		err = give_text(writer, FEATURE_ARCH, out, host.machine);
	if (!err)
		err = give_text(writer, FEATURE_CPUDESC, out, cpu);
	return err;
}

static int add_amounts(struct perf_writer *writer, struct out *out)
{
	long available = sysconf(_SC_NPROCESSORS_CONF), online = sysconf(_SC_NPROCESSORS_ONLN);
	char memory[LINE_BYTES];
	int err;

	feature_encode__nrcpus(out, available > 0 ? (uint32_t)available : 1,
			       online > 0 ? (uint32_t)online : 1);
	err = give(writer, FEATURE_NRCPUS, out);
	if (err || !find_line("/proc/meminfo", "MemTotal", memory))
		return err;
	feature_encode__total_mem(out, strtoull(memory, NULL, 10));
	return give(writer, FEATURE_TOTAL_MEM, out);
}

static uint64_t clock_ns(clockid_t clock)
{
	struct timespec now = { 0 };

	clock_gettime(clock, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

static int add_clock(struct perf_writer *writer, struct out *out)
{
	struct timespec resolution = { .tv_nsec = 1 };
	int err;

	clock_getres(CLOCK_MONOTONIC, &resolution);
	feature_encode__clockid(out, (uint64_t)resolution.tv_nsec);
	err = give(writer, FEATURE_CLOCKID, out);
	if (err)
		return err;
	feature_encode__clock_data(out, CLOCK_MONOTONIC, clock_ns(CLOCK_REALTIME),
				   clock_ns(CLOCK_MONOTONIC));
	return give(writer, FEATURE_CLOCK_DATA, out);
}

int host_facts__add(struct perf_writer *writer, const char *const *args)
{
	struct out out = { 0 };
	int err = add_names(writer, &out);

	if (!err)
		err = add_amounts(writer, &out);
	if (!err)
		err = add_clock(writer, &out);
	if (!err) {
		feature_encode__cmdline(&out, args);
		err = give(writer, FEATURE_CMDLINE, &out);
	}
	out__free(&out);
	return err;
}
