// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * peat-agent/control.c: a Unix socket that answers questions about the agent: one line is asked,
 * and the answer is a line "ok" or "error: REASON", and a text.
 */
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "program.h"

/* A client sends its line at once. */
#define TIMEOUT_MS 1000

static int set_address(struct sockaddr_un *address, const char *path)
{
	*address = (struct sockaddr_un){ .sun_family = AF_UNIX };
	if (strlen(path) >= sizeof(address->sun_path))
		return -ENAMETOOLONG;
	strcpy(address->sun_path, path);
	return 0;
}

static int connect_to(const char *path)
{
	struct sockaddr_un address;
	int err = set_address(&address, path), fd;

	if (err)
		return err;
	fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (fd >= 0 && connect(fd, (const struct sockaddr *)&address, sizeof(address))) {
		err = -errno;
		close(fd);
		return err;
	}
	return fd < 0 ? -errno : fd;
}

/* ---- the agent's end ------------------------------------------------------------------------- */

/* A socket at which no program listens is left from a killed agent. */
static int remove_stale(const char *path)
{
	struct stat stat_;
	int fd;

	if (lstat(path, &stat_))
		return errno == ENOENT ? 0 : -errno;
	if (!S_ISSOCK(stat_.st_mode))
		return -EEXIST;
	fd = connect_to(path);
	if (fd >= 0) {
		close(fd);
		return -EADDRINUSE;
	}
	return fd == -ECONNREFUSED ? (unlink(path) ? -errno : 0) : fd;
}

/* Only this user may ask, since a reload reads the configuration again. */
static int bind_and_listen(int fd, const char *path)
{
	struct sockaddr_un address;
	int err = set_address(&address, path);
	mode_t mask;

	if (err)
		return err;
	mask = umask(0177);
	err = bind(fd, (const struct sockaddr *)&address, sizeof(address)) ? -errno : 0;
	umask(mask);
	return err ?: listen(fd, 4) ? -errno : 0;
}

int control__listen(const char *path)
{
	int err = remove_stale(path), fd;

	if (err)
		return err;
	fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (fd < 0)
		return -errno;
	err = bind_and_listen(fd, path);
	if (!err)
		return fd;
	close(fd);
	return err;
}

/* Reads a line, without its newline.  False: none came in time, or it is too long. */
static bool read_line(int fd, char *line, size_t room)
{
	struct pollfd in = { .fd = fd, .events = POLLIN };
	size_t count = 0;

	while (count + 1 < room && poll(&in, 1, TIMEOUT_MS) > 0) {
		ssize_t bytes = read(fd, line + count, room - 1 - count);

		if (bytes <= 0)
			return false;
		count += (size_t)bytes;
		line[count] = '\0';
		if (strchr(line, '\n')) {
			*strchr(line, '\n') = '\0';
			return true;
		}
	}
	return false;
}

static void send_text(int fd, const char *text)
{
	size_t count = strlen(text);

	while (count) {
		struct pollfd out = { .fd = fd, .events = POLLOUT };
		ssize_t bytes = poll(&out, 1, TIMEOUT_MS) > 0
					? send(fd, text, count, MSG_NOSIGNAL | MSG_DONTWAIT)
					: -1;

		if (bytes <= 0)
			return; /* the client has gone, or does not read */
		text += bytes;
		count -= (size_t)bytes;
	}
}

static void send_status(int fd, struct peat_agent *agent, bool json)
{
	char *text = peat_agent__status(agent, json), why[256];

	if (!text) {
		send_text(fd, "error: no memory\n");
		return;
	}
	send_text(fd, "ok\n");
	if (!json && !peat_agent__is_healthy(agent, why, sizeof(why))) {
		send_text(fd, "not healthy: ");
		send_text(fd, why);
		send_text(fd, "\n");
	}
	send_text(fd, text);
	send_text(fd, json ? "\n" : "");
	free(text);
}

static void reload(int fd, struct peat_agent *agent)
{
	int err;

	notify__reloading();
	err = peat_agent__reload(agent);
	notify__send("READY=1");
	send_text(fd,
		  err ? "error: nothing was changed: the agent's log has the reason\n" : "ok\n");
}

void control__serve(int fd, struct peat_agent *agent)
{
	int client = accept4(fd, NULL, NULL, SOCK_CLOEXEC);
	char line[64];

	if (client < 0)
		return;
	if (read_line(client, line, sizeof(line))) {
		if (!strcmp(line, "status") || !strcmp(line, "status-json"))
			send_status(client, agent, !strcmp(line, "status-json"));
		else if (!strcmp(line, "reload"))
			reload(client, agent);
		else
			send_text(client, "error: unknown request\n");
	}
	close(client);
}

/* ---- the client's end ------------------------------------------------------------------------ */

/* 0: "ok". */
static int print_answer(FILE *in)
{
	char line[4096];

	if (!fgets(line, sizeof(line), in)) {
		program__print("the agent does not answer");
		return EXIT_FAILED;
	}
	if (strcmp(line, "ok\n")) {
		line[strcspn(line, "\n")] = '\0';
		program__print("%s", line);
		return EXIT_FAILED;
	}
	while (fgets(line, sizeof(line), in))
		fputs(line, stdout);
	if (!fflush(stdout) && !ferror(stdout) && !ferror(in))
		return 0;
	program__print("cannot print the answer: %m");
	return EXIT_FAILED;
}

int control__ask(const char *path, const char *request)
{
	int fd = connect_to(path), status;
	FILE *in;

	if (fd < 0) {
		program__print("no agent answers at %s: %s", path, strerror(-fd));
		return EXIT_FAILED;
	}
	send_text(fd, request);
	send_text(fd, "\n");
	in = fdopen(fd, "r");
	if (!in) {
		close(fd);
		return EXIT_FAILED;
	}
	status = print_answer(in);
	fclose(in);
	return status;
}
