// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* soaked_agent.c: configures and measures the agent. */
#include <dirent.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "collector.h"
#include "soaked_agent.h"
#include "support/agent/logged_agent.h"
#include "support/machine/harness.h"
#include "support/machine/process.h"
#include "support/machine/scratch.h"

#define MIB (UINT64_C(1) << 20)

/* ---- configurations -------------------------------------------------------------------------- */

/* The bound of user/doc/agent.md, for the configuration below. */
uint64_t soaked_agent__most_bytes(void)
{
	const uint64_t outputs = 4, queues = 2 * MIB + 2 * MIB + 1 * MIB + 1 * MIB;
	const uint64_t pipelines = 7, rings = 3 * 4 * MIB, names = 5 * 16 * MIB;
	const uint64_t flight = (uint64_t)sysconf(_SC_NPROCESSORS_CONF) * MIB;
	const uint64_t series = 1000 << 10, rows = 1000 << 10;

	return 32 * MIB + queues + outputs * 2 * MIB + series + pipelines * MIB + rings + flight +
	       names + rows;
}

static char flood_sets[3][48];

void soaked_agent__set_producer(pid_t producer, unsigned each)
{
	snprintf(flood_sets[0], sizeof(flood_sets[0]), "flood_pid=%d", (int)producer);
	snprintf(flood_sets[1], sizeof(flood_sets[1]), "flood_syscall=%d", (int)SYS_getpgid);
	snprintf(flood_sets[2], sizeof(flood_sets[2]), "flood_per_call=%u", each);
}

static FILE *open_config(void)
{
	FILE *file = fopen(scratch__path(LOGGED_AGENT_CONFIG), "w");

	ck_assert_ptr_nonnull(file);
	return file;
}

static void write_outputs(FILE *file, unsigned variant)
{
	fprintf(file,
		"agent: {socket: %s, drain: 1s, alerts: journal, alert-interval: 1s}\n"
		"outputs:\n"
		"  archive: {file: %s/events.json, compress: zstd, level: %u, max-size: 1M, "
		"quota: 12M, queue: 2M}\n",
		scratch__path(LOGGED_AGENT_SOCKET), scratch__path(SOAK_DISK), variant % 3 + 1);
	fprintf(file,
		"  collector: {otlp: \"http://127.0.0.1:%u\", compression: none, timeout: %us, "
		"queue: 2M, when-full: drop-oldest}\n"
		"  pages: {prometheus: \"unix:%s\", queue: 1M, max-series: 1000}\n"
		"  journal: {journal: journald, socket: %s, queue: 1M, when-full: drop-newest}\n",
		COLLECTOR_PORT, variant % 2 + 2, scratch__path(SOAK_PAGES),
		scratch__path(SOAK_JOURNAL));
}

/* Variants: other settings, other outputs, a pipeline less. */
static void write_pipelines(FILE *file, unsigned variant)
{
	fprintf(file,
		"pipelines:\n"
		"  flood:\n    source: %s\n    set: [\"%s\", \"%s\", \"%s\"]\n    memory: 4M\n"
		"    no-prog: [flood_softirq, flood_timer, flood_waking, flood_switch, "
		"flood_clock]\n    outputs: [archive, collector%s]\n",
		scratch__path("flood.bpf.o"), flood_sets[0], flood_sets[1], flood_sets[2],
		variant % 5 == 1 ? ", journal" : "");
	fprintf(file,
		"  opens: {source: open, count: comm, interval: %us, memory: 4M, outputs: pages}\n"
		"  switches: {stat: context-switches, interval: 1s, outputs: [pages, archive]}\n"
		"  self: {ledger: yes, interval: %us, outputs: collector}\n",
		variant % 2 + 1, variant % 4 + 1);
	if (variant % 3 != 1)
		fprintf(file,
			"  execs: {source: exec, where: pid > %u, memory: 4M, "
			"outputs: [journal, archive]}\n",
			variant % 7);
	if (variant % 4 != 2)
		fprintf(file, "  recorder: {source: exit, flight: 1M, on: exec, at-most-every: 1s, "
			      "outputs: collector}\n");
}

void soaked_agent__configure(unsigned variant)
{
	FILE *file = open_config();

	write_outputs(file, variant);
	write_pipelines(file, variant);
	ck_assert_int_eq(fclose(file), 0);
}

void soaked_agent__configure_wrongly(void)
{
	FILE *file = open_config();

	fprintf(file, "agent: {alerts: journal}\noutputs: {journal: {journal: auto}}\n"
		      "pipelines: {x: {source: nosuch, outputs: journal}}\n");
	ck_assert_int_eq(fclose(file), 0);
}

/* ---- its use of the machine ------------------------------------------------------------------ */

static uint64_t status_bytes(const char *name)
{
	char path[64], line[256];
	uint64_t kib = 0;
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%d/status", (int)logged_agent__pid());
	file = fopen(path, "r");
	ck_assert_ptr_nonnull(file);
	while (fgets(line, sizeof(line), file))
		if (!strncmp(line, name, strlen(name)))
			kib = strtoull(line + strlen(name), NULL, 10);
	fclose(file);
	ck_assert_uint_gt(kib, 0);
	return kib << 10;
}

uint64_t soaked_agent__resident_bytes(void)
{
	return status_bytes("VmRSS:");
}

uint64_t soaked_agent__peak_bytes(void)
{
	return status_bytes("VmHWM:");
}

/* Connections of servers and clients come and go. */
unsigned soaked_agent__fds(void)
{
	char path[64 + NAME_MAX], target[64];
	struct dirent *entry;
	unsigned count = 0;
	ssize_t bytes;
	DIR *folder;

	snprintf(path, sizeof(path), "/proc/%d/fd", (int)logged_agent__pid());
	folder = opendir(path);
	ck_assert_ptr_nonnull(folder);
	while ((entry = readdir(folder))) {
		snprintf(path, sizeof(path), "/proc/%d/fd/%s", (int)logged_agent__pid(),
			 entry->d_name);
		bytes = readlink(path, target, sizeof(target) - 1);
		count += bytes > 0 && strncmp(target, "socket:", 7) != 0;
	}
	closedir(folder);
	return count;
}

unsigned soaked_agent__bpf_fds(void)
{
	return process__count_bpf_fds(logged_agent__pid());
}
