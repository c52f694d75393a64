// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_stream.c: messages of a stream: received once, again, by several, after a server's end. */
#include "support/machine/harness.h"

#ifdef HAVE_NATS

#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <peat/log.h>

#include "stream/stream.h"
#include "support/agent/nats_server.h"

#define MESSAGES 100

static char message[512];
static struct nats_server server;

static void keep_message(enum peat_log_level level, const char *text)
{
	(void)level;
	snprintf(message, sizeof(message), "%s", text);
}

static void setup(void)
{
	scratch__make();
	peat_set_print(keep_message);
}

static struct stream *open_with(const char *consumer, const char *subject)
{
	const struct stream_opts opts = { .servers = NATS_SERVER_URL,
					  .stream = "PEAT",
					  .consumer = consumer,
					  .subject = subject,
					  .timeout_ms = 5000,
					  .ack_wait_ms = 1000 };

	return stream__open(&opts);
}

static struct stream *open_stream(const char *consumer)
{
	struct stream *stream = open_with(consumer, NULL);

	ck_assert_msg(stream, "%s", message);
	return stream;
}

static void publish(const char *subject, unsigned first, unsigned count)
{
	char text[16];

	for (unsigned i = first; i < first + count; i++) {
		snprintf(text, sizeof(text), "%u", i);
		nats_server__publish(&server, subject, text, strlen(text));
	}
}

static unsigned number_of(const struct stream_message *received)
{
	char text[16] = "";

	ck_assert_uint_lt(received->count, sizeof(text));
	memcpy(text, received->bytes, received->count);
	return (unsigned)strtoul(text, NULL, 10);
}

/* Receives until nothing arrives for a while: counts how often each number did. */
static unsigned receive(struct stream *stream, unsigned seen[MESSAGES], unsigned most,
			bool acknowledge)
{
	struct stream_message messages[16];
	unsigned total = 0;
	int count;

	while (total < most) {
		unsigned room = most - total < 16 ? most - total : 16;

		count = stream__fetch(stream, 300, messages, room);
		ck_assert_msg(count >= 0, "%s", message);
		if (!count)
			break;
		for (int i = 0; i < count; i++) {
			seen[number_of(&messages[i]) % MESSAGES]++;
			if (acknowledge)
				ck_assert_int_eq(stream__acknowledge(stream, &messages[i]), 0);
			else
				stream__release(&messages[i]);
		}
		total += (unsigned)count;
	}
	return total;
}

static void check_once(const unsigned seen[MESSAGES])
{
	for (unsigned i = 0; i < MESSAGES; i++)
		ck_assert_msg(seen[i] == 1, "%u arrived %u times", i, seen[i]);
}

START_TEST(test_all_messages_are_read_without_a_consumer)
{
	unsigned seen[MESSAGES] = { 0 };
	struct stream *stream;

	need_nats_server();
	nats_server__begin(&server);
	stream = open_stream(NULL);
	ck_assert_uint_eq(stream__last_sequence(stream), 0);
	ck_assert_int_eq(stream__pending(stream), 0);
	stream__close(stream);
	publish("peat.web1.exec", 0, MESSAGES);
	for (int round = 0; round < 2; round++) {
		memset(seen, 0, sizeof(seen));
		stream = open_stream(NULL);
		ck_assert_uint_eq(stream__last_sequence(stream), MESSAGES);
		ck_assert_int_eq(stream__pending(stream), MESSAGES);
		ck_assert_uint_eq(receive(stream, seen, UINT32_MAX, true), MESSAGES);
		check_once(seen);
		ck_assert_int_eq(stream__pending(stream), 0);
		stream__close(stream);
	}
	nats_server__end(&server);
}
END_TEST

START_TEST(test_consumer_goes_on_where_it_was)
{
	unsigned seen[MESSAGES] = { 0 };
	struct stream *stream;

	need_nats_server();
	nats_server__begin(&server);
	publish("peat.web1.exec", 0, MESSAGES / 2);
	stream = open_stream("alerts");
	ck_assert_uint_eq(receive(stream, seen, 10, true), 10);
	stream__close(stream);
	publish("peat.web2.exec", MESSAGES / 2, MESSAGES / 2);
	stream = open_stream("alerts");
	ck_assert_uint_eq(receive(stream, seen, UINT32_MAX, true), MESSAGES - 10);
	check_once(seen);
	stream__close(stream);
	nats_server__end(&server);
}
END_TEST

