// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_journal.c: the output journal, with a receiver in the place of journald. */
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include <peat/log.h>

#include "base/monotonic.h"
#include "journal/journal.h"
#include "unit/fail_alloc.h"
#include "unit/journal/receiver.h"
#include "support/machine/process.h"
#include "unit/print/sink_output.h"
#include "unit/suite.h"

static struct peat_field fields[] = {
	{ .name = "number", .kind = PEAT_FIELD_UNSIGNED, .span = 1, .bytes = 4 },
};
static const struct peat_schema schema = SCHEMA("probe", fields);

static struct peat_batch *settled_batch;
static uint64_t settled_refused;
static char settled_why[64], message[512], text[1 << 16];
static unsigned settled_count;

static void settled(void *arg, struct peat_batch *batch, uint64_t refused, const char *why)
{
	ck_assert_ptr_eq(arg, &settled_count);
	settled_count++;
	settled_batch = batch;
	settled_refused = refused;
	snprintf(settled_why, sizeof(settled_why), "%s", why ?: "");
}

static void keep_message(enum peat_log_level level, const char *line)
{
	(void)level;
	snprintf(message, sizeof(message), "%s", line);
}

static void setup(void)
{
	scratch__make();
	settled_count = 0;
	*message = 0;
	peat_set_print(keep_message);
}

static struct peat_output *open_with(const struct peat_setting *settings, uint32_t count)
{
	const struct peat_output_opts opts = { .sz = sizeof(opts),
					       .name = "alerts",
					       .settings = settings,
					       .setting_count = count,
					       .wake_fd = -1,
					       .settled = settled,
					       .arg = &settled_count };

	return journal_output.open(&opts);
}

#define OPEN(...)                                                                                  \
	open_with((struct peat_setting[]){ __VA_ARGS__ },                                          \
		  sizeof((struct peat_setting[]){ __VA_ARGS__ }) / sizeof(struct peat_setting))
#define SET(name_, value_)                                                                         \
	{                                                                                          \
		.name = (name_), .value = (value_)                                                 \
	}
#define SOCKET SET("socket", scratch__path("socket"))

static struct peat_batch *batch_of(uint32_t events, uint64_t lost)
{
	struct peat_batch_opts opts = { .sz = sizeof(opts), .source = "src", .bytes = 1 << 20 };
	struct peat_batch *batch = peat_batch__new(&opts);
	struct peat_event event = { .kind = PEAT_EVENT_DATA, .schema = &schema, .size = 4 };

	for (uint32_t i = 0; i < events; i++) {
		event.data = &i;
		ck_assert_int_eq(peat_batch__add(batch, &event), 0);
	}
	event = (struct peat_event){ .kind = PEAT_EVENT_LOST, .lost = lost };
	if (lost)
		ck_assert_int_eq(peat_batch__add(batch, &event), 0);
	return batch;
}

static void write_batch(struct peat_output *output, struct peat_batch *batch)
{
	ck_assert_int_eq(journal_output.write(output, batch), 0);
	peat_batch__unref(batch);
}

static void expect(int receiver, const char *part)
{
	ck_assert_msg(receiver__next(receiver, text, sizeof(text)), "no message with %s", part);
	ck_assert_msg(strstr(text, part), "no %s in: %s", part, text);
}

static void check_settled(unsigned count, uint64_t refused, const char *why)
{
	ck_assert_uint_eq(settled_count, count);
	ck_assert_uint_eq(settled_refused, refused);
	ck_assert_str_eq(settled_why, why);
}

