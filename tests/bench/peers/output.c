// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* output.c: watches a file that another program writes. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "bench/rig.h"
#include "output.h"

#define READY_MS 20000
#define POLL_MS	 2
#define QUIET_NS 120000000 /* peat's own latency is 100 ms */

off_t peer_output__size(const char *path)
{
	struct stat found;

	return stat(path, &found) ? 0 : found.st_size;
}

uint64_t peer_output__count(const char *path, off_t from, const char *text)
{
	FILE *file = fopen(path, "re");
	uint64_t count = 0;
	char *line = NULL;
	size_t room = 0;

	if (file && !fseeko(file, from, SEEK_SET))
		while (getline(&line, &room, file) > 0)
			count += strstr(line, text) != NULL;
	free(line);
	if (file)
		fclose(file);
	return count;
}

int peer_output__await(const char *path, const char *text, struct peer_process *process,
		       void (*prod)(void))
{
	uint64_t start_ns = bench_rig__now_ns();

	while (!peer_output__count(path, 0, text)) {
		if (!peer_process__is_running(process))
			return -ESRCH;
		if (bench_rig__now_ns() - start_ns > READY_MS * 1000000ULL)
			return -ETIMEDOUT;
		if (prod)
			prod();
		peer_process__sleep_ms(POLL_MS);
	}
	return 0;
}

uint64_t peer_output__await_quiet(const char *path)
{
	off_t most = peer_output__size(path), now;
	uint64_t most_ns = bench_rig__now_ns();

	while (bench_rig__now_ns() - most_ns < QUIET_NS) {
		peer_process__sleep_ms(POLL_MS);
		now = peer_output__size(path);
		if (now - most > now / 100) {
			most = now;
			most_ns = bench_rig__now_ns();
		}
	}
	return most_ns;
}
