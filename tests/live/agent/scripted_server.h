/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * scripted_server.h: an HTTP server in a thread, whose answers the test sets.  It closes a
 * connection after an answer that is not "200 OK".
 */
#ifndef TESTS_LIVE_AGENT_SCRIPTED_SERVER_H
#define TESTS_LIVE_AGENT_SCRIPTED_SERVER_H

#include <netinet/in.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "support/machine/harness.h"
#include "support/machine/tcp_pair.h"

#define SCRIPTED_OK                                                                                \
	"HTTP/1.1 200 OK\r\nContent-Type: application/x-protobuf\r\nContent-Length: 0\r\n\r\n"

static struct {
	int listener;
	uint16_t port;
	pthread_t thread;
	const char *_Atomic answer; /* NULL: none, the request waits */
	size_t answer_bytes;	    /* 0: a text */
	atomic_uint requests;
	atomic_ullong body_bytes;
	atomic_uint connections;
} scripted;

/* Reads up to the end of the headers: the number of bytes, of which the last may be of the body. */
static inline size_t scripted__read_headers(int fd, char *head, size_t room, size_t *used)
{
	size_t count = 0;
	ssize_t got;
	char *end;

	while (count + 1 < room && (got = recv(fd, head + count, room - count - 1, 0)) > 0) {
		count += (size_t)got;
		head[count] = 0;
		end = strstr(head, "\r\n\r\n");
		if (end) {
			*used = (size_t)(end + 4 - head);
			return count;
		}
	}
	return 0;
}

/* False: the client has closed the connection. */
static inline bool scripted__read_request(int fd)
{
	char head[65536], *length;
	size_t used, have = scripted__read_headers(fd, head, sizeof(head), &used), count;
	ssize_t got;

	if (!have || !(length = strcasestr(head, "Content-Length:")))
		return false;
	count = strtoul(length + 15, NULL, 10);
	scripted.body_bytes += count;
	for (have -= used; have < count; have += (size_t)got) {
		got = recv(fd, head, sizeof(head), 0);
		if (got <= 0)
			return false;
	}
	scripted.requests++;
	return true;
}

static inline void scripted__answer(int fd)
{
	const char *answer = scripted.answer;
	size_t bytes = answer ? scripted.answer_bytes ?: strlen(answer) : 0;

	if (bytes)
		send(fd, answer, bytes, MSG_NOSIGNAL);
	while (!answer && recv(fd, (char[1]){ 0 }, 1, 0) > 0)
		;
}

static inline void *scripted__serve(void *arg)
{
	int fd = (int)(intptr_t)arg;

	while (scripted__read_request(fd)) {
		scripted__answer(fd);
		if (!scripted.answer || strcmp(scripted.answer, SCRIPTED_OK) != 0)
			break;
	}
	shutdown(fd, SHUT_WR);
	close(fd);
	scripted.connections--;
	return NULL;
}

static inline void *scripted__run(void *arg)
{
	pthread_t thread;
	int fd;

	while ((fd = accept4(scripted.listener, NULL, NULL, SOCK_CLOEXEC)) >= 0) {
		scripted.connections++;
		ck_assert_int_eq(
			pthread_create(&thread, NULL, scripted__serve, (void *)(intptr_t)fd), 0);
		pthread_detach(thread);
	}
	return arg;
}

static inline void scripted_server__start(const char *answer)
{
	memset(&scripted, 0, sizeof(scripted));
	scripted.listener = tcp_pair__listen(AF_INET, &scripted.port);
	scripted.answer = answer;
	ck_assert_int_eq(pthread_create(&scripted.thread, NULL, scripted__run, NULL), 0);
}

/* The output has to be closed before. */
static inline void scripted_server__stop(void)
{
	shutdown(scripted.listener, SHUT_RDWR);
	pthread_join(scripted.thread, NULL);
	close(scripted.listener);
	while (scripted.connections)
		usleep(1000);
}

#endif /* TESTS_LIVE_AGENT_SCRIPTED_SERVER_H */