START_TEST(test_events_for_journald)
{
	unsigned fds = process__count_fds();
	int receiver = receiver__open("socket");
	struct peat_output *output =
		OPEN(SET("journal", "journald"), SET("priority", "error"), SOCKET);

	ck_assert_ptr_nonnull(output);
	write_batch(output, batch_of(2, 7));
	check_settled(1, 0, "");
	expect(receiver, "MESSAGE=src: probe");
	ck_assert_ptr_nonnull(strstr(text, "\nPRIORITY=3\n"));
	ck_assert_ptr_nonnull(strstr(text, "\nSYSLOG_IDENTIFIER=peat-agent\n"));
	ck_assert_ptr_nonnull(strstr(text, "\nPEAT_EVENT=probe\nPEAT_FIELD_NUMBER=0\n"));
	expect(receiver, "\nPEAT_FIELD_NUMBER=1\n");
	expect(receiver, "MESSAGE=src: 7 events were lost: unknown\n");
	ck_assert(!receiver__next(receiver, text, sizeof(text)));
	journal_output.close(output);
	close(receiver);
	ck_assert_uint_eq(process__count_fds(), fds);
}
END_TEST

START_TEST(test_events_for_syslog)
{
	int receiver = receiver__open("socket");
	struct peat_output *output = OPEN(SET("journal", "syslog"), SOCKET);

	write_batch(output, batch_of(1, 0));
	expect(receiver, "]: src: probe");
	ck_assert_ptr_eq(strstr(text, "<28>"), text);
	ck_assert_ptr_null(strchr(text, '\n'));
	journal_output.close(output);
	close(receiver);
}
END_TEST

START_TEST(test_limit_of_rate)
{
	int receiver = receiver__open("socket");
	struct peat_output *output = OPEN(SET("journal", "journald"), SET("rate", "3"), SOCKET);
	uint64_t begun = monotonic_ns();

	write_batch(output, batch_of(10, 5));
	check_settled(1, 7, "more alerts a second than the rate");
	for (int i = 0; i < 3; i++)
		expect(receiver, "MESSAGE=src: probe");
	ck_assert(!receiver__next(receiver, text, sizeof(text)));
	/* One message has the number of the others, with the loss. */
	while (!receiver__next(receiver, text, sizeof(text)))
		ck_assert_int_eq(journal_output.acknowledged(output, 5000), 0);
	ck_assert_ptr_eq(strstr(text, "MESSAGE=8 alerts were left out: the limit is 3 a second\n"),
			 text);
	ck_assert_uint_ge(monotonic_ns() - begun, 990000000);
	ck_assert_uint_le(monotonic_ns() - begun, 3000000000);
	write_batch(output, batch_of(4, 0));
	check_settled(2, 1, "more alerts a second than the rate");
	for (int i = 0; i < 3; i++)
		expect(receiver, "MESSAGE=src: probe");
	journal_output.close(output);
	expect(receiver, "MESSAGE=1 alert was left out: the limit is 3 a second\n");
	close(receiver);
}
END_TEST

START_TEST(test_receiver_that_comes_later)
{
	struct peat_output *output = OPEN(SET("journal", "journald"), SOCKET);
	struct peat_batch *batch = batch_of(1, 0);
	int receiver;

	write_batch(output, batch_of(2, 0));
	ck_assert_ptr_nonnull(strstr(message, "output alerts: cannot send to "));
	ck_assert_ptr_nonnull(strstr(message, "No such file or directory: trying again"));
	ck_assert_uint_eq(settled_count, 0);
	ck_assert_int_eq(journal_output.write(output, batch), -EAGAIN);
	ck_assert_int_eq(journal_output.acknowledged(output, 1), 0);
	receiver = receiver__open("socket");
	while (!settled_count)
		journal_output.acknowledged(output, 5000);
	check_settled(1, 0, "");
	ck_assert_ptr_nonnull(strstr(message, "again"));
	ck_assert_int_eq(journal_output.write(output, batch), 0);
	check_settled(2, 0, "");
	for (int i = 0; i < 3; i++)
		expect(receiver, "MESSAGE=src: probe");
	peat_batch__unref(batch);
	journal_output.close(output);
	close(receiver);
}
END_TEST

static void *receive_all(void *arg)
{
	struct pollfd readable = { .fd = *(int *)arg, .events = POLLIN };
	static unsigned received;

	for (received = 0; received < 2000 && poll(&readable, 1, 10000) == 1;)
		received += receiver__next(readable.fd, text, sizeof(text));
	return &received;
}

