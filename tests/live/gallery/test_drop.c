// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_drop.c: the probe drop: packets without a receiver, and a socket that drops all. */
#include <errno.h>
#include <linux/filter.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>
#include <bpf/btf.h>

#include "support/machine/harness.h"
#include "support/machine/netns.h"
#include "support/machine/process.h"
#include "support/machine/tcp_pair.h"
#include "support/machine/tracing.h"

#define COUNT 5
#define BYTES 100 /* of each datagram */

static bool has_reasons; /* Linux 5.17 */

static void setup(void)
{
	struct btf *btf = btf__load_vmlinux_btf();

	has_reasons = btf && btf__find_by_name_kind(btf, "skb_drop_reason", BTF_KIND_ENUM) > 0;
	btf__free(btf);
	netns__enter();
	process__pin();
}

static const char *find(const struct tracing *tracing, uint16_t port, size_t *from)
{
	for (; *from < tracing->events.count; ++*from)
		if (json_lines__number(tracing->events.lines[*from], "to.port") == port)
			return tracing->events.lines[(*from)++];
	return NULL;
}

static void check_reason(const char *event, const char *reason)
{
	if (has_reasons)
		expect_text(event, "reason", reason);
	else
		expect_text(event, "reason", "unknown");
}

static void check_event(const char *event, const char *address, const struct netns_pair *pair)
{
	expect_text(event, "type", "drop");
	expect_text(event, "protocol", "udp");
	expect_text(event, "from.address", address);
	expect_text(event, "to.address", address);
	expect_number(event, "from.port", pair->from_port);
	expect_number(event, "to.port", pair->to_port);
	ck_assert_ptr_nonnull(json_lines__text(event, "location.address"));
	ck_assert_int_ge(json_lines__number(event, "bytes"), BYTES);
	expect_number(event, "ifindex", 1);
}

static void send_one(const struct netns_pair *pair)
{
	char bytes[BYTES] = "";

	ck_assert_int_eq(send(pair->from, bytes, sizeof(bytes), 0), sizeof(bytes));
}

/* Each is dropped when the answer arrives: there is no such port. */
static void send_refused(const struct netns_pair *pair)
{
	struct pollfd answer = { .fd = pair->from };
	socklen_t bytes = sizeof(int);
	int err;

	for (int i = 0; i < COUNT; i++) {
		send_one(pair);
		ck_assert_int_eq(poll(&answer, 1, -1), 1); /* POLLERR */
		ck_assert_int_eq(getsockopt(pair->from, SOL_SOCKET, SO_ERROR, &err, &bytes), 0);
		ck_assert_int_eq(err, ECONNREFUSED);
	}
}

/* Datagrams to a port that has no socket any more. */
static void check_no_socket(int family, const char *address, const char *ethertype)
{
	struct netns_pair pair = netns__pair(family);
	struct tracing tracing;
	const char *event;
	size_t from = 0, count = 0;

	tracing__start(&tracing, TRACE("drop"));
	close(pair.to);
	send_refused(&pair);
	tracing__stop(&tracing);
	while ((event = find(&tracing, pair.to_port, &from))) {
		check_event(event, address, &pair);
		check_reason(event, "NO_SOCKET");
		expect_text(event, "ethertype", ethertype);
		count++;
	}
	ck_assert_uint_eq(count, COUNT);
	tracing__free(&tracing);
	close(pair.from);
}

START_TEST(test_no_socket_ipv4)
{
	check_no_socket(AF_INET, "127.0.0.1", "IPv4");
}
END_TEST

START_TEST(test_no_socket_ipv6)
{
	check_no_socket(AF_INET6, "::1", "IPv6");
}
END_TEST

static void make_deaf(int fd)
{
	struct sock_filter drop = { .code = BPF_RET | BPF_K };
	const struct sock_fprog filter = { .len = 1, .filter = &drop };

	ck_assert_int_eq(setsockopt(fd, SOL_SOCKET, SO_ATTACH_FILTER, &filter, sizeof(filter)), 0);
}

/* The reasons of a kernel can be compared by their names. */
START_TEST(test_socket_filter)
{
	struct netns_pair pair = netns__pair(AF_INET), gone = netns__pair(AF_INET);
	struct tracing tracing;
	const char *event;
	size_t from = 0;

	if (!has_reasons)
		skip("this kernel has no reasons for drops (Linux 5.17)");
	make_deaf(pair.to);
	close(gone.to);
	tracing__start(&tracing, TRACE("drop", "--where", "reason == SOCKET_FILTER"));
	send_refused(&gone);
	send_one(&pair);
	tcp_pair__wait_dropped(pair.to, 0);
	tracing__stop(&tracing);
	event = find(&tracing, pair.to_port, &from);
	ck_assert_ptr_nonnull(event);
	check_event(event, "127.0.0.1", &pair);
	expect_text(event, "reason", "SOCKET_FILTER");
	from = 0;
	ck_assert_ptr_null(find(&tracing, gone.to_port, &from));
	tracing__free(&tracing);
}
END_TEST

/* Datagrams that arrive are no drops, and by default neither are packets without a reason. */
START_TEST(test_received_datagrams_are_silent)
{
	struct netns_pair pair = netns__pair(AF_INET);
	struct tracing tracing;
	size_t from = 0;
	const char *event;

	tracing__start(&tracing, TRACE("drop"));
	for (int i = 0; i < COUNT; i++)
		netns__send(&pair, "x", 1);
	tracing__stop(&tracing);
	event = find(&tracing, pair.to_port, &from);
	ck_assert_msg(!event, "%s", event);
	for (size_t i = 0; i < tracing.events.count; i++)
		ck_assert_str_ne(json_lines__text(tracing.events.lines[i], "reason") ?: "",
				 "NOT_SPECIFIED");
	tracing__free(&tracing);
	netns__close(&pair);
}
END_TEST

static Suite *drop_suite(void)
{
	TCase *tests;
	Suite *suite = harness__suite("drop", 60, &tests);

	tcase_add_checked_fixture(tests, setup, NULL);
	tcase_add_test(tests, test_no_socket_ipv4);
	tcase_add_test(tests, test_no_socket_ipv6);
	tcase_add_test(tests, test_socket_filter);
	tcase_add_test(tests, test_received_datagrams_are_silent);
	return suite;
}

int main(int argc, char **argv)
{
	const suite_fn suites[] = { drop_suite };

	return harness__main(argc, argv, suites, sizeof(suites) / sizeof(*suites));
}
