// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_listen.c: the probe listen, with sockets of several families. */
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "support/machine/harness.h"
#include "support/machine/netns.h"
#include "support/machine/tcp_pair.h"
#include "support/machine/tracing.h"

static void setup(void)
{
	netns__enter();
}

/* The only event of this operation by this process. */
static const char *only(const struct tracing *tracing, const char *op)
{
	const char *found = NULL, *event;
	size_t from = 0;

	while ((event = tracing__next(tracing, "listen", getpid(), &from)))
		if (!strcmp(json_lines__text(event, "op"), op)) {
			ck_assert_msg(!found, "a second %s: %s", op, event);
			found = event;
		}
	ck_assert_msg(found, "no %s", op);
	return found;
}

/* The port that the kernel chose. */
static void check_stream(int family, const char *address)
{
	struct tracing tracing;
	const char *event;
	uint16_t port;
	int fd;

	tracing__start(&tracing, TRACE("listen"));
	fd = tcp_pair__listen(family, &port);
	tracing__stop(&tracing);
	event = only(&tracing, "bind");
	expect_text(event, "protocol", "TCP");
	expect_text(event, "address.address", address);
	expect_number(event, "address.port", port);
	expect_number(event, "backlog", -1);
	expect_number(event, "result", 0);
	event = only(&tracing, "listen");
	expect_text(event, "protocol", "TCP");
	expect_text(event, "address.address", address);
	expect_number(event, "address.port", port);
	expect_number(event, "backlog", 8);
	expect_number(event, "result", 0);
	tracing__free(&tracing);
	close(fd);
}

START_TEST(test_ipv4_listener_is_traced)
{
	check_stream(AF_INET, "127.0.0.1");
}
END_TEST

START_TEST(test_ipv6_listener_is_traced)
{
	check_stream(AF_INET6, "::1");
}
END_TEST

START_TEST(test_datagram_bind_is_traced)
{
	struct sockaddr_in address = { .sin_family = AF_INET };
	int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	socklen_t bytes = sizeof(address);
	struct tracing tracing;
	const char *event;

	tracing__start(&tracing, TRACE("listen"));
	ck_assert_int_eq(bind(fd, (struct sockaddr *)&address, bytes), 0);
	tracing__stop(&tracing);
	ck_assert_int_eq(getsockname(fd, (struct sockaddr *)&address, &bytes), 0);
	event = only(&tracing, "bind");
	expect_text(event, "protocol", "UDP");
	expect_text(event, "address.address", "0.0.0.0");
	expect_number(event, "address.port", ntohs(address.sin_port));
	tracing__free(&tracing);
	close(fd);
}
END_TEST

/* The address that was asked for; calls that succeed are left out. */
static void check_taken(const char *source)
{
	uint16_t port, other;
	int fd = tcp_pair__listen(AF_INET6, &port), ok, second;
	struct sockaddr_in6 address = { .sin6_family = AF_INET6, .sin6_addr = in6addr_loopback };
	struct tracing tracing;
	const char *event;
	size_t from = 0;

	address.sin6_port = htons(port);
	second = socket(AF_INET6, SOCK_STREAM | SOCK_CLOEXEC, 0);
	tracing__start(&tracing, TRACE(source));
	ok = tcp_pair__listen(AF_INET, &other);
	ck_assert_int_eq(bind(second, (struct sockaddr *)&address, sizeof(address)), -1);
	tracing__stop(&tracing);
	event = tracing__next(&tracing, "listen", getpid(), &from);
	ck_assert_ptr_nonnull(event);
	expect_text(event, "op", "bind");
	expect_text(event, "protocol", "TCP");
	expect_text(event, "result", "EADDRINUSE");
	expect_text(event, "address.address", "::1");
	expect_number(event, "address.port", port);
	ck_assert_ptr_null(tracing__next(&tracing, "listen", getpid(), &from));
	tracing__free(&tracing);
	close(fd);
	close(ok);
	close(second);
}

START_TEST(test_failed_bind_is_traced)
{
	check_taken("listen,failed");
}
END_TEST

/* Descriptors that are no sockets, or none at all. */
START_TEST(test_no_socket)
{
	struct sockaddr_in address = { .sin_family = AF_INET, .sin_port = htons(80) };
	struct tracing tracing;
	const char *event;
	size_t from = 0;
	int pipes[2];

	ck_assert_int_eq(pipe(pipes), 0);
	tracing__start(&tracing, TRACE("listen"));
	ck_assert_int_eq(bind(pipes[0], (struct sockaddr *)&address, sizeof(address)), -1);
	ck_assert_int_eq(bind(-1, (struct sockaddr *)&address, sizeof(address)), -1);
	ck_assert_int_eq(listen(pipes[0], 1), -1);
	tracing__stop(&tracing);
	event = tracing__next(&tracing, "listen", getpid(), &from);
	ck_assert_ptr_nonnull(event);
	expect_text(event, "result", "ENOTSOCK");
	expect_number(event, "protocol", 0);
	expect_text(event, "address.address", "0.0.0.0");
	expect_number(event, "address.port", 80);
	event = tracing__next(&tracing, "listen", getpid(), &from);
	ck_assert_ptr_nonnull(event);
	expect_text(event, "result", "EBADF");
	ck_assert_ptr_null(tracing__next(&tracing, "listen", getpid(), &from));
	tracing__free(&tracing);
	close(pipes[0]);
	close(pipes[1]);
}
END_TEST

/* Sockets of other families are left out, and connections need no bind(). */
START_TEST(test_other_sockets_are_silent)
{
	const struct sockaddr_un local = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	uint16_t port;
	int listener = tcp_pair__listen(AF_INET, &port);
	struct tracing tracing;
	struct tcp_pair pair;

	tracing__start(&tracing, TRACE("listen"));
	ck_assert_int_eq(bind(fd, (const struct sockaddr *)&local, sizeof(local.sun_family)), 0);
	ck_assert_int_eq(listen(fd, 1), 0);
	pair = tcp_pair__connect(AF_INET, listener);
	tracing__stop(&tracing);
	ck_assert_uint_eq(tracing__count(&tracing, "listen", getpid()), 0);
	tracing__free(&tracing);
	close(pair.client);
	close(pair.server);
	close(listener);
	close(fd);
}
END_TEST

static Suite *listen_suite(void)
{
	TCase *tests;
	Suite *suite = harness__suite("listen", 60, &tests);

	tcase_add_checked_fixture(tests, setup, NULL);
	tcase_add_test(tests, test_ipv4_listener_is_traced);
	tcase_add_test(tests, test_ipv6_listener_is_traced);
	tcase_add_test(tests, test_datagram_bind_is_traced);
	tcase_add_test(tests, test_failed_bind_is_traced);
	tcase_add_test(tests, test_no_socket);
	tcase_add_test(tests, test_other_sockets_are_silent);
	return suite;
}

int main(int argc, char **argv)
{
	const suite_fn suites[] = { listen_suite };

	return harness__main(argc, argv, suites, sizeof(suites) / sizeof(*suites));
}
