// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * usage: objects_left FILE
 *
 * objects_left.c: prints the lines "TYPE ID" of FILE whose BPF objects still exist after some
 * seconds.  The kernel frees objects some time after their last user has closed them.  Exits 1 if
 * there are any.
 */
#include <errno.h>
#include <linux/bpf.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { TRIES = 500, TRY_NS = 10000000 };

static int get_command(const char *type)
{
	if (!strcmp(type, "prog"))
		return BPF_PROG_GET_FD_BY_ID;
	return !strcmp(type, "map") ? BPF_MAP_GET_FD_BY_ID : BPF_LINK_GET_FD_BY_ID;
}

static bool exists(const char *type, unsigned int id)
{
	union bpf_attr attr = { .prog_id = id };
	int fd = (int)syscall(SYS_bpf, get_command(type), &attr, sizeof(attr));

	if (fd >= 0)
		close(fd);
	return fd >= 0 || errno != ENOENT;
}

static bool stays(const char *type, unsigned int id)
{
	const struct timespec pause = { .tv_nsec = TRY_NS };

	for (int i = 0; i < TRIES; i++) {
		if (!exists(type, id))
			return false;
		nanosleep(&pause, NULL);
	}
	return true;
}

int main(int argc, char **argv)
{
	FILE *file = argc == 2 ? fopen(argv[1], "r") : NULL;
	unsigned int id;
	char type[8];
	int status = 0;

	if (!file) {
		perror(argc == 2 ? argv[1] : "usage: objects_left FILE");
		return 2;
	}
	while (fscanf(file, "%7s %u", type, &id) == 2)
		if (stays(type, id)) {
			printf("%s %u\n", type, id);
			status = 1;
		}
	fclose(file);
	return status;
}
