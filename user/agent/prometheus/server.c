// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * prometheus/server.c: answers HTTP requests, by libmicrohttpd.
 *
 * Clients may be slow, many, or hostile, and cost no more than these limits: connections, the bytes
 * of a request's head, the seconds of silence, and the bytes of all answers that are under way.
 * If all connections are in use, the oldest one makes room, so that requests that never end cannot
 * keep others out.  Each connection has one request.
 */
#ifdef HAVE_MICROHTTPD
#include <errno.h>
#include <microhttpd.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/errors.h"
#include "prometheus/accept.h"
#include "prometheus/server.h"

#define MOST_CONNECTIONS  32
#define MOST_HEAD_BYTES	  (16u << 10)
#define MOST_SILENCE_S	  10u
#define MOST_ANSWER_BYTES (64u << 20)

/* All but the first two are of the server's thread alone. */
struct server {
	struct MHD_Daemon *daemon;
	struct server_opts opts;
	/* The oldest connections are shut down first, and may take a moment to be closed. */
	struct connection {
		MHD_socket fd;
		uint64_t number; /* of all connections, from 1; 0: unused, or shut down */
	} connections[2 * MOST_CONNECTIONS];
	uint64_t number;
	size_t answer_bytes; /* of the answers under way */
};

/* ---- answers --------------------------------------------------------------------------------- */

/* The bytes of an answer, until it is sent. */
struct answer {
	struct server *server;
	struct strbuf text;
};

static void free_answer(void *arg)
{
	struct answer *answer = arg;

	answer->server->answer_bytes -= answer->text.room;
	strbuf__free(&answer->text);
	free(answer);
}

/* Queues the response, and gives it back. */
static enum MHD_Result respond(struct MHD_Connection *connection, unsigned status,
			       struct MHD_Response *response, const char *type)
{
	enum MHD_Result result = MHD_NO;

	if (!response)
		return MHD_NO;
	if (MHD_set_response_options(response, MHD_RF_HTTP_1_0_COMPATIBLE_STRICT, MHD_RO_END) ==
		    MHD_YES &&
	    MHD_add_response_header(response, MHD_HTTP_HEADER_CONTENT_TYPE, type) == MHD_YES &&
	    (status != MHD_HTTP_METHOD_NOT_ALLOWED ||
	     MHD_add_response_header(response, MHD_HTTP_HEADER_ALLOW, "GET, HEAD") == MHD_YES))
		result = MHD_queue_response(connection, status, response);
	MHD_destroy_response(response);
	return result;
}

static enum MHD_Result respond_text(struct MHD_Connection *connection, unsigned status,
				    const char *text)
{
	struct MHD_Response *response = MHD_create_response_from_buffer(
		strlen(text), (void *)(uintptr_t)text, MHD_RESPMEM_MUST_COPY);

	return respond(connection, status, response, "text/plain; charset=utf-8");
}

static enum MHD_Result send_answer(struct MHD_Connection *connection, struct answer *answer,
				   bool is_openmetrics)
{
	struct MHD_Response *response = MHD_create_response_from_buffer_with_free_callback_cls(
		answer->text.count, answer->text.bytes, free_answer, answer);

	if (!response) {
		free_answer(answer);
		return MHD_NO;
	}
	return respond(connection, MHD_HTTP_OK, response,
		       is_openmetrics ? "application/openmetrics-text; version=1.0.0; charset=utf-8"
				      : "text/plain; version=0.0.4; charset=utf-8");
}

static enum MHD_Result answer_metrics(struct server *server, struct MHD_Connection *connection)
{
	const char *accept =
		MHD_lookup_connection_value(connection, MHD_HEADER_KIND, MHD_HTTP_HEADER_ACCEPT);
	bool is_openmetrics = accept__is_openmetrics(accept);
	struct answer *answer;
	int err;

	if (server->answer_bytes >= MOST_ANSWER_BYTES)
		return respond_text(connection, MHD_HTTP_SERVICE_UNAVAILABLE,
				    "too many answers are under way: clients read slowly\n");
	answer = calloc(1, sizeof(*answer));
	if (!answer)
		return MHD_NO;
	answer->server = server;
	err = metrics__append(server->opts.metrics, &answer->text, is_openmetrics);
	server->answer_bytes += answer->text.room;
	if (!err)
		return send_answer(connection, answer, is_openmetrics);
	free_answer(answer);
	return respond_text(connection, MHD_HTTP_INTERNAL_SERVER_ERROR,
			    err == -ENOMEM ? "no memory\n" : "the agent's metrics failed\n");
}