START_TEST(test_what_is_not_acknowledged_arrives_again)
{
	unsigned seen[MESSAGES] = { 0 };
	struct stream_message again;
	struct stream *stream;

	need_nats_server();
	nats_server__begin(&server);
	publish("peat.web1.exec", 0, 2);
	stream = open_stream("alerts");
	ck_assert_uint_eq(receive(stream, seen, 2, false), 2);
	usleep(1200000);
	ck_assert_int_eq(stream__fetch(stream, 3000, &again, 1), 1);
	ck_assert_uint_eq(again.sequence, 1);
	ck_assert_uint_eq(again.delivered, 2);
	ck_assert_int_eq(stream__acknowledge(stream, &again), 0);
	stream__close(stream);
	nats_server__end(&server);
}
END_TEST

START_TEST(test_what_is_given_back_arrives_at_once)
{
	struct stream_message received;
	struct stream *stream;

	need_nats_server();
	nats_server__begin(&server);
	publish("peat.web1.exec", 0, 1);
	stream = open_stream("alerts");
	for (uint64_t i = 1; i <= 3; i++) {
		ck_assert_int_eq(stream__fetch(stream, 900, &received, 1), 1);
		ck_assert_uint_eq(received.delivered, i);
		stream__return(stream, &received);
	}
	stream__close(stream);
	nats_server__end(&server);
}
END_TEST

START_TEST(test_receivers_share_a_consumer)
{
	unsigned seen[MESSAGES] = { 0 }, counts[2] = { 0 }, total = 0;
	struct stream *streams[2];

	need_nats_server();
	nats_server__begin(&server);
	publish("peat.web1.exec", 0, MESSAGES);
	for (int i = 0; i < 2; i++)
		streams[i] = open_stream("alerts");
	while (total < MESSAGES) {
		unsigned before = total;

		for (int i = 0; i < 2; i++)
			counts[i] += receive(streams[i], seen, 5, true);
		total = counts[0] + counts[1];
		ck_assert_uint_gt(total, before);
	}
	check_once(seen);
	ck_assert_uint_ge(counts[0], 40);
	ck_assert_uint_ge(counts[1], 40);
	for (int i = 0; i < 2; i++)
		stream__close(streams[i]);
	nats_server__end(&server);
}
END_TEST

START_TEST(test_subject_selects_messages)
{
	unsigned seen[MESSAGES] = { 0 };
	struct stream *stream;

	need_nats_server();
	nats_server__begin(&server);
	publish("peat.web1.exec", 0, 10);
	publish("peat.web2.exec", 10, 10);
	stream = open_with(NULL, "peat.web2.*");
	ck_assert_ptr_nonnull(stream);
	ck_assert_uint_eq(receive(stream, seen, UINT32_MAX, true), 10);
	ck_assert_uint_eq(seen[10], 1);
	stream__close(stream);
	nats_server__end(&server);
}
END_TEST

START_TEST(test_server_that_comes_back)
{
	unsigned seen[MESSAGES] = { 0 }, total;
	struct stream *stream;

	need_nats_server();
	nats_server__begin(&server);
	publish("peat.web1.exec", 0, MESSAGES);
	stream = open_stream("alerts");
	total = receive(stream, seen, 50, true);
	ck_assert_uint_eq(total, 50);
	nats_server__stop(&server);
	ck_assert_uint_eq(receive(stream, seen, 1, true), 0);
	ck_assert_str_eq(message, "the connection to the stream's server is lost: trying again");
	nats_server__start(&server);
	for (int i = 0; i < 100 && total < MESSAGES; i++)
		total += receive(stream, seen, MESSAGES - total, true);
	ck_assert_uint_eq(total, MESSAGES);
	check_once(seen);
	stream__close(stream);
	nats_server__end(&server);
}
END_TEST

/* It answers the request that follows the message not before the test lets it. */
static void pause_server(enum peat_log_level level, const char *text)
{
	int status;

	keep_message(level, text);
	if (!strstr(text, "is gone: it is made again"))
		return;
	kill(server.command.pid, SIGSTOP);
	waitpid(server.command.pid, &status, WUNTRACED);
}

