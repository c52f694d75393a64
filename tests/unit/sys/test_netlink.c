// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_netlink.c: complete and damaged dumps of the kernel. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>

#include "support/machine/harness.h"
#include "sys/netlink.h"
#include "unit/suite.h"

#define PROGRAM 4711

/* One of two filters, as the kernel writes it. */
struct message {
	struct nlmsghdr header;
	struct tcmsg tc;
	struct nlattr kind;
	char kind_text[4];
	struct nlattr options; /* includes all attributes that follow in it */
	struct nlattr name;
	char name_text[8]; /* "short", and padding */
	struct nlattr id;
	uint32_t id_number;
};

#define KIND	1
#define OPTIONS 2
#define NAME	7
#define ID	11

static struct message message(int ifindex, uint32_t id)
{
	return (struct message){
		.header = { .nlmsg_len = sizeof(struct message), .nlmsg_type = RTM_NEWTFILTER },
		.tc = { .tcm_ifindex = ifindex },
		.kind = { 8, KIND },
		.kind_text = "bpf",
		.options = { sizeof(struct message) - offsetof(struct message, options),
			     OPTIONS | NLA_F_NESTED },
		.name = { 4 + sizeof("short"), NAME },
		.name_text = "short",
		.id = { 8, ID },
		.id_number = id,
	};
}

struct seen {
	unsigned messages;
	uint32_t sum; /* sum of the ids */
	int ends_with;
};

static int see(void *context, const void *head, struct attributes attributes)
{
	struct attributes options = netlink__value(attributes, OPTIONS);
	const struct tcmsg *tc = head;
	struct seen *seen = context;
	uint32_t id = 0;

	seen->messages += tc->tcm_ifindex > 0;
	if (netlink__is(attributes, KIND, "bpf") && netlink__number(options, ID, &id))
		seen->sum += id;
	return seen->ends_with;
}

/* Parses a copy of exactly that size, for the sanitizer. */
static int read_bytes(const void *bytes, size_t count, struct seen *seen, int *result)
{
	const struct netlink_dump dump = {
		.answer_type = RTM_NEWTFILTER,
		.head_bytes = sizeof(struct tcmsg),
		.each = see,
		.context = seen,
	};
	void *copy = malloc(count ? count : 1);
	int more;

	memcpy(copy, bytes, count);
	*result = 0;
	more = netlink__read(&dump, copy, count, result);
	free(copy);
	return more;
}

START_TEST(test_finds_values)
{
	struct message filter = message(1, PROGRAM);
	struct attributes all = { (const void *)&filter.kind,
				  sizeof(filter) - offsetof(struct message, kind) };
	struct attributes options = netlink__value(all, OPTIONS);
	uint32_t number = 5;

	ck_assert_ptr_eq(options.bytes, &filter.name);
	ck_assert(netlink__is(all, KIND, "bpf"));
	ck_assert(!netlink__is(all, KIND, "bp"));
	ck_assert(!netlink__is(all, KIND, "bpf2"));
	ck_assert(netlink__is(options, NAME, "short"));
	ck_assert(!netlink__number(options, NAME, &number));
	ck_assert(!netlink__number(options, KIND, &number));
	ck_assert(!netlink__number(all, ID, &number));
	ck_assert_uint_eq(number, 5);
	ck_assert(netlink__number(options, ID, &number));
	ck_assert_uint_eq(number, PROGRAM);
	filter.kind_text[3] = '2'; /* no NUL at the end */
	ck_assert(!netlink__is(all, KIND, "bpf2"));
	filter.name.nla_len = 200; /* beyond the message, so all later attributes are cut off too */
	ck_assert(!netlink__number(options, ID, &number));
	filter.name.nla_len = 3; /* less than its own header */
	ck_assert(!netlink__number(options, ID, &number));
}
END_TEST

