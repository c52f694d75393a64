// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* peak_memory.c: the most memory that any peat of the running test has at a time. */
#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "support/machine/harness.h"
#include "support/machine/peak_memory.h"
#include "support/machine/process.h"

#define PERIOD_US 2000

static long *peak_kib; /* in shared memory */
static pid_t watcher;

/* 0: the process is another one, or gone. */
static long memory_of(const char *pid)
{
	char path[300], line[128], name[32] = "";
	long kib = 0;
	int parent = 0;
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%s/status", pid);
	file = fopen(path, "re");
	if (!file)
		return 0;
	while (fgets(line, sizeof(line), file)) {
		sscanf(line, "Name: %31s", name);
		sscanf(line, "PPid: %d", &parent);
		sscanf(line, "RssAnon: %ld", &kib);
	}
	fclose(file);
	return parent != getppid() || strcmp(name, "peat") ? 0 : kib;
}

static int watch(void *unused)
{
	(void)unused;
	for (;;) {
		DIR *proc = opendir("/proc");
		const struct dirent *entry;

		while (proc && (entry = readdir(proc))) {
			long kib = *entry->d_name >= '1' && *entry->d_name <= '9'
					   ? memory_of(entry->d_name)
					   : 0;

			if (kib > *peak_kib)
				*peak_kib = kib;
		}
		closedir(proc);
		usleep(PERIOD_US);
	}
	return 0;
}

void peak_memory__start(void)
{
	peak_kib = mmap(NULL, sizeof(*peak_kib), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
			-1, 0);
	ck_assert_ptr_ne(peak_kib, MAP_FAILED);
	watcher = process__start(watch, NULL);
}

void peak_memory__stop(long most_kib)
{
	const long kib = *peak_kib;

	kill(watcher, SIGKILL);
	process__wait(watcher);
	munmap(peak_kib, sizeof(*peak_kib));
	ck_assert_int_gt(kib, 0);
#ifdef __SANITIZE_ADDRESS__
	(void)most_kib;
#else
	ck_assert_msg(kib < most_kib, "%ld KiB", kib);
#endif
}