START_TEST(test_consumer_is_made_again_when_the_server_answers)
{
	const struct stream_opts opts = { .servers = NATS_SERVER_URL,
					  .stream = "PEAT",
					  .timeout_ms = 300 };
	unsigned seen[MESSAGES] = { 0 };
	struct stream *stream;

	need_nats_server();
	nats_server__begin(&server);
	publish("peat.web1.exec", 0, 1);
	stream = stream__open(&opts);
	ck_assert_msg(stream, "%s", message);
	ck_assert_uint_eq(receive(stream, seen, 1, true), 1);
	nats_server__remove_consumer(&server);
	publish("peat.web1.exec", 1, 1);
	peat_set_print(pause_server);
	while (!strstr(message, "is made again")) /* after some quiet seconds */
		ck_assert_uint_eq(receive(stream, seen, 1, true), 0);
	ck_assert_uint_eq(receive(stream, seen, 1, true), 0);
	ck_assert_int_gt(stream__pending(stream), 0);
	kill(server.command.pid, SIGCONT);
	while (!seen[1])
		receive(stream, seen, 1, true);
	ck_assert_uint_eq(seen[0], 1);
	ck_assert_int_eq(stream__pending(stream), 0);
	stream__close(stream);
	nats_server__end(&server);
}
END_TEST

static void check_refused(const struct stream_opts *opts, int err, const char *text)
{
	errno = 0;
	*message = '\0';
	ck_assert_ptr_null(stream__open(opts));
	ck_assert_msg(strstr(message, text), "%s", message);
	ck_assert_int_eq(errno, err);
}

START_TEST(test_reasons_are_named)
{
	struct stream_opts opts = { .servers = NATS_SERVER_URL,
				    .stream = "OTHER",
				    .timeout_ms = 2000 };
	const char *key;

	need_nats_server();
	check_refused(&opts, ECONNREFUSED, "cannot connect to nats://127.0.0.1:4222");
	nats_server__begin(&server);
	check_refused(&opts, ENOENT, "cannot find stream OTHER");
	opts.stream = "A.B";
	check_refused(&opts, EINVAL, "'A.B' is no name of a stream");
	opts.stream = "PEAT";
	opts.consumer = "a*";
	check_refused(&opts, EINVAL, "'a*' is no name of a consumer");
	opts.consumer = NULL;
	opts.servers = "http://a";
	check_refused(&opts, EINVAL, "expected nats://HOST:PORT");
	opts.servers = "nats://user:secret@127.0.0.1";
	check_refused(&opts, EINVAL, "a URL is no place for credentials");
	ck_assert_ptr_null(strstr(message, "secret"));
	opts.servers = NATS_SERVER_URL;
	key = scratch__path("key");
	close(scratch__file("key", "secret"));
	ck_assert_int_eq(chmod(key, 0644), 0);
	opts.access.credentials_file = key;
	check_refused(&opts, EACCES, "credentials-file: other users can read");
	opts.access.user = "peat";
	check_refused(&opts, EINVAL, "exclude each other");
	opts.access = (struct nats_access){ .cert_file = key };
	check_refused(&opts, EINVAL, "cert-file and key-file need each other");
	nats_server__end(&server);
}
END_TEST

static Suite *stream_suite(void)
{
	TCase *tests;
	Suite *suite = harness__suite("stream", 60, &tests);

	tcase_add_checked_fixture(tests, setup, scratch__remove);
	tcase_add_test(tests, test_all_messages_are_read_without_a_consumer);
	tcase_add_test(tests, test_consumer_goes_on_where_it_was);
	tcase_add_test(tests, test_what_is_not_acknowledged_arrives_again);
	tcase_add_test(tests, test_what_is_given_back_arrives_at_once);
	tcase_add_test(tests, test_receivers_share_a_consumer);
	tcase_add_test(tests, test_subject_selects_messages);
	tcase_add_test(tests, test_server_that_comes_back);
	tcase_add_test(tests, test_consumer_is_made_again_when_the_server_answers);
	tcase_add_test(tests, test_reasons_are_named);
	return suite;
}

#else

START_TEST(test_all_messages_are_read_without_a_consumer)
{
	skip("built without libnats");
}
END_TEST

static Suite *stream_suite(void)
{
	TCase *tests;
	Suite *suite = harness__suite("stream", 60, &tests);

	tcase_add_loop_test(tests, test_all_messages_are_read_without_a_consumer, 0, 1);
	return suite;
}

#endif /* HAVE_NATS */

int main(int argc, char **argv)
{
	static const suite_fn suites[] = { stream_suite };

	return harness__main(argc, argv, suites, 1);
}
