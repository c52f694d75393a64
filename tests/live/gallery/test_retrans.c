// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_retrans.c: the probe retrans: lost segments and resets on the loopback. */
#include <linux/filter.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>
#include <bpf/btf.h>

#include "support/machine/harness.h"
#include "support/machine/netns.h"
#include "support/machine/tcp_pair.h"
#include "support/machine/tracing.h"

#define LOST_BYTES 100

static void setup(void)
{
	netns__enter();
	process__pin();
}

/* The next event of this kind from or to this port; NULL: none. */
static const char *find(const struct tracing *tracing, const char *kind, uint16_t port)
{
	for (size_t i = 0; i < tracing->events.count; i++) {
		const char *event = tracing->events.lines[i];

		if (!strcmp(json_lines__text(event, "kind"), kind) &&
		    (json_lines__number(event, "from.port") == port ||
		     json_lines__number(event, "to.port") == port))
			return event;
	}
	return NULL;
}

static void check_ends(const char *event, const char *address, uint16_t from, uint16_t to)
{
	expect_text(event, "from.address", address);
	expect_text(event, "to.address", address);
	expect_number(event, "from.port", from);
	expect_number(event, "to.port", to);
}

/* Whether resets have reasons (Linux 6.10). */
static bool kernel_has(const char *name)
{
	struct btf *btf = btf__load_vmlinux_btf();
	bool has = btf && btf__find_by_name_kind(btf, name, BTF_KIND_ENUM) > 0;

	btf__free(btf);
	return has;
}

/* ---- retransmits ----------------------------------------------------------------------------- */

/* The socket drops all segments that it receives. */
static void make_deaf(int fd)
{
	struct sock_filter drop = { .code = BPF_RET | BPF_K };
	const struct sock_fprog filter = { .len = 1, .filter = &drop };

	ck_assert_int_eq(setsockopt(fd, SOL_SOCKET, SO_ATTACH_FILTER, &filter, sizeof(filter)), 0);
}

static void make_hear(int fd)
{
	int unused = 0;

	ck_assert_int_eq(setsockopt(fd, SOL_SOCKET, SO_DETACH_FILTER, &unused, sizeof(unused)), 0);
}

/* It arrives when it is sent again. */
static void lose_segment(const struct tcp_pair *pair)
{
	char bytes[LOST_BYTES] = "";
	uint32_t dropped = tcp_pair__dropped(pair->server);

	make_deaf(pair->server);
	ck_assert_int_eq(send(pair->client, bytes, sizeof(bytes), 0), sizeof(bytes));
	tcp_pair__wait_dropped(pair->server, dropped);
	make_hear(pair->server);
	ck_assert_int_eq(recv(pair->server, bytes, sizeof(bytes), MSG_WAITALL), sizeof(bytes));
}

/*
 * A virtual machine whose CPUs were stopped can send a segment again without a run of the
 * tracepoint: perf record misses such segments, too (Linux 6.18).
 */
#define LOST_SEGMENTS 3

static void check_retransmit(int family, const char *address)
{
	uint16_t port;
	int listener = tcp_pair__listen(family, &port);
	struct tcp_pair pair = tcp_pair__connect(family, listener);
	struct tracing tracing;
	const char *event;

	tracing__start(&tracing, TRACE("retrans"));
	for (int i = 0; i < LOST_SEGMENTS; i++)
		lose_segment(&pair);
	tracing__stop(&tracing);
	event = find(&tracing, "retransmit", pair.from_port);
	ck_assert_ptr_nonnull(event);
	check_ends(event, address, pair.from_port, pair.to_port);
	expect_number(event, "bytes", LOST_BYTES);
	expect_text(event, "state", "ESTABLISHED");
	tracing__free(&tracing);
	close(pair.client);
	close(pair.server);
	close(listener);
}

START_TEST(test_retransmit_ipv4)
{
	check_retransmit(AF_INET, "127.0.0.1");
}
END_TEST

START_TEST(test_retransmit_ipv6)
{
	check_retransmit(AF_INET6, "::1");
}
END_TEST

/* ---- resets ---------------------------------------------------------------------------------- */

START_TEST(test_reset_is_traced)
{
	uint16_t port;
	int listener = tcp_pair__listen(AF_INET, &port);
	struct tcp_pair pair = tcp_pair__connect(AF_INET, listener);
	struct tracing tracing;
	const char *event;

	tracing__start(&tracing, TRACE("retrans"));
	tcp_pair__reset(pair.client);
	tcp_pair__close_last(pair.server);
	tracing__stop(&tracing);
	event = find(&tracing, "reset_sent", port);
	ck_assert_ptr_nonnull(event);
	check_ends(event, "127.0.0.1", pair.from_port, pair.to_port);
	event = find(&tracing, "reset_received", port);
	ck_assert_ptr_nonnull(event);
	check_ends(event, "127.0.0.1", pair.from_port, pair.to_port);
	expect_text(event, "state", "ESTABLISHED");
	tracing__free(&tracing);
	close(listener);
}
END_TEST

