// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* pmu_tree.c: made-up PMUs of sysfs and tracepoints of tracefs. */
#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <peat/log.h>

#include "unit/pmu/pmu_tree.h"
#include "unit/suite.h"

int pmu_tree__new(void)
{
	char path[] = "/tmp/peat-pmu-XXXXXX";
	int fd;

	ck_assert_ptr_nonnull(mkdtemp(path));
	fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	ck_assert_int_ge(fd, 0);
	return fd;
}

void pmu_tree__add(int tree, const char *path, const char *text)
{
	char part[256];
	int fd;

	for (const char *slash = strchr(path, '/'); slash; slash = strchr(slash + 1, '/')) {
		snprintf(part, sizeof(part), "%.*s", (int)(slash - path), path);
		mkdirat(tree, part, 0755);
	}
	fd = openat(tree, path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(write(fd, text, strlen(text)), (ssize_t)strlen(text));
	close(fd);
}

struct file {
	const char *path, *text;
};

static int make(const struct file *files, size_t count)
{
	int tree = pmu_tree__new();

	for (size_t i = 0; i < count; i++)
		pmu_tree__add(tree, files[i].path, files[i].text);
	return tree;
}

#define MAKE(files) make(files, sizeof(files) / sizeof(*(files)))

int pmu_tree__server(void)
{
	static const struct file files[] = {
		{ "cpu/type", "4\n" },
		{ "cpu/format/event", "config:0-7,32-35\n" },
		{ "cpu/format/umask", "config:8-15\n" },
		{ "cpu/format/edge", "config:18\n" },
		{ "cpu/format/inv", "config:23\n" },
		{ "cpu/format/cmask", "config:24-31\n" },
		{ "cpu/format/ldlat", "config1:0-15\n" },
		{ "cpu/format/offcore_rsp", "config1:0-63\n" },
		{ "cpu/format/newer", "config7:0-15\n" },
		{ "cpu/format/strange", "bits 0 to 7\n" },
		{ "cpu/events/cpu-cycles", "event=0x3c\n" },
		{ "cpu/events/mem-loads", "event=0xcd,umask=0x1,ldlat=3\n" },
		{ "cpu/events/offcore", "event=0xb7,umask=1,offcore_rsp=?\n" },
		{ "cpu/events/slots", "event=0x00,umask=0x4\n" },
		{ "cpu/events/wrong", "event=0x10000\n" },
		{ "power/type", "24\n" },
		{ "power/cpumask", "0,40\n" },
		{ "power/format/event", "config:0-7\n" },
		{ "power/events/energy-pkg", "event=0x02\n" },
		{ "power/events/energy-pkg.unit", "Joules\n" },
		{ "power/events/energy-pkg.scale", "2.3283064365386962890625e-10\n" },
		{ "uncore_imc_0/type", "14\n" },
		{ "uncore_imc_0/cpumask", "0\n" },
		{ "uncore_imc_0/format/event", "config:0-7\n" },
		{ "uncore_imc_0/format/umask", "config:8-15\n" },
		{ "uncore_imc_0/events/cas_count_read", "event=0x04,umask=0x03\n" },
		{ "uncore_imc_0/events/cas_count_read.scale", "6.103515625e-5\n" },
		{ "uncore_imc_0/events/cas_count_read.unit", "MiB\n" },
		{ "uncore_imc_1/type", "15\n" },
		{ "uncore_imc_1/cpumask", "1\n" },
		{ "uncore_imc_1/format/event", "config:0-7\n" },
		{ "uncore_imc_1/format/umask", "config:8-15\n" },
		{ "uncore_imc_1/events/cas_count_read", "event=0x04,umask=0x03\n" },
		{ "uncore_imc_2/type", "16\n" },
		{ "uncore_imc_2/cpumask", "0\n" },
		{ "uncore_imc_2/events/clockticks", "event=0x00\n" },
		{ "uncore_imc_free_running/type", "17\n" },
		{ "uncore_imc_free_running/cpumask", "0\n" },
		{ "uncore_imc_free_running/format/event", "config:0-7\n" },
		{ "uncore_imc_free_running/format/umask", "config:8-15\n" },
		{ "uncore_imc_free_running/events/read", "event=0xff,umask=0x20\n" },
		{ "msr/type", "9\n" },
		{ "msr/format/event", "config:0-63\n" },
		{ "msr/events/tsc", "event=0x00\n" },
	};

	return MAKE(files);
}

int pmu_tree__hybrid(void)
{
	static const struct file files[] = {
		{ "cpu_core/type", "4\n" },
		{ "cpu_core/cpus", "40000-40001\n" },
		{ "cpu_core/format/event", "config:0-7\n" },
		{ "cpu_core/events/cpu-cycles", "event=0x3c\n" },
		{ "cpu_atom/type", "10\n" },
		{ "cpu_atom/cpus", "40002-40003\n" },
		{ "cpu_atom/format/event", "config:0-7\n" },
		{ "cpu_atom/events/cpu-cycles", "event=0x3c\n" },
	};

	return MAKE(files);
}

int pmu_tree__arm(void)
{
	static const struct file files[] = {
		{ "armv8_pmuv3/type", "8\n" },
		{ "armv8_pmuv3/cpus", "40000-40003\n" },
		{ "armv8_pmuv3/caps/slots", "0x00000000\n" },
		{ "armv8_pmuv3/format/event", "config:0-15\n" },
		{ "armv8_pmuv3/format/long", "config1:0\n" },
		{ "armv8_pmuv3/events/cpu_cycles", "event=0x0011\n" },
	};

	return MAKE(files);
}

int pmu_tree__tracepoints(void)
{
	static const struct file files[] = {
		{ "enable", "0\n" },
		{ "header_page", "\n" },
		{ "sched/enable", "0\n" },
		{ "sched/filter", "none\n" },
		{ "sched/sched_switch/id", "310\n" },
		{ "sched/sched_waking/id", "312\n" },
		{ "sched/sched_wakeup/id", "311\n" },
		{ "scsi/scsi_eh_wakeup/id", "500\n" },
		{ "probe/hup/id", "1500\n" },
	};

	return MAKE(files);
}

static int remove_entry(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	(void)st;
	(void)type;
	(void)ftw;
	return remove(path);
}

void pmu_tree__free(int tree)
{
	char link[64], path[256];
	ssize_t bytes;

	snprintf(link, sizeof(link), "/proc/self/fd/%d", tree);
	bytes = readlink(link, path, sizeof(path) - 1);
	ck_assert_int_gt(bytes, 0);
	path[bytes] = '\0';
	close(tree);
	ck_assert_int_eq(nftw(path, remove_entry, 8, FTW_DEPTH | FTW_PHYS), 0);
}

/* ---- messages -------------------------------------------------------------------------------- */

static char kept[2048];

static void keep_message(enum peat_log_level level, const char *message)
{
	if (level == PEAT_LOG_ERROR)
		snprintf(kept, sizeof(kept), "%s", message);
}

void pmu_tree__catch(void)
{
	peat_set_print(keep_message);
	*kept = '\0';
}

const char *pmu_tree__message(void)
{
	static char message[sizeof(kept)];

	strcpy(message, kept);
	*kept = '\0';
	return message;
}
