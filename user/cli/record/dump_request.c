// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* dump_request.c: both ends of peat record --dump. */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/record/dump_place.h"
#include "cli/record/dump_request.h"
#include "cli/base/messages.h"
#include "cli/base/terminal_text.h"

#define ANSWER_BYTES (PATH_MAX + 2)

static bool peer_of(int fd, struct ucred *peer)
{
	socklen_t bytes = sizeof(*peer);

	return !getsockopt(fd, SOL_SOCKET, SO_PEERCRED, peer, &bytes);
}

/* ---- the flight recorder --------------------------------------------------------------------- */

/* Whether a process listens on the socket. */
static bool is_answered(const struct sockaddr_un *address)
{
	int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	bool answered =
		fd >= 0 && (!connect(fd, (const struct sockaddr *)address, sizeof(*address)) ||
			    errno == EAGAIN);

	if (fd >= 0)
		close(fd);
	return answered;
}

/*
 * A recorder that was killed leaves its socket, and its id is used again.  Processes of another
 * pid namespace can have the same id: their socket stays.
 */
static int bind_to(int fd, const struct sockaddr_un *address)
{
	if (!bind(fd, (const struct sockaddr *)address, sizeof(*address)))
		return 0;
	if (errno != EADDRINUSE || is_answered(address))
		return -EADDRINUSE;
	if (unlink(address->sun_path))
		return -errno;
	return bind(fd, (const struct sockaddr *)address, sizeof(*address)) ? -errno : 0;
}

static int listen_at(struct dump_requests *requests)
{
	struct sockaddr_un address;
	int err = dump_place__find(geteuid(), getpid(), true, &address);

	if (err)
		return err;
	requests->fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (requests->fd < 0)
		return -errno;
	err = bind_to(requests->fd, &address);
	if (err)
		return err;
	memcpy(requests->path, address.sun_path, sizeof(requests->path));
	return listen(requests->fd, DUMP_REQUESTS_MAX) ? -errno : 0;
}

void dump_requests__open(struct dump_requests *requests)
{
	int err;

	*requests = (struct dump_requests){ .fd = -1 };
	err = listen_at(requests);
	if (!err)
		return;
	messages__print("cannot listen for peat record --dump: %s: use kill -USR2 %d",
			strerror(-err), (int)getpid());
	dump_requests__close(requests);
}

void dump_requests__close(struct dump_requests *requests)
{
	for (size_t i = 0; i < requests->count; i++)
		close(requests->clients[i]);
	if (*requests->path)
		unlink(requests->path);
	if (requests->fd >= 0)
		close(requests->fd);
	*requests = (struct dump_requests){ .fd = -1 };
}

/* A client that has gone gets no answer, and no signal is raised. */
static void answer(int client, const char *text)
{
	send(client, text, strlen(text), MSG_NOSIGNAL | MSG_DONTWAIT);
	close(client);
}

static void add_client(struct dump_requests *requests, int client)
{
	struct ucred peer;

	if (!peer_of(client, &peer) || (peer.uid && peer.uid != geteuid()))
		answer(client, "!permission denied: only its own user and root may ask it");
	else
		requests->clients[requests->count++] = client;
}

bool dump_requests__receive(struct dump_requests *requests)
{
	for (int i = 0;
	     i < DUMP_REQUESTS_MAX && requests->fd >= 0 && requests->count < DUMP_REQUESTS_MAX;
	     i++) {
		int client = accept4(requests->fd, NULL, NULL, SOCK_CLOEXEC);

		if (client < 0)
			break;
		add_client(requests, client);
	}
	return requests->count;
}

void dump_requests__answer(struct dump_requests *requests, const char *path)
{
	char text[ANSWER_BYTES] = "!the dump failed: see its messages";

	if (path && (text[0] = '=', !realpath(path, text + 1)))
		snprintf(text, sizeof(text), "=%s", path);
	while (requests->count)
		answer(requests->clients[--requests->count], text);
}

/* ---- peat record --dump ---------------------------------------------------------------------- */

static void print_timeout(pid_t pid, uint64_t limit_ms)
{
	messages__print("flight recorder %d has not answered within %.1f s: it is stopped, or "
			"writes slowly: it may make the dump later: -d TIME sets another limit",
			(int)pid, (double)limit_ms / 1000);
}

/* Limits connect(2), which waits while the queue of requests is full, and recv(2).  0: no wait. */
static void set_limit(int fd, uint64_t limit_ms)
{
	const struct timeval limit = { .tv_sec = (time_t)(limit_ms / 1000),
				       .tv_usec =
					       (suseconds_t)(limit_ms % 1000 * 1000 + !limit_ms) };

	setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof(limit));
	setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof(limit));
}

static void print_refusal(pid_t pid, int err, uint64_t limit_ms)
{
	if (err == -EAGAIN)
		print_timeout(pid, limit_ms);
	else if (err == -ESRCH)
		messages__print("no process has the id %d", (int)pid);
	else if (err == -EACCES)
		messages__print("cannot ask process %d: permission denied: only its own user and "
				"root may ask it",
				(int)pid);
	else
		messages__print("process %d is no flight recorder: start one with peat record "
				"--flight SIZE SOURCE",
				(int)pid);
}

/* The socket's address.  0 or a negative errno; -EPERM has been printed. */
static int find_recorder(pid_t pid, struct sockaddr_un *address)
{
	uid_t uid;

	if (!dump_place__user_of(pid, &uid))
		return -ESRCH;
	return uid == geteuid() || !geteuid() ? dump_place__find(uid, pid, false, address)
					      : -EACCES;
}

static int connect_to(pid_t pid, uint64_t limit_ms)
{
	struct sockaddr_un address;
	int err = find_recorder(pid, &address), fd = -1;

	if (!err) {
		fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
		err = fd < 0 ? -errno : 0;
	}
	if (fd >= 0) {
		set_limit(fd, limit_ms);
		err = connect(fd, (struct sockaddr *)&address, sizeof(address)) ? -errno : 0;
	}
	if (!err)
		return fd;
	if (err != -EPERM)
		print_refusal(pid, err, limit_ms);
	if (fd >= 0)
		close(fd);
	return -1;
}

/* The user, and processes of other pid namespaces, can make a socket of this name. */
static bool is_from(int fd, pid_t pid)
{
	struct ucred peer;

	if (peer_of(fd, &peer) && peer.pid == pid)
		return true;
	messages__print("process %d is no flight recorder: another process has taken its name",
			(int)pid);
	return false;
}

static int print_answer(int fd, pid_t pid, uint64_t limit_ms)
{
	char text[ANSWER_BYTES] = "";
	ssize_t bytes;

	do
		bytes = recv(fd, text, sizeof(text) - 1, 0);
	while (bytes < 0 && errno == EINTR);
	if (bytes > 0 && *text == '=') {
		terminal_text__print(stdout, "%s\n", text + 1);
		return cli__flush_stdout();
	}
	if (bytes > 0)
		messages__print("flight recorder %d: %s", (int)pid, text + 1);
	else if (bytes < 0 && errno == EAGAIN)
		print_timeout(pid, limit_ms);
	else
		messages__print("flight recorder %d ended before it made a dump", (int)pid);
	return EXIT_FAILED;
}

int dump_request__send(pid_t pid, uint64_t limit_ms)
{
	int fd = connect_to(pid, limit_ms), status;

	if (fd < 0)
		return EXIT_FAILED;
	status = is_from(fd, pid) ? print_answer(fd, pid, limit_ms) : EXIT_FAILED;
	close(fd);
	return status;
}
