/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* netlink.h: what the kernel tells of network interfaces, taken apart. */
#ifndef NETLINK_H
#define NETLINK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Attributes one after the other, or the value of one, which may be attributes again. */
struct attributes {
	const unsigned char *bytes;
	size_t count;
};

/* The value of the first attribute of this type; nothing, if there is none that is whole. */
struct attributes netlink__value(struct attributes all, uint16_t type);

/* Whether there is an attribute of this type that is a 32-bit number, or just this text. */
bool netlink__number(struct attributes all, uint16_t type, uint32_t *number);
bool netlink__is(struct attributes all, uint16_t type, const char *text);

/* A question to which the answer is a list. */
struct netlink_dump {
	uint16_t question, answer; /* RTM_GETQDISC, RTM_NEWQDISC */
	const void *head;	   /* a struct tcmsg or the like: question and answers have it */
	size_t head_bytes;
	/* Gets each answer; what it returns, if not 0, ends the list. */
	int (*each)(void *context, const void *head, struct attributes attributes);
	void *context;
};

/* 0, what `each` returned, or a negative errno. */
int netlink__dump(const struct netlink_dump *dump);

/*
 * One datagram of the answer, aligned as a struct nlmsghdr.  1: more will come; 0: that was the
 * end, and `*result` is what netlink__dump() returns.
 */
int netlink__read(const struct netlink_dump *dump, const void *bytes, size_t count, int *result);

#endif /* NETLINK_H */