/* The answer to a connection that is refused; before Linux 6.10 it has no event. */
START_TEST(test_refused_connection_is_traced)
{
	struct tracing tracing;
	const char *event;
	uint16_t port;

	tracing__start(&tracing, TRACE("retrans"));
	port = netns__be_refused();
	tracing__stop(&tracing);
	event = find(&tracing, "reset_received", port);
	ck_assert_ptr_nonnull(event);
	expect_number(event, "from.port", port);
	expect_text(event, "state", "SYN_SENT");
	if (kernel_has("sk_rst_reason")) {
		event = find(&tracing, "reset_sent", port);
		ck_assert_ptr_nonnull(event);
		expect_number(event, "from.port", port);
		expect_text(event, "from.address", "127.0.0.1");
		expect_text(event, "reason", "NO_SOCKET");
		expect_text(event, "state", "NO_SOCKET");
	}
	tracing__free(&tracing);
}
END_TEST

/* ---- silence --------------------------------------------------------------------------------- */

static unsigned retransmits(int fd)
{
	struct tcp_info info;
	socklen_t bytes = sizeof(info);

	ck_assert_int_eq(getsockopt(fd, IPPROTO_TCP, TCP_INFO, &info, &bytes), 0);
	return info.tcpi_total_retrans;
}

/* Nothing is lost: no event.  A busy machine may retransmit, as often as the sockets say. */
START_TEST(test_sound_connection_is_silent)
{
	uint16_t port;
	int listener = tcp_pair__listen(AF_INET, &port);
	unsigned before, after, seen = 0;
	struct tracing tracing;
	struct tcp_pair pair;

	tracing__start(&tracing, TRACE("retrans"));
	pair = tcp_pair__connect(AF_INET, listener);
	tcp_pair__send(pair.client, pair.server, 1000);
	before = retransmits(pair.client) + retransmits(pair.server);
	tracing__stop(&tracing);
	after = retransmits(pair.client) + retransmits(pair.server);
	for (size_t i = 0; i < tracing.events.count; i++)
		seen += json_lines__number(tracing.events.lines[i], "to.port") == port ||
			json_lines__number(tracing.events.lines[i], "from.port") == port;
	ck_assert_uint_ge(seen, before);
	ck_assert_uint_le(seen, after);
	tracing__free(&tracing);
	close(pair.client);
	close(pair.server);
	close(listener);
}
END_TEST

START_TEST(test_filters_by_port)
{
	uint16_t wanted, other;
	int one = tcp_pair__listen(AF_INET, &wanted), two = tcp_pair__listen(AF_INET, &other);
	struct tcp_pair first = tcp_pair__connect(AF_INET, one);
	struct tcp_pair second = tcp_pair__connect(AF_INET, two);
	struct tracing tracing;
	char source[64];

	snprintf(source, sizeof(source), "retrans,port=%u", wanted);
	tracing__start(&tracing, TRACE(source));
	tcp_pair__reset(second.client);
	tcp_pair__reset(first.client);
	tcp_pair__close_last(second.server);
	tcp_pair__close_last(first.server);
	tracing__stop(&tracing);
	ck_assert_ptr_nonnull(find(&tracing, "reset_received", wanted));
	ck_assert_ptr_null(find(&tracing, "reset_received", other));
	ck_assert_ptr_null(find(&tracing, "reset_sent", other));
	tracing__free(&tracing);
	close(one);
	close(two);
}
END_TEST

static Suite *retrans_suite(void)
{
	TCase *tests;
	Suite *suite = harness__suite("retrans", 60, &tests);

	tcase_add_checked_fixture(tests, setup, NULL);
	tcase_add_test(tests, test_retransmit_ipv4);
	tcase_add_test(tests, test_retransmit_ipv6);
	tcase_add_test(tests, test_reset_is_traced);
	tcase_add_test(tests, test_refused_connection_is_traced);
	tcase_add_test(tests, test_sound_connection_is_silent);
	tcase_add_test(tests, test_filters_by_port);
	return suite;
}

int main(int argc, char **argv)
{
	const suite_fn suites[] = { retrans_suite };

	return harness__main(argc, argv, suites, sizeof(suites) / sizeof(*suites));
}
