// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* nats/servers.c: reads a list of servers. */
#include <stdlib.h>
#include <string.h>

#include "base/errors.h"
#include "nats/servers.h"

#define BLANKS " \t"

static int refuse(const char **why, const char *reason)
{
	*why = reason;
	return -EINVAL;
}

/* False: it is no ":PORT". */
static bool is_port(const char *text, size_t length)
{
	unsigned number = 0;

	if (length < 2 || length > 6 || *text != ':')
		return false;
	for (size_t i = 1; i < length; i++) {
		if (text[i] < '0' || text[i] > '9')
			return false;
		number = number * 10 + (unsigned)(text[i] - '0');
	}
	return number && number <= 65535;
}

/* The length of a host, also of an IPv6 address in brackets; 0: there is none. */
static size_t host_length(const char *text, size_t length)
{
	const char *end = memchr(text, *text == '[' ? ']' : ':', length);

	if (*text == '[')
		return end ? (size_t)(end + 1 - text) : 0;
	return end ? (size_t)(end - text) : length;
}

static int read_address(struct server *server, const char *text, size_t length, const char **why)
{
	const size_t host = length ? host_length(text, length) : 0;
	const bool is_bracketed = host && *text == '[';

	if (memchr(text, '@', length))
		return refuse(why, "a URL is no place for credentials: use a credentials-file, "
				   "user and password-file, or a token-file");
	if (!host || memchr(text, '/', length) || memchr(text, ' ', length) ||
	    (host < length && !is_port(text + host, length - host)))
		return refuse(why, "expected nats://HOST:PORT or tls://HOST:PORT");
	server->host = strndup(text + is_bracketed, host - 2 * is_bracketed);
	return server->host ? 0 : -ENOMEM;
}

static int read_server(struct server *server, const char *text, size_t length, const char **why)
{
	const bool is_nats = length >= 7 && !strncmp(text, "nats://", 7);

	server->is_tls = length >= 6 && !strncmp(text, "tls://", 6);
	if (!is_nats && !server->is_tls)
		return refuse(why, "expected nats://HOST:PORT or tls://HOST:PORT");
	server->url = strndup(text, length);
	if (!server->url)
		return -ENOMEM;
	return read_address(server, text + 7 - server->is_tls, length - 7 + server->is_tls, why);
}

int servers__read(struct servers *servers, const char *text, const char **why)
{
	int err = 0;

	do {
		size_t length;

		text += strspn(text, BLANKS);
		length = strcspn(text, ",");
		if (servers->count == SERVERS_MAX)
			return refuse(why, "more than 32 servers");
		while (length && strchr(BLANKS, text[length - 1]))
			length--;
		err = read_server(&servers->at[servers->count++], text, length, why);
		text += strcspn(text, ",");
	} while (!err && *text++);
	return err;
}

void servers__free(struct servers *servers)
{
	for (size_t i = 0; i < servers->count; i++) {
		free(servers->at[i].url);
		free(servers->at[i].host);
	}
	*servers = (struct servers){ 0 };
}
