// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* sys/interfaces.c: names and hardware types of network interfaces. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "sys/interfaces.h"

/* ---- the kernel ------------------------------------------------------------------------------ */

static int read_hardware(int fd, struct interface *interface)
{
	struct ifreq request = { 0 };

	memcpy(request.ifr_name, interface->name, sizeof(request.ifr_name));
	if (ioctl(fd, SIOCGIFHWADDR, &request))
		return -errno;
	interface->hardware = request.ifr_hwaddr.sa_family;
	return 0;
}

static int read_name(int fd, uint32_t ifindex, struct interface *interface)
{
	struct ifreq request = { .ifr_ifindex = (int)ifindex };

	if (ioctl(fd, SIOCGIFNAME, &request))
		return -errno;
	memcpy(interface->name, request.ifr_name, sizeof(interface->name));
	interface->name[sizeof(interface->name) - 1] = '\0';
	return 0;
}

static int open_socket(void)
{
	int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);

	return fd < 0 ? -errno : fd;
}

int interfaces__read(uint32_t ifindex, struct interface *interface)
{
	int fd = open_socket(), err;

	if (fd < 0)
		return fd;
	err = read_name(fd, ifindex, interface);
	if (!err)
		err = read_hardware(fd, interface);
	close(fd);
	return err;
}

static void append_line(struct strbuf *out, uint32_t ifindex, const struct interface *interface,
			size_t most)
{
	char line[64];
	int bytes = snprintf(line, sizeof(line), "%u %u %s\n", ifindex, interface->hardware,
			     interface->name);

	if (bytes > 0 && out->count + (size_t)bytes <= most)
		strbuf__bytes(out, line, (size_t)bytes);
}

int interfaces__list(struct strbuf *out, size_t most)
{
	struct if_nameindex *all = if_nameindex();
	int fd, err = all ? 0 : -errno;

	if (err)
		return err;
	fd = open_socket();
	for (const struct if_nameindex *at = all; fd >= 0 && at->if_index; at++) {
		struct interface interface = { .hardware = 0 };

		snprintf(interface.name, sizeof(interface.name), "%s", at->if_name);
		if (!read_hardware(fd, &interface))
			append_line(out, at->if_index, &interface, most);
	}
	if_freenameindex(all);
	if (fd < 0)
		return fd;
	close(fd);
	return out->failed ? -ENOMEM : 0;
}

/* ---- lines ----------------------------------------------------------------------------------- */

/* Returns the place after the number and one space; NULL: there is none, or it exceeds `most`. */
static const char *parse_number(const char *at, const char *end, uint64_t most, uint64_t *number)
{
	const char *start = at;

	for (*number = 0; at < end && *at >= '0' && *at <= '9'; at++) {
		*number = *number * 10 + (uint64_t)(*at - '0');
		if (*number > most)
			return NULL;
	}
	return at > start && at < end && *at == ' ' ? at + 1 : NULL;
}

/* False: the line is damaged, or of another interface. */
static bool parse_line(const char *at, const char *end, uint32_t wanted,
		       struct interface *interface)
{
	uint64_t ifindex, hardware;

	at = parse_number(at, end, UINT32_MAX, &ifindex);
	if (!at || ifindex != wanted)
		return false;
	at = parse_number(at, end, UINT16_MAX, &hardware);
	if (!at || at == end || (size_t)(end - at) >= sizeof(interface->name) ||
	    memchr(at, '\0', (size_t)(end - at)))
		return false;
	memcpy(interface->name, at, (size_t)(end - at));
	interface->name[end - at] = '\0';
	interface->hardware = (uint16_t)hardware;
	return true;
}

bool interfaces__find(const char *lines, size_t bytes, uint32_t ifindex,
		      struct interface *interface)
{
	while (bytes) {
		const char *end = memchr(lines, '\n', bytes);

		if (!end)
			return false; /* cut */
		if (parse_line(lines, end, ifindex, interface))
			return true;
		bytes -= (size_t)(end + 1 - lines);
		lines = end + 1;
	}
	return false;
}
