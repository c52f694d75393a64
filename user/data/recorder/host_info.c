// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* recorder/host_info.c: reads the machine's description from uname(), sysconf() and /proc. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include <peat/peat.h>

#include "perf_data/write/feature_encode.h"
#include "recorder/host_info.h"
#include "base/monotonic.h"
#include "perf_data/features.h"

#define LINE_BYTES 4096

/* Reads the value of the first line "key : value", without its newline.  False: there is none. */
static bool read_proc_value(const char *path, const char *key, char value[LINE_BYTES])
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

/* The key differs by architecture or is missing; perf 6.1 needs a non-empty CPUDESC anyway. */
static void read_cpu_name(char value[LINE_BYTES], const char *machine)
{
	static const char *const keys[] = { "model name", "Processor", "cpu model", "cpu",
					    "vendor_id" };

	for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++)
		if (read_proc_value("/proc/cpuinfo", keys[i], value) && *value)
			return;
	snprintf(value, LINE_BYTES, "%s", machine);
}

static int add_host_names(struct perf_writer *writer)
{
	char cpu[LINE_BYTES];
	struct utsname host;
	int err = 0;

	if (uname(&host))
		return -errno;
	read_cpu_name(cpu, host.machine);

	const struct {
		unsigned bit;
		const char *text;
	} names[] = {
		{ FEATURE_HOSTNAME, host.nodename },
		{ FEATURE_OSRELEASE, host.release },
		{ FEATURE_VERSION, "peat " PEAT_VERSION },
		{ FEATURE_ARCH, host.machine },
		{ FEATURE_CPUDESC, cpu },
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(*names) && !err; i++) {
		struct strbuf text = { 0 };

		feature_encode__text(&text, names[i].text);
		err = perf_writer__feature_strbuf(writer, names[i].bit, &text);
	}
	return err;
}

static int add_cpus_and_memory(struct perf_writer *writer)
{
	struct strbuf cpus = { 0 }, total = { 0 };
	long available = sysconf(_SC_NPROCESSORS_CONF), online = sysconf(_SC_NPROCESSORS_ONLN);
	char memory[LINE_BYTES];
	int err;

	feature_encode__nrcpus(&cpus, available > 0 ? (uint32_t)available : 1,
			       online > 0 ? (uint32_t)online : 1);
	err = perf_writer__feature_strbuf(writer, FEATURE_NRCPUS, &cpus);
	if (err || !read_proc_value("/proc/meminfo", "MemTotal", memory))
		return err;
	feature_encode__total_mem(&total, strtoull(memory, NULL, 10));
	return perf_writer__feature_strbuf(writer, FEATURE_TOTAL_MEM, &total);
}

static uint64_t wall_ns(void)
{
	struct timespec now = { 0 };

	clock_gettime(CLOCK_REALTIME, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

static int add_clock(struct perf_writer *writer)
{
	struct strbuf clock = { 0 }, reference = { 0 };
	struct timespec resolution = { .tv_nsec = 1 };
	int err;

	clock_getres(CLOCK_MONOTONIC, &resolution);
	feature_encode__clockid(&clock, (uint64_t)resolution.tv_nsec);
	err = perf_writer__feature_strbuf(writer, FEATURE_CLOCKID, &clock);
	if (err)
		return err;
	feature_encode__clock_data(&reference, CLOCK_MONOTONIC, wall_ns(), monotonic_ns());
	return perf_writer__feature_strbuf(writer, FEATURE_CLOCK_DATA, &reference);
}

int host_info__add(struct perf_writer *writer, const char *const *args)
{
	struct strbuf cmdline = { 0 };
	int err = add_host_names(writer);

	if (!err)
		err = add_cpus_and_memory(writer);
	if (!err)
		err = add_clock(writer);
	if (err)
		return err;
	feature_encode__cmdline(&cmdline, args);
	return perf_writer__feature_strbuf(writer, FEATURE_CMDLINE, &cmdline);
}
