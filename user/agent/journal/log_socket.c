// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* journal/log_socket.c: sends datagrams to journald or syslog. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "journal/log_socket.h"

int log_socket__connect(const char *path)
{
	struct sockaddr_un at = { .sun_family = AF_UNIX };
	int fd, err;

	if (strlen(path) >= sizeof(at.sun_path))
		return -ENAMETOOLONG;
	strcpy(at.sun_path, path);
	fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (fd < 0)
		return -errno;
	if (!connect(fd, (const struct sockaddr *)&at, sizeof(at)))
		return fd;
	err = -errno;
	close(fd);
	return err;
}

static int write_all(int fd, const char *bytes, size_t count)
{
	ssize_t written;

	while (count) {
		written = write(fd, bytes, count);
		if (written <= 0)
			return written ? -errno : -EIO;
		bytes += written;
		count -= (size_t)written;
	}
	return 0;
}

/* journald maps the file only if nobody can change it. */
static int make_sealed(const void *bytes, size_t count)
{
	int fd = memfd_create("peat-agent", MFD_CLOEXEC | MFD_ALLOW_SEALING);
	int err;

	if (fd < 0)
		return -errno;
	err = write_all(fd, bytes, count);
	if (!err &&
	    fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE | F_SEAL_SEAL))
		err = -errno;
	if (!err)
		return fd;
	close(fd);
	return err;
}

static int send_descriptor(int fd, int passed)
{
	union {
		struct cmsghdr header;
		char room[CMSG_SPACE(sizeof(int))];
	} control = { { 0 } };
	struct msghdr message = { .msg_control = &control,
				  .msg_controllen = CMSG_SPACE(sizeof(int)) };

	control.header.cmsg_level = SOL_SOCKET;
	control.header.cmsg_type = SCM_RIGHTS;
	control.header.cmsg_len = CMSG_LEN(sizeof(int));
	memcpy(CMSG_DATA(&control.header), &passed, sizeof(int));
	return sendmsg(fd, &message, MSG_NOSIGNAL) < 0 ? -errno : 0;
}

int log_socket__send(int fd, const void *bytes, size_t count)
{
	int passed, err;

	if (send(fd, bytes, count, MSG_NOSIGNAL) >= 0)
		return 0;
	if (errno != EMSGSIZE)
		return errno == ENOBUFS ? -EAGAIN : -errno;
	passed = make_sealed(bytes, count);
	if (passed < 0)
		return -E2BIG;
	err = send_descriptor(fd, passed);
	close(passed);
	return err;
}
