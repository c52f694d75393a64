// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* sys/pid_namespace.c: the pid namespace of this process, and numbers in others. */
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sys/pid_namespace.h"

/* PROC_PID_INIT_INO of the kernel, linux/proc_ns.h. */
#define INITIAL_PID_NAMESPACE 0xeffffffc

bool pid_namespace__is_initial(void)
{
	struct stat namespace;

	return !stat("/proc/self/ns/pid", &namespace) && namespace.st_ino == INITIAL_PID_NAMESPACE;
}

/* The last number of a line: that of the innermost namespace.  0: there is none. */
static uint32_t last_number(const char *status, const char *line)
{
	const char *at = strstr(status, line);
	unsigned long number = 0;
	char *after;

	if (!at)
		return 0;
	at += strlen(line);
	while (*at == '\t' || *at == ' ') {
		number = strtoul(at, &after, 10);
		if (after == at)
			break;
		at = after;
	}
	return number < INT32_MAX ? (uint32_t)number : 0;
}

bool pid_namespace__parse_ids(const char *status, struct own_ids *ids)
{
	ids->pid = last_number(status, "\nNStgid:");
	ids->tid = last_number(status, "\nNSpid:");
	return ids->pid && ids->tid;
}

bool pid_namespace__own_ids(uint32_t tid, struct own_ids *ids)
{
	char path[64], status[4096];
	ssize_t bytes;
	int fd;

	snprintf(path, sizeof(path), "/proc/%" PRIu32 "/status", tid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return false;
	bytes = read(fd, status, sizeof(status) - 1);
	close(fd);
	if (bytes <= 0)
		return false;
	status[bytes] = 0;
	return pid_namespace__parse_ids(status, ids);
}
