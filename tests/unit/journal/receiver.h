/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* receiver.h: a socket of datagrams, as of journald, in the scratch directory. */
#ifndef TESTS_UNIT_JOURNAL_RECEIVER_H
#define TESTS_UNIT_JOURNAL_RECEIVER_H

#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "support/machine/harness.h"
#include "support/machine/scratch.h"

static inline int receiver__open(const char *name)
{
	struct sockaddr_un at = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);

	strcpy(at.sun_path, scratch__path(name));
	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(bind(fd, (const struct sockaddr *)&at, sizeof(at)), 0);
	return fd;
}

/* Reads the file that came with an empty datagram. */
static inline ssize_t receiver__file(struct msghdr *message, char *text, size_t room)
{
	struct cmsghdr *control = CMSG_FIRSTHDR(message);
	struct stat file;
	int fd;

	ck_assert_ptr_nonnull(control);
	ck_assert_int_eq(control->cmsg_type, SCM_RIGHTS);
	memcpy(&fd, CMSG_DATA(control), sizeof(fd));
	ck_assert_int_eq(fstat(fd, &file), 0);
	ck_assert_uint_lt((uint64_t)file.st_size, room);
	ck_assert_int_eq(pread(fd, text, room, 0), file.st_size);
	ck_assert_int_eq(ftruncate(fd, 0), -1); /* sealed */
	close(fd);
	return file.st_size;
}

/* Stores the next message as a text.  False: there is none. */
static inline bool receiver__next(int fd, char *text, size_t room)
{
	union {
		struct cmsghdr header;
		char room[CMSG_SPACE(sizeof(int))];
	} control;
	struct iovec iov = { text, room - 1 };
	struct msghdr message = { .msg_iov = &iov,
				  .msg_iovlen = 1,
				  .msg_control = &control,
				  .msg_controllen = sizeof(control) };
	ssize_t bytes = recvmsg(fd, &message, MSG_CMSG_CLOEXEC);

	if (bytes < 0)
		return false;
	if (!bytes)
		bytes = receiver__file(&message, text, room - 1);
	text[bytes] = 0;
	return true;
}

#endif /* TESTS_UNIT_JOURNAL_RECEIVER_H */
