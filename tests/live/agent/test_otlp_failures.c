// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * test_otlp_failures.c: servers that fail: nothing is lost but what they refuse, and sending goes
 * on when they work again.
 */
#include <signal.h>

#include "live/agent/output_run.h"
#include "live/agent/scripted_server.h"
#include "unit/otlp/otlp_events.h"

#define PROTOBUF "Content-Type: application/x-protobuf\r\n"

static void check_has(const char *text, const char *wanted)
{
	ck_assert_msg(strstr(text, wanted), "no \"%s\" in \"%s\"", wanted, text);
}

/* The server fails at first: three batches arrive once it works. */
static void check_recovery(const char *answer, const char *reason)
{
	need_output("otlp");
	scripted_server__start(answer);
	output_run__open("otlp", scripted.port, "timeout", answer ? "20s" : "1s", NULL);
	output_run__write(batch_of(2));
	while (scripted.requests < 3)
		output_run__wait(50);
	output_run__wait(answer ? 50 : 1100); /* the third one fails, too */
	ck_assert_uint_eq(output_run__settled(), 0);
	ck_assert_uint_eq(output_run__warnings(), 1);
	check_has(output_run__message(), reason);
	scripted.answer = SCRIPTED_OK;
	output_run__write(batch_of(3));
	output_run__write(batch_of(4));
	output_run__wait_settled(3);
	ck_assert_uint_eq(output_run__arrived(), 9);
	ck_assert_uint_eq(output_run__refused(), 0);
	check_has(output_run__message(), "answers again");
	ck_assert_msg(output_run__warnings() == 1, "%s: also %s", reason, output_run__warning());
	output_run__close();
	scripted_server__stop();
}

START_TEST(test_unavailable_server)
{
	check_recovery("HTTP/1.1 503 Service Unavailable\r\nContent-Type: text/plain\r\n"
		       "Content-Length: 8\r\n\r\ntoo busy",
		       "HTTP 503: too busy");
}
END_TEST

START_TEST(test_garbage_for_http)
{
	check_recovery("\x16\x03\x01\x02garbage\r\n\r\n\r\n", "HTTP/0.9");
}
END_TEST

START_TEST(test_page_of_a_proxy)
{
	check_recovery(
		"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 6\r\n\r\n<html>",
		"HTTP 200, but the answer is not OTLP's: text/html");
}
END_TEST

START_TEST(test_garbage_as_protobuf)
{
	check_recovery("HTTP/1.1 200 OK\r\n" PROTOBUF "Content-Length: 3\r\n\r\n\xff\xff\xff",
		       "not OTLP's");
}
END_TEST

START_TEST(test_half_an_answer)
{
	check_recovery("HTTP/1.1 200 OK\r\n" PROTOBUF "Content-Length: 100\r\n\r\nhalf", "");
}
END_TEST

START_TEST(test_half_a_header)
{
	check_recovery("HTTP/1.1 200 O", "");
}
END_TEST

START_TEST(test_no_answer)
{
	check_recovery(NULL, "timed out");
}
END_TEST

START_TEST(test_closed_connection)
{
	check_recovery("", "Empty reply");
}
END_TEST

/* More than 64 KiB are not read. */
START_TEST(test_endless_answer)
{
	static char answer[1 << 20];
	const int head =
		snprintf(answer, sizeof(answer),
			 "HTTP/1.1 200 OK\r\n" PROTOBUF "Content-Length: 99999999\r\n\r\n");

	memset(answer + head, 'x', sizeof(answer) - (size_t)head - 1);
	check_recovery(answer, "not OTLP's");
}
END_TEST

START_TEST(test_no_server)
{
	uint16_t port;
	int listener = tcp_pair__listen(AF_INET, &port);

	close(listener);
	need_output("otlp");
	output_run__open("otlp", port, NULL);
	output_run__write(batch_of(2));
	output_run__wait(800);
	ck_assert_uint_eq(output_run__warnings(), 1);
	check_has(output_run__message(), "Connection refused");
	output_run__close();
	ck_assert_uint_eq(output_run__settled(), 1);
	ck_assert_uint_eq(output_run__refused(), 2);
	ck_assert_str_eq(output_run__why(), "closed");
}
END_TEST

START_TEST(test_retry_after)
{
	uint64_t start;

	need_output("otlp");
	scripted_server__start("HTTP/1.1 429 Too Many Requests\r\nRetry-After: 2\r\n"
			       "Content-Length: 0\r\n\r\n");
	output_run__open("otlp", scripted.port, NULL);
	start = run__now_ms();
	output_run__write(batch_of(1));
	while (!scripted.requests)
		output_run__wait(50);
	output_run__wait(200);
	scripted.answer = SCRIPTED_OK;
	ck_assert_int_eq(run.output->ops->write(run.output, NULL), -EAGAIN); /* left alone */
	output_run__wait_settled(1);
	ck_assert_uint_ge(run__now_ms() - start, 2000);
	ck_assert_uint_lt(run__now_ms() - start, 3500);
	ck_assert_uint_eq(scripted.requests, 2);
	output_run__close();
	scripted_server__stop();
}
END_TEST