START_TEST(test_waits_for_receiver)
{
	int receiver = receiver__open("socket");
	struct peat_output *output = OPEN(SET("journal", "journald"), SET("rate", "10000"), SOCKET);
	pthread_t thread;
	void *received;

	write_batch(output, batch_of(2000, 0));
	ck_assert_uint_eq(settled_count, 0);
	ck_assert_int_eq(journal_output.acknowledged(output, 10), 0);
	ck_assert_int_eq(pthread_create(&thread, NULL, receive_all, &receiver), 0);
	while (!settled_count)
		journal_output.acknowledged(output, -1);
	check_settled(1, 0, "");
	pthread_join(thread, &received);
	ck_assert_uint_eq(*(unsigned *)received, 2000);
	journal_output.close(output);
	close(receiver);
}
END_TEST

START_TEST(test_close_gives_up_batch)
{
	struct peat_output *output = OPEN(SET("journal", "journald"), SOCKET);

	write_batch(output, batch_of(5, 9));
	ck_assert_uint_eq(settled_count, 0);
	journal_output.close(output);
	check_settled(1, 5, "closed");
}
END_TEST

START_TEST(test_refused_settings)
{
	ck_assert_ptr_null(OPEN(SET("journal", "systemd")));
	ck_assert_int_eq(errno, EINVAL);
	ck_assert_str_eq(message, "output alerts: journal: expected journald, syslog or auto");
	ck_assert_ptr_null(OPEN(SET("priority", "warn")));
	ck_assert_ptr_nonnull(strstr(message, "output alerts: priority: expected emergency"));
	ck_assert_ptr_null(OPEN(SET("rate", "0")));
	ck_assert_ptr_null(OPEN(SET("sockets", "/x")));
	ck_assert_ptr_nonnull(strstr(message, "did you mean \"socket\"?"));
}
END_TEST

START_TEST(test_errors_of_memory)
{
	struct peat_output *output = NULL;
	long blocks = fail_alloc__blocks();

	for (unsigned nth = 1; nth; nth++) {
		fail_alloc__begin(nth);
		output = OPEN(SET("journal", "journald"), SET("priority", "info"), SOCKET);
		if (!fail_alloc__end())
			break;
		ck_assert_ptr_null(output);
		ck_assert_int_eq(errno, ENOMEM);
	}
	ck_assert_ptr_nonnull(output);
	journal_output.close(output);
	ck_assert_int_eq(fail_alloc__blocks(), blocks);
}
END_TEST

/* An alert that has no memory is sent later. */
START_TEST(test_alert_without_memory)
{
	int receiver = receiver__open("socket");
	struct peat_output *output = OPEN(SET("journal", "journald"), SOCKET);
	struct peat_batch *batch = batch_of(2, 0);

	fail_alloc__begin(1);
	ck_assert_int_eq(journal_output.write(output, batch), 0);
	if (fail_alloc__end()) {
		ck_assert_uint_eq(settled_count, 0);
		ck_assert_ptr_nonnull(strstr(message, "Cannot allocate memory"));
	}
	while (!settled_count)
		journal_output.acknowledged(output, 5000);
	check_settled(1, 0, "");
	expect(receiver, "\nPEAT_FIELD_NUMBER=0\n");
	expect(receiver, "\nPEAT_FIELD_NUMBER=1\n");
	peat_batch__unref(batch);
	journal_output.close(output);
	close(receiver);
}
END_TEST

SUITE(20)
{
	tcase_add_checked_fixture(tests, setup, scratch__remove);
	tcase_add_test(tests, test_events_for_journald);
	tcase_add_test(tests, test_events_for_syslog);
	tcase_add_test(tests, test_limit_of_rate);
	tcase_add_test(tests, test_receiver_that_comes_later);
	tcase_add_test(tests, test_waits_for_receiver);
	tcase_add_test(tests, test_close_gives_up_batch);
	tcase_add_test(tests, test_refused_settings);
	tcase_add_test(tests, test_errors_of_memory);
	tcase_add_test(tests, test_alert_without_memory);
}
