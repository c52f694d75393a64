// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_tcp.c: the probe tcp, with connections over the loopback. */
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/machine/harness.h"
#include "support/machine/netns.h"
#include "support/machine/tcp_pair.h"
#include "support/machine/tracing.h"

#define SENT	 70000 /* by the client */
#define ANSWERED 7     /* by the server */

static void setup(void)
{
	netns__enter();
	process__pin();
}

/* The next event of this kind from or to this port; NULL: none. */
static const char *find_of_port(const struct tracing *tracing, const char *kind, uint16_t port,
				size_t *from)
{
	for (; *from < tracing->events.count; ++*from) {
		const char *event = tracing->events.lines[*from];

		if (!strcmp(json_lines__text(event, "kind"), kind) &&
		    (json_lines__number(event, "from.port") == port ||
		     json_lines__number(event, "to.port") == port))
			return tracing->events.lines[(*from)++];
	}
	return NULL;
}

static const char *only_of_port(const struct tracing *tracing, const char *kind, uint16_t port)
{
	size_t from = 0;
	const char *event = find_of_port(tracing, kind, port, &from);

	ck_assert_msg(event, "no %s of port %u", kind, port);
	ck_assert_msg(!find_of_port(tracing, kind, port, &from), "a second %s of port %u", kind,
		      port);
	return event;
}

static void check_ends(const char *event, const char *address, const struct tcp_pair *pair)
{
	expect_text(event, "from.address", address);
	expect_text(event, "to.address", address);
	expect_number(event, "from.port", pair->from_port);
	expect_number(event, "to.port", pair->to_port);
}

/* The one of two closed sockets that received `rx` bytes. */
static const char *close_of(const struct tracing *tracing, uint16_t port, long long rx)
{
	const char *event;
	size_t from = 0;

	while ((event = find_of_port(tracing, "close", port, &from)))
		if (json_lines__number(event, "rx") == rx)
			return event;
	ck_abort_msg("no closed socket of port %u with %lld bytes received", port, rx);
	return NULL;
}

/* ---- connections ----------------------------------------------------------------------------- */

static void check_connection(int family, const char *address)
{
	uint16_t port;
	int listener = tcp_pair__listen(family, &port);
	struct tracing tracing;
	struct tcp_pair pair;
	const char *event;

	tracing__start(&tracing, TRACE("tcp"));
	pair = tcp_pair__connect(family, listener);
	tcp_pair__send(pair.client, pair.server, SENT);
	tcp_pair__send(pair.server, pair.client, ANSWERED);
	close(pair.client);
	tcp_pair__close_last(pair.server);
	tcp_pair__wait_closed(port);
	tracing__stop(&tracing);
	event = only_of_port(&tracing, "connect", pair.from_port);
	check_ends(event, address, &pair);
	expect_number(event, "pid", getpid());
	expect_number(event, "error", 0);
	expect_number(event, "life", 0);
	ck_assert_int_gt(json_lines__number(event, "setup"), 0);
	event = only_of_port(&tracing, "accept", pair.from_port);
	check_ends(event, address, &pair);
	expect_number(event, "pid", getpid());
	ck_assert_int_gt(json_lines__number(event, "setup"), 0);
	event = close_of(&tracing, pair.from_port, ANSWERED);
	check_ends(event, address, &pair);
	expect_number(event, "pid", getpid());
	expect_number(event, "tx", SENT);
	expect_number(event, "error", 0);
	ck_assert_int_gt(json_lines__number(event, "life"), 0);
	event = close_of(&tracing, pair.from_port, SENT);
	check_ends(event, address, &pair);
	expect_number(event, "pid", getpid());
	expect_number(event, "tx", ANSWERED);
	tracing__free(&tracing);
	close(listener);
}

START_TEST(test_ipv4_connection_is_traced)
{
	check_connection(AF_INET, "127.0.0.1");
}
END_TEST

START_TEST(test_ipv6_connection_is_traced)
{
	check_connection(AF_INET6, "::1");
}
END_TEST

/* The process of a connection is the one that connected, although it ends in softirqs. */
START_TEST(test_process_that_connected)
{
	uint16_t port;
	int listener = tcp_pair__listen(AF_INET, &port), status;
	struct tracing tracing;
	pid_t child;

	tracing__start(&tracing, TRACE("tcp"));
	child = fork();
	ck_assert_int_ge(child, 0);
	if (!child) {
		struct tcp_pair pair = tcp_pair__connect(AF_INET, listener);

		close(pair.client);
		tcp_pair__close_last(pair.server);
		_exit(0);
	}
	ck_assert_int_eq(waitpid(child, &status, 0), child);
	ck_assert_int_eq(status, 0);
	tracing__stop(&tracing);
	expect_number(only_of_port(&tracing, "connect", port), "pid", child);
	expect_number(only_of_port(&tracing, "accept", port), "pid", child);
	ck_assert_uint_eq(tracing__count(&tracing, "tcp", getpid()), 0);
	tracing__free(&tracing);
	close(listener);
}
END_TEST

