// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* operations_network.c: connections, datagrams and names, on loopback. */
#include <arpa/inet.h>
#include <netdb.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "operations.h"

static struct sockaddr_in address;
static int server = -1, client = -1;

/* Binds a socket to a free port of loopback, and stores it in `address`. */
static int bind_socket(int type)
{
	socklen_t bytes = sizeof(address);
	int fd = socket(AF_INET, type | SOCK_CLOEXEC, 0);

	address = (struct sockaddr_in){ .sin_family = AF_INET,
					.sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	if (fd >= 0 && !bind(fd, (struct sockaddr *)&address, sizeof(address)) &&
	    !getsockname(fd, (struct sockaddr *)&address, &bytes))
		return fd;
	gallery__say("no socket on loopback");
	if (fd >= 0)
		close(fd);
	return -1;
}

static void close_sockets(void)
{
	if (server >= 0)
		close(server);
	if (client >= 0)
		close(client);
	server = client = -1;
}

static bool listen_on_loopback(void)
{
	server = bind_socket(SOCK_STREAM);
	return server >= 0 && !listen(server, 16);
}

/* Ends by a reset, so that no port stays in TIME_WAIT. */
static void connect_once(void)
{
	struct linger linger = { .l_onoff = 1 };
	int there = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), accepted;

	if (there < 0 || connect(there, (struct sockaddr *)&address, sizeof(address)))
		abort();
	accepted = accept(server, NULL, NULL);
	setsockopt(there, SOL_SOCKET, SO_LINGER, &linger, sizeof(linger));
	close(there);
	close(accepted);
}

const struct gallery_operation gallery_connect = { "connect, accept and close", listen_on_loopback,
						   connect_once, close_sockets };

static bool open_datagrams(void)
{
	client = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	server = bind_socket(SOCK_DGRAM);
	return client >= 0 && server >= 0;
}

static void send_datagram(void)
{
	char byte = 0;

	sendto(client, &byte, 1, 0, (struct sockaddr *)&address, sizeof(address));
	recv(server, &byte, 1, MSG_DONTWAIT);
}

const struct gallery_operation gallery_datagram = { "send and receive a datagram", open_datagrams,
						    send_datagram, close_sockets };

static bool open_without_server(void)
{
	if (!open_datagrams())
		return false;
	close(server);
	server = -1;
	return true;
}

static void send_to_nobody(void)
{
	char byte = 0;

	sendto(client, &byte, 1, 0, (struct sockaddr *)&address, sizeof(address));
}

const struct gallery_operation gallery_dropped = { "send a datagram to a closed port",
						   open_without_server, send_to_nobody,
						   close_sockets };

/* Two events: the reset is sent and received. */
static void connect_to_nobody(void)
{
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	if (fd < 0 || !connect(fd, (struct sockaddr *)&address, sizeof(address)))
		abort();
	close(fd);
}

/* A port that is bound, but without a listener: nothing else can listen there. */
static bool bind_without_listening(void)
{
	server = bind_socket(SOCK_STREAM);
	return server >= 0;
}

const struct gallery_operation gallery_reset = { "connect to a closed port", bind_without_listening,
						 connect_to_nobody, close_sockets };

static void listen_once(void)
{
	int fd = bind_socket(SOCK_STREAM);

	if (fd < 0 || listen(fd, 1))
		abort();
	close(fd);
}

const struct gallery_operation gallery_listen = { "bind, listen and close", NULL, listen_once,
						  NULL };

static void resolve(void)
{
	struct addrinfo hints = { .ai_family = AF_INET, .ai_flags = AI_NUMERICHOST }, *found;

	if (!getaddrinfo("127.0.0.1", NULL, &hints, &found))
		freeaddrinfo(found);
}

const struct gallery_operation gallery_resolve = { "getaddrinfo(\"127.0.0.1\")", NULL, resolve,
						   NULL };
