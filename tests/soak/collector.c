// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* collector.c: answers requests of OTLP/HTTP, or does not, and counts their log records. */
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "collector.h"
#include "protobuf/protobuf_read.h"
#include "support/machine/harness.h"

#define MOST_BODY (64u << 20)
#define PAUSE_US  20000

static struct {
	_Atomic(enum collector_mode) mode;
	atomic_uint_fast64_t records, requests;
} collector;

/* ---- log records ----------------------------------------------------------------------------- */

/* The messages in the fields `path[0]`, in them in `path[1]`, and so on to a 0. */
static uint64_t count_messages(struct protobuf_message message, const uint32_t *path)
{
	struct protobuf_field field;
	uint64_t count = 0;

	if (!*path)
		return 1;
	while (protobuf__next(&message, &field))
		if (field.number == *path)
			count += count_messages(protobuf__inner(&field), path + 1);
	ck_assert(!message.is_bad);
	return count;
}

/* ExportLogsServiceRequest: resource_logs, scope_logs, log_records. */
static uint64_t count_records(const uint8_t *body, size_t count)
{
	static const uint32_t path[] = { 1, 2, 2, 0 };

	return count_messages((struct protobuf_message){ body, body + count, false }, path);
}

/* ---- connections ----------------------------------------------------------------------------- */

struct request {
	bool is_logs;
	uint8_t *body;
	size_t count;
};

/* Reads to the end of the headers.  The bytes, of which the last ones may be of the body; 0: none.
 */
static size_t read_head(int fd, char *head, size_t room)
{
	size_t count = 0;
	ssize_t got;

	while (count + 1 < room && (got = recv(fd, head + count, room - count - 1, 0)) > 0) {
		count += (size_t)got;
		head[count] = 0;
		if (strstr(head, "\r\n\r\n"))
			return count;
	}
	return 0;
}

static bool read_request(int fd, struct request *request)
{
	char head[16384], *length, *end;
	size_t count = read_head(fd, head, sizeof(head)), have;
	ssize_t got = 1;

	length = count ? strcasestr(head, "\r\nContent-Length:") : NULL;
	if (!length)
		return false;
	end = strstr(head, "\r\n\r\n") + 4;
	*request = (struct request){ .is_logs = strstr(head, "/v1/logs") != NULL,
				     .count = strtoul(length + 17, NULL, 10) };
	ck_assert_uint_lt(request->count, MOST_BODY);
	request->body = malloc(request->count + 1);
	ck_assert_ptr_nonnull(request->body);
	have = count - (size_t)(end - head);
	ck_assert_uint_le(have, request->count);
	memcpy(request->body, end, have);
	for (; have < request->count && got > 0; have += got > 0 ? (size_t)got : 0)
		got = recv(fd, request->body + have, request->count - have, 0);
	if (have < request->count)
		free(request->body);
	return have == request->count;
}

/* False: the connection is to be closed. */
static bool answer(int fd, const struct request *request)
{
	static const char *const answers[] = {
		[COLLECTOR_WORKS] = "HTTP/1.1 200 OK\r\nContent-Type: application/x-protobuf\r\n"
				    "Content-Length: 0\r\n\r\n",
		[COLLECTOR_IS_BUSY] = "HTTP/1.1 429 Too Many Requests\r\nRetry-After: 1\r\n"
				      "Content-Length: 0\r\n\r\n",
		[COLLECTOR_IS_UNAVAILABLE] = "HTTP/1.1 503 Service Unavailable\r\n"
					     "Content-Length: 0\r\n\r\n",
		[COLLECTOR_REFUSES] = NULL,
	};
	enum collector_mode mode;

	while ((mode = collector.mode) == COLLECTOR_HANGS)
		usleep(PAUSE_US);
	collector.requests++;
	if (!answers[mode])
		return false;
	/* Before the answer: an event that was acknowledged has arrived. */
	if (mode == COLLECTOR_WORKS && request->is_logs)
		collector.records += count_records(request->body, request->count);
	return send(fd, answers[mode], strlen(answers[mode]), MSG_NOSIGNAL) > 0;
}

static void *serve(void *arg)
{
	int fd = (int)(intptr_t)arg;
	struct request request;

	for (bool is_open = true; is_open && read_request(fd, &request);) {
		is_open = answer(fd, &request);
		free(request.body);
	}
	close(fd);
	return NULL;
}

/* No port that a client could have, which would connect to itself while the collector refuses. */
static int listen_at_port(void)
{
	struct sockaddr_in at = { .sin_family = AF_INET,
				  .sin_port = htons(COLLECTOR_PORT),
				  .sin_addr = { htonl(INADDR_LOOPBACK) } };
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &(int){ 1 }, sizeof(int)), 0);
	/* A child may have the socket of before until it runs its program. */
	for (int i = 0; bind(fd, (const struct sockaddr *)&at, sizeof(at)); i++) {
		ck_assert_int_lt(i, 100);
		usleep(PAUSE_US);
	}
	ck_assert_int_eq(listen(fd, 16), 0);
	return fd;
}

static void accept_one(int listener)
{
	struct pollfd in = { .fd = listener, .events = POLLIN };
	pthread_t thread;
	int fd;

	if (poll(&in, 1, 20) != 1)
		return;
	fd = accept4(listener, NULL, NULL, SOCK_CLOEXEC);
	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(pthread_create(&thread, NULL, serve, (void *)(intptr_t)fd), 0);
	pthread_detach(thread);
}

static void *run(void *arg)
{
	int listener = (int)(intptr_t)arg;

	for (;;) {
		if (collector.mode != COLLECTOR_REFUSES) {
			accept_one(listener);
			continue;
		}
		close(listener);
		while (collector.mode == COLLECTOR_REFUSES)
			usleep(PAUSE_US);
		listener = listen_at_port();
	}
	return NULL;
}

void collector__start(void)
{
	int listener = listen_at_port();
	pthread_t thread;

	ck_assert_int_eq(pthread_create(&thread, NULL, run, (void *)(intptr_t)listener), 0);
	pthread_detach(thread);
}

void collector__set(enum collector_mode mode)
{
	collector.mode = mode;
}

uint64_t collector__records(void)
{
	return collector.records;
}

uint64_t collector__requests(void)
{
	return collector.requests;
}
