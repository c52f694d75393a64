/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* sys/netlink.h: dump requests to rtnetlink, and their answers parsed. */
#ifndef PEAT_SYS_NETLINK_H
#define PEAT_SYS_NETLINK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A sequence of attributes, or the value of one attribute, which may be a sequence again. */
struct attributes {
	const unsigned char *bytes;
	size_t count;
};

/* The value of the first attribute of this type; empty if there is none, or if it is cut off. */
struct attributes netlink__value(struct attributes all, uint16_t type);

/* Reads an attribute that is a 32-bit number.  False: there is no such attribute. */
bool netlink__number(struct attributes all, uint16_t type, uint32_t *number);

/* Whether the attribute of this type is this text. */
bool netlink__is(struct attributes all, uint16_t type, const char *text);

/* A dump request. */
struct netlink_dump {
	uint16_t request_type, answer_type; /* such as RTM_GETQDISC and RTM_NEWQDISC */
	const void *head; /* a struct tcmsg or the like, which request and answers begin with */
	size_t head_bytes;
	/* Called for each answer; a result other than 0 ends the dump. */
	int (*each)(void *context, const void *head, struct attributes attributes);
	void *context;
};

/* 0, what `each` returned, or a negative errno. */
int netlink__dump(const struct netlink_dump *dump);

/*
 * Parses one datagram of the answer, aligned as a struct nlmsghdr.  1: more datagrams follow; 0:
 * this was the last one, and `*result` is what netlink__dump() returns.
 */
int netlink__read(const struct netlink_dump *dump, const void *bytes, size_t count, int *result);

#endif /* PEAT_SYS_NETLINK_H */