static enum MHD_Result answer_ready(struct server *server, struct MHD_Connection *connection)
{
	char why[512] = "";

	if (!server->opts.healthy || server->opts.healthy(server->opts.arg, why, sizeof(why) - 1))
		return respond_text(connection, MHD_HTTP_OK, "ok\n");
	strcat(why, "\n");
	return respond_text(connection, MHD_HTTP_SERVICE_UNAVAILABLE, why);
}

static enum MHD_Result answer(void *arg, struct MHD_Connection *connection, const char *url,
			      const char *method, const char *version, const char *upload,
			      size_t *upload_bytes, void **state)
{
	struct server *server = arg;

	(void)version, (void)upload, (void)upload_bytes, (void)state;
	if (strcmp(method, MHD_HTTP_METHOD_GET) != 0 && strcmp(method, MHD_HTTP_METHOD_HEAD) != 0)
		return respond_text(connection, MHD_HTTP_METHOD_NOT_ALLOWED,
				    "only GET and HEAD are answered\n");
	if (!strcmp(url, "/metrics"))
		return answer_metrics(server, connection);
	if (!strcmp(url, "/healthz"))
		return respond_text(connection, MHD_HTTP_OK, "ok\n");
	if (!strcmp(url, "/readyz"))
		return answer_ready(server, connection);
	return respond_text(connection, MHD_HTTP_NOT_FOUND,
			    "no such page: there are /metrics, /healthz and /readyz\n");
}

/* ---- connections ----------------------------------------------------------------------------- */

static struct connection *find_connection(struct server *server, uint64_t number)
{
	for (size_t i = 0; i < 2 * MOST_CONNECTIONS; i++)
		if (server->connections[i].number == number)
			return &server->connections[i];
	return NULL;
}

/* Shuts down the oldest connection if there are too many: libmicrohttpd then closes it. */
static void make_room(struct server *server)
{
	struct connection *oldest = NULL;
	size_t count = 0;

	for (size_t i = 0; i < 2 * MOST_CONNECTIONS; i++) {
		struct connection *connection = &server->connections[i];

		count += connection->number > 0;
		if (connection->number && (!oldest || connection->number < oldest->number))
			oldest = connection;
	}
	if (count <= MOST_CONNECTIONS)
		return;
	shutdown(oldest->fd, SHUT_RDWR);
	oldest->number = 0;
}

static void follow_connection(void *arg, struct MHD_Connection *at, void **context,
			      enum MHD_ConnectionNotificationCode code)
{
	const union MHD_ConnectionInfo *info =
		MHD_get_connection_info(at, MHD_CONNECTION_INFO_CONNECTION_FD);
	struct server *server = arg;
	struct connection *connection;

	if (code == MHD_CONNECTION_NOTIFY_CLOSED) {
		connection = find_connection(server, (uintptr_t)*context);
		if (*context && connection)
			connection->number = 0;
		return;
	}
	connection = find_connection(server, 0);
	*context = NULL;
	if (!info || !connection)
		return;
	connection->fd = info->connect_fd;
	connection->number = ++server->number;
	*context = (void *)(uintptr_t)connection->number;
	make_room(server);
}

/* ---- start and stop -------------------------------------------------------------------------- */

static struct MHD_Daemon *start(struct server *server, int listener)
{
	return MHD_start_daemon(
		MHD_USE_EPOLL_INTERNAL_THREAD | MHD_USE_ITC, 0, NULL, NULL, answer, server,
		MHD_OPTION_LISTEN_SOCKET, listener, MHD_OPTION_CONNECTION_LIMIT,
		2u * MOST_CONNECTIONS, MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)MOST_HEAD_BYTES,
		MHD_OPTION_CONNECTION_TIMEOUT, MOST_SILENCE_S, MHD_OPTION_NOTIFY_CONNECTION,
		follow_connection, server, MHD_OPTION_END);
}

struct server *server__start(int listener, const struct server_opts *opts)
{
	struct server *server = calloc(1, sizeof(*server));
	sigset_t all, before;
	int err;

	if (!server) {
		close(listener);
		return fail_null(-ENOMEM);
	}
	server->opts = *opts;
	/* The thread has the signal mask of this one: signals are the program's. */
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	server->daemon = start(server, listener);
	err = errno;
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	if (server->daemon)
		return server;
	free(server);
	return fail_null(err ? -err : -EIO);
}

void server__stop(struct server *server)
{
	if (!server)
		return;
	MHD_stop_daemon(server->daemon);
	free(server);
}
#endif /* HAVE_MICROHTTPD */
