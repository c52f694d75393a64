// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* prometheus/listener.c: opens a socket that listens. */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "prometheus/listener.h"

#define SOCKET_MODE 0660

/* Whether no process listens on the socket of a path. */
static bool is_stale(const struct sockaddr_un *local, const char **why)
{
	struct stat file;
	bool is_refused;
	int fd;

	*why = "a file that is no socket has this name";
	if (lstat(local->sun_path, &file) || !S_ISSOCK(file.st_mode))
		return false;
	*why = "another process uses this socket";
	fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (fd < 0)
		return false;
	is_refused = connect(fd, (const struct sockaddr *)local, sizeof(*local)) &&
		     errno == ECONNREFUSED;
	close(fd);
	return is_refused;
}

/* Uses a descriptor: the name may lead to another file by now. */
static int set_mode(struct listener *listener)
{
	int fd = open(listener->local.sun_path, O_PATH | O_NOFOLLOW | O_CLOEXEC);
	char path[32];
	struct stat file = { 0 };
	int err = 0;

	if (fd < 0)
		return -errno;
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	if (fstat(fd, &file))
		err = -errno;
	else if (!S_ISSOCK(file.st_mode))
		err = -EEXIST;
	else if (fchmodat(AT_FDCWD, path, SOCKET_MODE, 0))
		err = -errno;
	listener->dev = file.st_dev;
	listener->ino = file.st_ino;
	close(fd);
	return err;
}

static int bind_local(struct listener *listener, const struct address *address, const char **why)
{
	int err = bind(listener->fd, &address->any, address->bytes) ? -errno : 0;

	if (err == -EADDRINUSE && is_stale(&address->local, why)) {
		unlink(address->local.sun_path);
		err = bind(listener->fd, &address->any, address->bytes) ? -errno : 0;
		*why = strerror(-err);
	} else if (err && err != -EADDRINUSE) {
		*why = strerror(-err);
	}
	if (err)
		return err;
	listener->local = address->local;
	err = set_mode(listener);
	if (err)
		*why = "its file cannot be given the mode 0660";
	return err;
}

static int bind_port(struct listener *listener, const struct address *address, const char **why)
{
	int one = 1;

	/* A server that was closed has connections for a minute more. */
	setsockopt(listener->fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof(one));
	if (!bind(listener->fd, &address->any, address->bytes))
		return 0;
	*why = errno == EADDRINUSE ? "another process uses this port" : strerror(errno);
	return -errno;
}

int listener__open(struct listener *listener, const struct address *address, const char **why)
{
	int err;

	memset(listener, 0, sizeof(*listener));
	listener->fd =
		socket(address->any.sa_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (listener->fd < 0) {
		*why = strerror(errno);
		return -errno;
	}
	err = address__is_local(address) ? bind_local(listener, address, why)
					 : bind_port(listener, address, why);
	if (!err && listen(listener->fd, SOMAXCONN)) {
		err = -errno;
		*why = errno == EADDRINUSE ? "another process uses this port" : strerror(errno);
	}
	if (err) {
		listener__remove(listener);
		close(listener->fd);
	}
	return err;
}

void listener__name(const struct listener *listener, char *text, size_t room)
{
	struct address at = { .bytes = sizeof(at.local) };
	char host[INET6_ADDRSTRLEN] = "";

	getsockname(listener->fd, &at.any, &at.bytes);
	if (at.any.sa_family == AF_INET6) {
		inet_ntop(AF_INET6, &at.ipv6.sin6_addr, host, sizeof(host));
		snprintf(text, room, "[%s]:%u", host, ntohs(at.ipv6.sin6_port));
	} else if (at.any.sa_family == AF_INET) {
		inet_ntop(AF_INET, &at.ipv4.sin_addr, host, sizeof(host));
		snprintf(text, room, "%s:%u", host, ntohs(at.ipv4.sin_port));
	} else {
		snprintf(text, room, "unix:%s", listener->local.sun_path);
	}
}

void listener__remove(const struct listener *listener)
{
	const char *path = listener->local.sun_path;
	struct stat file;

	if (*path && !lstat(path, &file) && file.st_dev == listener->dev &&
	    file.st_ino == listener->ino)
		unlink(path);
}
