// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* peat-agent/notify.c: sends the state of the service to systemd: sd_notify(3), a datagram. */
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include "program.h"

/* "@NAME" is an abstract socket: its name begins with a NUL. */
static socklen_t address_of(const char *path, struct sockaddr_un *address)
{
	size_t bytes = strlen(path);

	if (!bytes || bytes >= sizeof(address->sun_path) || (*path != '/' && *path != '@'))
		return 0;
	address->sun_family = AF_UNIX;
	memcpy(address->sun_path, path, bytes + 1);
	if (*path == '@')
		*address->sun_path = '\0';
	return (socklen_t)(offsetof(struct sockaddr_un, sun_path) + bytes + (*path == '/'));
}

void notify__send(const char *format, ...)
{
	const char *path = getenv("NOTIFY_SOCKET");
	struct sockaddr_un address = { 0 };
	socklen_t bytes = path ? address_of(path, &address) : 0;
	char state[512];
	va_list args;
	int fd;

	if (!bytes)
		return;
	va_start(args, format);
	vsnprintf(state, sizeof(state), format, args);
	va_end(args);
	fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	if (fd < 0 || sendto(fd, state, strlen(state), MSG_NOSIGNAL,
			     (const struct sockaddr *)&address, bytes) < 0)
		program__print("cannot tell systemd \"%s\": %m", state);
	if (fd >= 0)
		close(fd);
}

/* systemd tells reloads apart by the time. */
void notify__reloading(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	notify__send("RELOADING=1\nMONOTONIC_USEC=%llu",
		     (unsigned long long)now.tv_sec * 1000000 +
			     (unsigned long long)now.tv_nsec / 1000);
}

/* Half of the time after which systemd gives up, as sd_watchdog_enabled(3) recommends. */
uint64_t notify__watchdog_ms(void)
{
	const char *us = getenv("WATCHDOG_USEC"), *pid = getenv("WATCHDOG_PID");

	if (!us || !getenv("NOTIFY_SOCKET") || (pid && atol(pid) != getpid()))
		return 0;
	return strtoull(us, NULL, 10) / 2000;
}
