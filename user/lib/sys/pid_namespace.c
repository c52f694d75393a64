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

bool pid_namespace__parse_pid(const char *status, uint32_t *pid)
{
	const char *at = strstr(status, "\nNSpid:");
	unsigned long number = 0;
	char *after;

	if (!at)
		return false;
	at += strlen("\nNSpid:");
	while (*at == '\t' || *at == ' ') {
		number = strtoul(at, &after, 10);
		if (after == at)
			break;
		at = after;
	}
	*pid = (uint32_t)number;
	return number && number < INT32_MAX;
}

uint32_t pid_namespace__own_pid(uint32_t pid)
{
	char path[64], status[4096];
	ssize_t bytes;
	uint32_t own;
	int fd;

	snprintf(path, sizeof(path), "/proc/%" PRIu32 "/status", pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return 0;
	bytes = read(fd, status, sizeof(status) - 1);
	close(fd);
	if (bytes <= 0)
		return 0;
	status[bytes] = 0;
	return pid_namespace__parse_pid(status, &own) ? own : pid;
}
