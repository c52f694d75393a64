// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* symbols/namer/namer_message.c: sends and receives messages with file descriptors. */
#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#include "symbols/namer/namer_message.h"

#define MAGIC 0x32726d6e /* "nmr2": another version has another number */

union control {
	char bytes[CMSG_SPACE(NAMER_FDS_MAX * sizeof(int))];
	struct cmsghdr align;
};

int namer_message__send(int socket, struct namer_message *message, const int *fds, uint32_t count)
{
	union control control = { { 0 } };
	struct iovec part = { message, sizeof(*message) };
	struct msghdr head = { .msg_iov = &part, .msg_iovlen = 1 };

	if (count > NAMER_FDS_MAX)
		return -E2BIG;
	message->magic = MAGIC;
	if (count) {
		struct cmsghdr *rights;

		head.msg_control = &control;
		head.msg_controllen = CMSG_SPACE(count * sizeof(int));
		rights = CMSG_FIRSTHDR(&head);
		rights->cmsg_level = SOL_SOCKET;
		rights->cmsg_type = SCM_RIGHTS;
		rights->cmsg_len = CMSG_LEN(count * sizeof(int));
		memcpy(CMSG_DATA(rights), fds, count * sizeof(int));
	}
	return sendmsg(socket, &head, MSG_NOSIGNAL) < 0 ? -errno : 0; /* a message is sent whole */
}

/* Stores the descriptors of the message; the kernel never delivers more than there is room for. */
static void read_fds(struct msghdr *head, int fds[NAMER_FDS_MAX], uint32_t *count)
{
	const struct cmsghdr *rights = CMSG_FIRSTHDR(head);

	*count = 0;
	if (!rights || rights->cmsg_level != SOL_SOCKET || rights->cmsg_type != SCM_RIGHTS)
		return;
	*count = (uint32_t)((rights->cmsg_len - CMSG_LEN(0)) / sizeof(int));
	memcpy(fds, CMSG_DATA(rights), *count * sizeof(int));
}

int namer_message__receive(int socket, struct namer_message *message, int fds[NAMER_FDS_MAX],
			   uint32_t *count)
{
	union control control;
	struct iovec part = { message, sizeof(*message) };
	struct msghdr head = { .msg_iov = &part,
			       .msg_iovlen = 1,
			       .msg_control = &control,
			       /* without padding, where another descriptor would have room */
			       .msg_controllen = CMSG_LEN(NAMER_FDS_MAX * sizeof(int)) };
	ssize_t bytes;

	*count = 0;
	do /* a child that was stopped goes on */
		bytes = recvmsg(socket, &head, MSG_CMSG_CLOEXEC);
	while (bytes < 0 && errno == EINTR);
	if (!bytes || (bytes < 0 && errno == ECONNRESET))
		return -EPIPE;
	if (bytes < 0)
		return -errno;
	read_fds(&head, fds, count);
	if (bytes == sizeof(*message) && message->magic == MAGIC &&
	    !(head.msg_flags & (MSG_TRUNC | MSG_CTRUNC)))
		return 0;
	while (*count)
		close(fds[--*count]);
	return -EPROTO;
}