START_TEST(test_reads_list)
{
	struct {
		struct message first;
		struct nlmsghdr other;
		struct message second;
		struct nlmsghdr done;
		int err;
	} list = {
		.first = message(1, 1),
		.other = { sizeof(struct nlmsghdr), RTM_NEWQDISC, 0, 0, 0 },
		.second = message(2, 10),
		.done = { NLMSG_LENGTH(sizeof(int)), NLMSG_DONE, 0, 0, 0 },
	};
	struct seen seen = { 0 };
	int result;

	ck_assert_int_eq(read_bytes(&list, sizeof(list), &seen, &result), 0);
	ck_assert_int_eq(result, 0);
	ck_assert_uint_eq(seen.messages, 2);
	ck_assert_uint_eq(seen.sum, 11);
	list.err = -EPERM;
	ck_assert_int_eq(read_bytes(&list, sizeof(list), &seen, &result), 0);
	ck_assert_int_eq(result, -EPERM);
	seen = (struct seen){ .ends_with = 3 };
	ck_assert_int_eq(read_bytes(&list, sizeof(list), &seen, &result), 0);
	ck_assert_int_eq(result, 3);
	ck_assert_uint_eq(seen.messages, 1);
	list.second.header.nlmsg_type = NLMSG_ERROR;
	memset(&list.second.tc, 0xff, 4); /* -EPERM */
	seen = (struct seen){ 0 };
	ck_assert_int_eq(read_bytes(&list, sizeof(list), &seen, &result), 0);
	ck_assert_int_eq(result, -EPERM);
	list.first.header.nlmsg_len = 0;
	ck_assert_int_eq(read_bytes(&list, sizeof(list), &seen, &result), 0);
	ck_assert_int_eq(result, -EBADMSG);
}
END_TEST

/* A message that is cut off is not passed on; after whole messages, more may follow. */
START_TEST(test_cut_message_is_dropped)
{
	const struct message list[2] = { message(1, 1), message(2, 10) };

	for (size_t count = 0; count <= sizeof(list); count++) {
		size_t rest = count % sizeof(*list);
		struct seen seen = { 0 };
		int result, more = read_bytes(list, count, &seen, &result);

		ck_assert_uint_eq(seen.messages, count / sizeof(*list));
		ck_assert_int_eq(more, rest < sizeof(struct nlmsghdr));
		ck_assert_int_eq(result, more ? 0 : -EBADMSG);
	}
}
END_TEST

/*
 * A message can be shorter than its struct, as its length says.  One without its struct tcmsg is
 * skipped.
 */
START_TEST(test_short_message)
{
	struct message filter = message(1, PROGRAM);

	for (uint32_t bytes = sizeof(filter.header); bytes < sizeof(filter); bytes++) {
		struct seen seen = { 0 };
		int result;

		filter.header.nlmsg_len = bytes;
		ck_assert_int_eq(read_bytes(&filter, bytes, &seen, &result), 1);
		ck_assert_uint_eq(seen.messages, bytes >= offsetof(struct message, kind));
		ck_assert_uint_eq(seen.sum, 0);
	}
}
END_TEST

/* Whatever a length is changed to, nothing beyond the memory is read. */
START_TEST(test_any_byte)
{
	static const unsigned char values[] = { 0, 1, 3, 5, 0x7f, 0xff };

	for (size_t at = 0; at < 2 * sizeof(struct message); at++)
		for (size_t i = 0; i < sizeof(values); i++) {
			struct message list[2] = { message(1, 1), message(2, 10) };
			struct seen seen = { 0 };
			int result;

			((unsigned char *)list)[at] = values[i];
			read_bytes(list, sizeof(list), &seen, &result);
			ck_assert_uint_le(seen.messages, sizeof(list) / NLMSG_ALIGNTO);
		}
}
END_TEST

SUITE(10)
{
	tcase_add_test(tests, test_finds_values);
	tcase_add_test(tests, test_reads_list);
	tcase_add_test(tests, test_cut_message_is_dropped);
	tcase_add_test(tests, test_short_message);
	tcase_add_test(tests, test_any_byte);
}
