// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* sys/netlink.c: dump requests to rtnetlink, and their answers parsed. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <sys/socket.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>

#include "sys/netlink.h"

/* The kernel's largest datagram for a dump. */
#define DATAGRAM_BYTES 32768

/* ---- attributes ------------------------------------------------------------------------------ */

struct attributes netlink__value(struct attributes all, uint16_t type)
{
	struct rtattr head;

	while (all.count >= sizeof(head)) {
		size_t step;

		memcpy(&head, all.bytes, sizeof(head));
		if (head.rta_len < sizeof(head) || head.rta_len > all.count)
			break;
		if ((head.rta_type & NLA_TYPE_MASK) == type)
			return (struct attributes){ all.bytes + sizeof(head),
						    head.rta_len - sizeof(head) };
		step = RTA_ALIGN((size_t)head.rta_len);
		if (step >= all.count)
			break;
		all.bytes += step;
		all.count -= step;
	}
	return (struct attributes){ NULL, 0 };
}

bool netlink__number(struct attributes all, uint16_t type, uint32_t *number)
{
	struct attributes value = netlink__value(all, type);

	if (value.count != sizeof(*number))
		return false;
	memcpy(number, value.bytes, sizeof(*number));
	return true;
}

bool netlink__is(struct attributes all, uint16_t type, const char *text)
{
	struct attributes value = netlink__value(all, type);

	return value.count == strlen(text) + 1 && !memcmp(value.bytes, text, value.count);
}

/* ---- dumps ----------------------------------------------------------------------------------- */

/* The result in a DONE or ERROR message: 0 or a negative errno. */
static int parse_result(const struct nlmsghdr *message)
{
	int err = 0;

	if (message->nlmsg_len >= NLMSG_LENGTH(sizeof(err)))
		memcpy(&err, NLMSG_DATA(message), sizeof(err));
	else if (message->nlmsg_type == NLMSG_ERROR)
		err = -EBADMSG;
	return err > 0 ? -EBADMSG : err;
}

static int pass_answer(const struct netlink_dump *dump, const struct nlmsghdr *message)
{
	size_t before = NLMSG_SPACE(dump->head_bytes);
	struct attributes attributes = { NULL, 0 };

	if (message->nlmsg_type != dump->answer_type ||
	    message->nlmsg_len < NLMSG_LENGTH(dump->head_bytes))
		return 0;
	if (message->nlmsg_len > before) {
		attributes.bytes = (const unsigned char *)message + before;
		attributes.count = message->nlmsg_len - before;
	}
	return dump->each(dump->context, NLMSG_DATA(message), attributes);
}

int netlink__read(const struct netlink_dump *dump, const void *bytes, size_t count, int *result)
{
	while (count >= sizeof(struct nlmsghdr)) {
		const struct nlmsghdr *message = bytes;
		size_t step = NLMSG_ALIGN((size_t)message->nlmsg_len);
		bool ends = message->nlmsg_type == NLMSG_DONE || message->nlmsg_type == NLMSG_ERROR;

		if (message->nlmsg_len < sizeof(*message) || message->nlmsg_len > count) {
			*result = -EBADMSG;
			return 0;
		}
		*result = ends ? parse_result(message) : pass_answer(dump, message);
		if (ends || *result)
			return 0;
		if (step >= count)
			break;
		bytes = (const char *)bytes + step;
		count -= step;
	}
	return 1;
}

static int send_request(int fd, const struct netlink_dump *dump)
{
	struct {
		struct nlmsghdr header;
		_Alignas(NLMSG_ALIGNTO) char head[64];
	} request = {
		.header = { .nlmsg_len = (uint32_t)NLMSG_LENGTH(dump->head_bytes),
			    .nlmsg_type = dump->request_type,
			    .nlmsg_flags = NLM_F_REQUEST | NLM_F_DUMP },
	};

	if (dump->head_bytes > sizeof(request.head))
		return -EINVAL;
	memcpy(request.head, dump->head, dump->head_bytes);
	return send(fd, &request, request.header.nlmsg_len, 0) < 0 ? -errno : 0;
}

static int receive_answers(int fd, const struct netlink_dump *dump, void *datagram)
{
	int result = 0;
	ssize_t bytes;

	do {
		do
			bytes = recv(fd, datagram, DATAGRAM_BYTES, MSG_TRUNC);
		while (bytes < 0 && errno == EINTR);
		if (bytes < 0)
			return -errno;
		if (!bytes || bytes > DATAGRAM_BYTES)
			return -EBADMSG;
	} while (netlink__read(dump, datagram, (size_t)bytes, &result));
	return result;
}

int netlink__dump(const struct netlink_dump *dump)
{
	int fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_ROUTE), err;
	void *datagram;

	if (fd < 0)
		return -errno;
	datagram = malloc(DATAGRAM_BYTES);
	err = datagram ? send_request(fd, dump) : -ENOMEM;
	if (!err)
		err = receive_answers(fd, dump, datagram);
	free(datagram);
	close(fd);
	return err;
}
