// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * fuzz_namer_message.c: messages of a namer, which may be anything.
 *
 * Input: the number of file descriptors, a byte, and the message.  A message that is received has
 * the size and the version of ours, and as many file descriptors as were sent.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "symbols/namer/namer_message.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define SENT_MAX 16 /* more than a message may have */

static void require(bool holds)
{
	if (!holds)
		abort();
}

static void send_bytes(int socket, const void *bytes, size_t count, unsigned fds)
{
	union {
		char bytes[CMSG_SPACE(SENT_MAX * sizeof(int))];
		struct cmsghdr align;
	} control = { { 0 } };
	struct iovec part = { (void *)bytes, count };
	struct msghdr head = { .msg_iov = &part, .msg_iovlen = 1 };
	struct cmsghdr *rights;
	int list[SENT_MAX];

	for (unsigned i = 0; i < fds; i++)
		list[i] = socket;
	if (fds) {
		head.msg_control = &control;
		head.msg_controllen = CMSG_SPACE(fds * sizeof(int));
		rights = CMSG_FIRSTHDR(&head);
		rights->cmsg_level = SOL_SOCKET;
		rights->cmsg_type = SCM_RIGHTS;
		rights->cmsg_len = CMSG_LEN(fds * sizeof(int));
		memcpy(CMSG_DATA(rights), list, fds * sizeof(int));
	}
	require(sendmsg(socket, &head, MSG_NOSIGNAL) == (ssize_t)count);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const unsigned fds = size ? data[0] % (SENT_MAX + 1) : 0;
	struct namer_message message;
	int pair[2], got[NAMER_FDS_MAX], err;
	uint32_t count;

	if (size < 2)
		return 0;
	require(!socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair));
	send_bytes(pair[0], data + 1, size - 1, fds);
	err = namer_message__receive(pair[1], &message, got, &count);
	require(!err || err == -EPROTO);
	require(err ? !count : size - 1 == sizeof(message) && count == fds && fds <= NAMER_FDS_MAX);
	while (count)
		require(!close(got[--count]));
	close(pair[0]);
	close(pair[1]);
	return 0;
}
