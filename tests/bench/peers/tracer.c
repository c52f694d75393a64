// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* tracer.c: a tool that traces in a process of its own. */
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/base/messages.h"
#include "tracer.h"

#define STEP_MS	   50
#define QUIET_MS   400	 /* the programs of a tool are attached one after another */
#define TIMEOUT_MS 30000 /* bpftrace compiles its program */

/* ---- whether it is attached ------------------------------------------------------------------ */

static bool is_link(int directory, const char *name)
{
	char target[64];
	ssize_t bytes = readlinkat(directory, name, target, sizeof(target) - 1);

	if (bytes < 0)
		return false;
	target[bytes] = '\0';
	return !strcmp(target, "anon_inode:bpf_link") || !strcmp(target, "anon_inode:bpf-link") ||
	       !strcmp(target, "anon_inode:[perf_event]");
}

/* Its BPF links and perf events, or 0 if it has ended. */
static unsigned count_links(pid_t pid)
{
	struct dirent *entry;
	unsigned count = 0;
	char path[32];
	DIR *fds;

	snprintf(path, sizeof(path), "/proc/%d/fd", (int)pid);
	fds = opendir(path);
	while (fds && (entry = readdir(fds)))
		count += is_link(dirfd(fds), entry->d_name);
	if (fds)
		closedir(fds);
	return count;
}

static void print_first_error(const struct peer_tracer *tracer, const char *name)
{
	FILE *file = fopen(tracer->errors, "re");
	char line[256] = "it ended at once\n";

	if (file && !fgets(line, sizeof(line), file))
		snprintf(line, sizeof(line), "it ended at once\n");
	if (file)
		fclose(file);
	line[strcspn(line, "\n")] = '\0';
	messages__print("%s: %s", name, line);
}

static int wait_until_attached(struct peer_tracer *tracer, const char *name)
{
	unsigned links = 0, quiet_ms = 0;

	for (unsigned ms = 0; ms < TIMEOUT_MS && quiet_ms < QUIET_MS; ms += STEP_MS) {
		unsigned now;

		peer_process__sleep_ms(STEP_MS);
		if (!peer_process__is_running(&tracer->process)) {
			print_first_error(tracer, name);
			return -ECHILD;
		}
		now = count_links(tracer->process.pid);
		quiet_ms = now && now == links ? quiet_ms + STEP_MS : 0;
		links = now;
	}
	return quiet_ms >= QUIET_MS ? 0 : -ETIMEDOUT;
}

/* ---- a run ----------------------------------------------------------------------------------- */

int peer_tracer__start(struct peer_tracer *tracer, const char *const *argv, uint32_t cpu)
{
	struct peer_start start = { .argv = argv,
				    .output = "/dev/null",
				    .errors = tracer->errors,
				    .kept_fd = -1,
				    .cpu = cpu };
	int fd, err;

	snprintf(tracer->errors, sizeof(tracer->errors), "/tmp/peat-tracer.XXXXXX");
	fd = mkstemp(tracer->errors);
	if (fd < 0)
		return -errno;
	close(fd);
	err = peer_process__start(&tracer->process, &start);
	if (!err)
		err = wait_until_attached(tracer, argv[0]);
	if (!err)
		return 0;
	peer_process__end(&tracer->process);
	unlink(tracer->errors);
	return err;
}

/* "peat: 5 events in 2.00 s, 1 lost" */
static void read_summary(const char *path, double *events, double *lost)
{
	FILE *file = fopen(path, "re");
	char line[256];

	*events = -1;
	*lost = 0;
	while (file && fgets(line, sizeof(line), file)) {
		const char *comma = strchr(line, ',');
		double count;

		if (sscanf(line, "peat: %lf event", &count) != 1)
			continue;
		*events = count;
		if (comma && sscanf(comma, ", %lf lost", &count) == 1)
			*lost = count;
	}
	if (file)
		fclose(file);
}

void peer_tracer__end(struct peer_tracer *tracer, double *events, double *lost)
{
	peer_process__end(&tracer->process);
	read_summary(tracer->errors, events, lost);
	unlink(tracer->errors);
}