/* ---- failures -------------------------------------------------------------------------------- */

START_TEST(test_refused_connection_is_traced)
{
	struct tracing tracing;
	const char *event;
	uint16_t port;

	tracing__start(&tracing, TRACE("tcp"));
	port = netns__be_refused();
	tracing__stop(&tracing);
	event = only_of_port(&tracing, "connect", port);
	expect_number(event, "to.port", port);
	ck_assert_int_gt(json_lines__number(event, "from.port"), 0);
	expect_number(event, "pid", getpid());
	expect_text(event, "error", "ECONNREFUSED");
	ck_assert_int_gt(json_lines__number(event, "setup"), 0);
	tracing__free(&tracing);
}
END_TEST

/* A reset breaks the connection of the other end. */
START_TEST(test_reset_is_traced)
{
	uint16_t port;
	int listener = tcp_pair__listen(AF_INET, &port);
	struct tracing tracing;
	struct tcp_pair pair;
	const char *event;
	size_t from = 0;

	tracing__start(&tracing, TRACE("tcp,failed"));
	pair = tcp_pair__connect(AF_INET, listener);
	tcp_pair__send(pair.server, pair.client, 3);
	tcp_pair__reset(pair.client);
	tcp_pair__close_last(pair.server);
	tcp_pair__wait_closed(port);
	tracing__stop(&tracing);
	event = find_of_port(&tracing, "close", port, &from);
	ck_assert_ptr_nonnull(event);
	check_ends(event, "127.0.0.1", &pair);
	expect_text(event, "error", "ECONNRESET");
	expect_number(event, "tx", 3);
	expect_number(event, "rx", 0);
	from = 0;
	ck_assert_ptr_null(find_of_port(&tracing, "connect", port, &from)); /* did not fail */
	tracing__free(&tracing);
	close(listener);
}
END_TEST

/* ---- options and filters --------------------------------------------------------------------- */

static void connect_and_close(int listener)
{
	struct tcp_pair pair = tcp_pair__connect(AF_INET, listener);

	close(pair.client);
	tcp_pair__close_last(pair.server);
}

START_TEST(test_filters_by_port)
{
	uint16_t wanted, other;
	int one = tcp_pair__listen(AF_INET, &wanted), two = tcp_pair__listen(AF_INET, &other);
	struct tracing tracing;
	char source[64];

	snprintf(source, sizeof(source), "tcp,port=%u", wanted);
	tracing__start(&tracing, TRACE(source));
	connect_and_close(two);
	connect_and_close(one);
	tcp_pair__wait_closed(wanted);
	tracing__stop(&tracing);
	ck_assert_uint_eq(tracing.events.count, 4); /* connect, accept, and two that close */
	for (size_t i = 0; i < tracing.events.count; i++)
		expect_number(tracing.events.lines[i], "to.port", wanted);
	tracing__free(&tracing);
	close(one);
	close(two);
}
END_TEST

static void check_none(const struct tracing *tracing, uint16_t port)
{
	static const char *const kinds[] = { "connect", "accept", "close" };

	for (size_t i = 0; i < 3; i++) {
		size_t from = 0;
		const char *event = find_of_port(tracing, kinds[i], port, &from);

		ck_assert_msg(!event, "%s", event);
	}
}

/* Nothing happens: no event.  Filters of tasks apply to the process of the connection. */
START_TEST(test_filtered_connections_are_silent)
{
	static const char *const sources[] = { "tcp,min=1h", "tcp" };
	uint16_t port;
	int listener = tcp_pair__listen(AF_INET, &port);
	struct netns_pair datagrams = netns__pair(AF_INET);

	for (size_t i = 0; i < 2; i++) {
		struct tracing tracing;

		tracing__start(&tracing, i ? TRACE(sources[i], "-p", "1") : TRACE(sources[i]));
		connect_and_close(listener);
		netns__send(&datagrams, "x", 1);
		tcp_pair__wait_closed(port);
		tracing__stop(&tracing);
		check_none(&tracing, port);
		tracing__free(&tracing);
	}
	netns__close(&datagrams);
	close(listener);
}
END_TEST

static Suite *tcp_suite(void)
{
	TCase *tests;
	Suite *suite = harness__suite("tcp", 60, &tests);

	tcase_add_checked_fixture(tests, setup, NULL);
	tcase_add_test(tests, test_ipv4_connection_is_traced);
	tcase_add_test(tests, test_ipv6_connection_is_traced);
	tcase_add_test(tests, test_process_that_connected);
	tcase_add_test(tests, test_refused_connection_is_traced);
	tcase_add_test(tests, test_reset_is_traced);
	tcase_add_test(tests, test_filters_by_port);
	tcase_add_test(tests, test_filtered_connections_are_silent);
	return suite;
}

int main(int argc, char **argv)
{
	const suite_fn suites[] = { tcp_suite };

	return harness__main(argc, argv, suites, sizeof(suites) / sizeof(*suites));
}
