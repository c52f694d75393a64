// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* prometheus/address.c: reads addresses to listen on. */
#include <arpa/inet.h>
#include <ctype.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "prometheus/address.h"

#define FORMS "expected HOST:PORT, [IPV6]:PORT, PORT or unix:/PATH"

static const char *parse_path(const char *path, struct address *address)
{
	size_t bytes = strlen(path);

	if (*path != '/')
		return "the path of a Unix socket begins with /";
	if (bytes >= sizeof(address->local.sun_path))
		return "the path of a Unix socket has at most 107 bytes";
	address->local.sun_family = AF_UNIX;
	memcpy(address->local.sun_path, path, bytes + 1);
	address->bytes = (socklen_t)sizeof(address->local);
	return NULL;
}

/* Digits alone, unlike strtoul(). */
static bool parse_port(const char *text, in_port_t *port)
{
	unsigned long number = 0;
	const char *at = text;

	while (isdigit((unsigned char)*at) && number <= UINT16_MAX)
		number = number * 10 + (unsigned long)(*at++ - '0');
	*port = htons((uint16_t)number);
	return at > text && !*at && number <= UINT16_MAX;
}

static const char *parse_ipv4(const char *host, struct address *address)
{
	address->ipv4.sin_family = AF_INET;
	address->bytes = sizeof(address->ipv4);
	if (!strcmp(host, "localhost"))
		host = "127.0.0.1";
	return inet_pton(AF_INET, host, &address->ipv4.sin_addr) == 1
		       ? NULL
		       : "the host is no IPv4 address: names are not looked up, and IPv6 addresses "
			 "are in brackets";
}

static const char *parse_ipv6(char *host, struct address *address)
{
	size_t last = strlen(host) - 1;

	if (host[last] != ']')
		return FORMS;
	host[last] = 0;
	address->ipv6.sin6_family = AF_INET6;
	address->bytes = sizeof(address->ipv6);
	return inet_pton(AF_INET6, host + 1, &address->ipv6.sin6_addr) == 1
		       ? NULL
		       : "no IPv6 address is between the brackets";
}

const char *address__parse(const char *text, struct address *address)
{
	const char *colon = strrchr(text, ':');
	const char *port = colon ? colon + 1 : text;
	char host[64] = "127.0.0.1";

	memset(address, 0, sizeof(*address));
	if (begins_with(text, "unix:"))
		return parse_path(text + strlen("unix:"), address);
	/* sin_port and sin6_port are at the same place. */
	if (!parse_port(port, &address->ipv4.sin_port))
		return "no port from 0 to 65535 is at its end: " FORMS;
	if (!colon)
		return parse_ipv4(host, address);
	if (colon == text || (size_t)(colon - text) >= sizeof(host))
		return FORMS;
	memcpy(host, text, (size_t)(colon - text));
	host[colon - text] = 0;
	return *host == '[' ? parse_ipv6(host, address) : parse_ipv4(host, address);
}

static bool is_loopback(uint32_t ipv4)
{
	return ntohl(ipv4) >> 24 == IN_LOOPBACKNET;
}

bool address__is_public(const struct address *address)
{
	const struct in6_addr *ipv6 = &address->ipv6.sin6_addr;
	uint32_t mapped;

	switch (address->any.sa_family) {
	case AF_INET:
		return !is_loopback(address->ipv4.sin_addr.s_addr);
	case AF_INET6:
		memcpy(&mapped, &ipv6->s6_addr[12], sizeof(mapped));
		return !IN6_IS_ADDR_LOOPBACK(ipv6) &&
		       !(IN6_IS_ADDR_V4MAPPED(ipv6) && is_loopback(mapped));
	default:
		return false;
	}
}