START_TEST(test_refused_batches)
{
	need_output("otlp");
	scripted_server__start("HTTP/1.1 400 Bad Request\r\n" PROTOBUF
			       "Content-Length: 9\r\n\r\n\x12\x07no\x1b[way");
	output_run__open("otlp", scripted.port, NULL);
	output_run__send(batch_of(2));
	output_run__send(batch_of(3));
	ck_assert_uint_eq(output_run__refused(), 5);
	ck_assert_uint_eq(output_run__warnings(), 1);
	ck_assert_str_eq(output_run__why(), "HTTP 400: no\\x1b[way");
	scripted.answer = SCRIPTED_OK;
	output_run__send(batch_of(1));
	ck_assert_uint_eq(output_run__arrived(), 1);
	output_run__close();
	scripted_server__stop();
}
END_TEST

START_TEST(test_partial_success)
{
	need_output("otlp");
	scripted_server__start("HTTP/1.1 200 OK\r\n" PROTOBUF
			       "Content-Length: 11\r\n\r\n\x0a\x09\x08\x02\x12\x05stale");
	output_run__open("otlp", scripted.port, NULL);
	output_run__send(batch_of(5));
	ck_assert_uint_eq(output_run__refused(), 2);
	ck_assert_uint_eq(output_run__arrived(), 3);
	ck_assert_str_eq(output_run__why(), "HTTP 200: stale");
	output_run__send(batch_of(1)); /* it has fewer than the server refuses */
	ck_assert_uint_eq(output_run__refused(), 3);
	output_run__close();
	scripted_server__stop();
}
END_TEST

START_TEST(test_events_and_points)
{
	struct peat_batch *batch;

	need_output("otlp");
	batch = batch_of(2);
	add_gauge(batch, 1);
	scripted_server__start("HTTP/1.1 413 Large\r\nContent-Length: 0\r\n\r\n");
	output_run__open("otlp", scripted.port, NULL);
	output_run__send(peat_batch__ref(batch));
	ck_assert_uint_eq(scripted.requests, 2);
	ck_assert_uint_eq(output_run__refused(), 3);
	ck_assert_str_eq(output_run__why(), "HTTP 413");
	output_run__send(new_batch()); /* there is nothing to send */
	ck_assert_uint_eq(scripted.requests, 2);
	output_run__close();
	scripted_server__stop();
	peat_batch__unref(batch);
}
END_TEST

START_TEST(test_window_is_full)
{
	need_output("otlp");
	scripted_server__start(NULL);
	output_run__open("otlp", scripted.port, "window", "3", NULL);
	for (unsigned i = 0; i < 3; i++)
		output_run__write(batch_of(1));
	ck_assert_int_eq(run.output->ops->write(run.output, NULL), -EAGAIN);
	ck_assert_int_eq(eventfd_write(run.wake_fd, 1), 0);
	ck_assert_int_eq(run.output->ops->acknowledged(run.output, 60000), 0);
	output_run__close();
	ck_assert_uint_eq(output_run__settled(), 3);
	ck_assert_uint_eq(output_run__refused(), 3);
	scripted_server__stop();
}
END_TEST

/* ---- speed ----------------------------------------------------------------------------------- */

static void measure(const char *compression)
{
	double cpu, seconds, events;
	struct peat_batch *batch = new_batch();
	uint64_t start, batches = 0;

	fill_batch(batch);
	scripted_server__start(SCRIPTED_OK);
	output_run__open("otlp", scripted.port, "compression", compression, NULL);
	start = run__now_ms();
	cpu = run__seconds(CLOCK_THREAD_CPUTIME_ID);
	for (; batches < 400 && run__now_ms() - start < 3000; batches++)
		output_run__write(peat_batch__ref(batch));
	output_run__wait_settled(batches);
	cpu = run__seconds(CLOCK_THREAD_CPUTIME_ID) - cpu;
	seconds = (double)(run__now_ms() - start) / 1000;
	events = (double)output_run__arrived();
	printf("otlp, %s: %.0f events/s, %.2f CPUs, %.0f ns of CPU an event, %.0f bytes an event\n",
	       compression, events / seconds, cpu / seconds, cpu / events * 1e9,
	       (double)scripted.body_bytes / events);
	ck_assert_uint_eq(output_run__arrived(), batches * peat_batch__events(batch));
	output_run__close();
	scripted_server__stop();
	peat_batch__unref(batch);
}

START_TEST(test_speed_of_sending)
{
	need_output("otlp");
	measure("gzip");
	measure("none");
}
END_TEST

static Suite *failures_suite(void)
{
	TCase *tests;
	Suite *suite = harness__suite("otlp_failures", 60, &tests);

	signal(SIGPIPE, SIG_IGN);
	tcase_add_test(tests, test_unavailable_server);
	tcase_add_test(tests, test_garbage_for_http);
	tcase_add_test(tests, test_page_of_a_proxy);
	tcase_add_test(tests, test_garbage_as_protobuf);
	tcase_add_test(tests, test_half_an_answer);
	tcase_add_test(tests, test_half_a_header);
	tcase_add_test(tests, test_no_answer);
	tcase_add_test(tests, test_closed_connection);
	tcase_add_test(tests, test_endless_answer);
	tcase_add_test(tests, test_no_server);
	tcase_add_test(tests, test_retry_after);
	tcase_add_test(tests, test_refused_batches);
	tcase_add_test(tests, test_partial_success);
	tcase_add_test(tests, test_events_and_points);
	tcase_add_test(tests, test_window_is_full);
	tcase_add_test(tests, test_speed_of_sending);
	return suite;
}

int main(int argc, char **argv)
{
	static const suite_fn suites[] = { failures_suite };

	return harness__main(argc, argv, suites, 1);
}
