// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_recv_counts.c: peat recv --count and --top: tables of the events of a fleet. */
#include "support/machine/harness.h"

#ifdef HAVE_NATS

#include <signal.h>

#include "recv_run.h"
#include "support/machine/pty.h"

static void publish_hosts(void)
{
	publish("web1", 1, 10);
	publish("web1", 11, 10);
	publish("web2", 1, 10);
}

START_TEST(test_counts_by_host_and_field)
{
	need_stream();
	publish_hosts();
	RECV(0, "--count", "num*", "--where", "number <= 15");
	ck_assert_str_eq(receiver.out_text, "HOST  COUNT\n"
					    "web1     15\n"
					    "web2     10\n");
	RECV(0, "-j", "--count", "numbered", "--by", "number,comm", "--host", "web1");
	ck_assert_msg(strstr(receiver.out_text,
			     "{\"type\":\"count\",\"events\":20,\"rows\":"
			     "[{\"number\":1,\"comm\":\"cc1plus\",\"count\":1},"),
		      "%s", receiver.out_text);
	RECV(0, "-q", "-r", "1", "--count", "numbered", "--by", "host,comm");
	ck_assert_str_eq(receiver.out_text, "web1  cc1plus     20\n");
	finish();
}
END_TEST

START_TEST(test_unknown_fields_are_named)
{
	need_stream();
	RECV(0, "--count", "numbered", "--by", "size"); /* there may be such events later */
	ck_assert_str_eq(receiver.out_text, "");
	publish_hosts();
	RECV(1, "--count", "numbered", "--by", "size");
	ck_assert_ptr_nonnull(strstr(receiver.err_text, "no type of events has a field 'size'"));
	finish();
}
END_TEST

/* Waits for an ephemeral consumer, or a table. */
static void start_counting(const char *const *argv)
{
	command__start(&receiver, ALL_CAPS, argv);
	usleep(1000000);
}

START_TEST(test_intervals_count_what_arrives)
{
	unsigned tables = 0, events = 0;
	const char *line;

	need_stream();
	publish_hosts(); /* before */
	start_counting(ARGV(program(), "-j", "-i", "500ms", "--count", "numbered", "-T", "--by",
			    "host,comm"));
	for (unsigned i = 0; i < 20; i++) {
		publish(i % 2 ? "web1" : "web2", 100 + i, 1);
		usleep(50000);
	}
	usleep(1000000);
	kill(receiver.pid, SIGTERM);
	command__finish(&receiver);
	check_ended(0);
	while ((line = next_line()) && *line) {
		ck_assert_ptr_nonnull(strstr(line, "{\"type\":\"count\",\"time\":\"20"));
		ck_assert_ptr_nonnull(strstr(line, ",\"seconds\":"));
		events += (unsigned)strtoul(strstr(line, "\"events\":") + 9, NULL, 10);
		tables++;
	}
	ck_assert_uint_eq(events, 20);
	ck_assert_uint_gt(tables, 2);
	finish();
}
END_TEST

START_TEST(test_all_counts_what_is_stored_first)
{
	need_stream();
	publish_hosts();
	RECV(0, "--all", "-i", "1", "-n", "2", "--count", "numbered");
	ck_assert_str_eq(receiver.out_text, "HOST  COUNT\n"
					    "web1     20\n"
					    "web2     10\n"
					    "\n"
					    "HOST  COUNT\n");
	RECV(0, "--all", "-n", "1", "--top", "numbered", "-j"); /* no terminal */
	ck_assert_msg(strstr(receiver.out_text, "{\"type\":\"top\",\"seconds\":") &&
			      strstr(receiver.out_text, "\"events\":30,"),
		      "%s", receiver.out_text);
	finish();
}
END_TEST

START_TEST(test_top_draws_a_screen)
{
	static struct pty terminal;

	need_stream();
	publish_hosts();
	pty__start(&terminal, 80, ARGV("TERM=xterm"),
		   ARGV(program(), "--all", "--top", "numbered", "--by", "host"));
	pty__expect(&terminal, "numbered");
	pty__expect(&terminal, "q quit");
	pty__expect(&terminal, "web1"); /* after the first interval */
	pty__type(&terminal, "R");
	pty__expect(&terminal, "reversed");
	publish("db1", 1, 5);
	pty__expect(&terminal, "db1");
	pty__type(&terminal, "q");
	ck_assert_int_eq(pty__finish(&terminal), 0);
	finish();
}
END_TEST

START_TEST(test_consumer_that_is_gone_is_made_again)
{
	need_stream();
	start_counting(ARGV(program(), "-i", "20", "--count", "numbered"));
	publish("web1", 1, 10);
	usleep(500000);
	nats_server__remove_consumer(&server);
	publish("web1", 11, 10);
	usleep(7000000);
	kill(receiver.pid, SIGTERM);
	command__finish(&receiver);
	check_ended(0);
	ck_assert_str_eq(receiver.out_text, "HOST  COUNT\nweb1     20\n");
	ck_assert_ptr_nonnull(strstr(receiver.err_text, "is gone: it is made again"));
	finish();
}
END_TEST

static void check_refused(const char *reason, const char *const *argv)
{
	receive(64, argv);
	ck_assert_msg(strstr(receiver.err_text, reason), "no '%s' in: %s", reason,
		      receiver.err_text);
}

START_TEST(test_wrong_options_are_refused)
{
	check_refused("--by, --sort, -i, -r and -T are for --count EVENT and --top EVENT",
		      ARGV(program(), "--by", "host"));
	check_refused("are for --count EVENT", ARGV(program(), "-i", "1"));
	check_refused("--count and --top exclude each other",
		      ARGV(program(), "--count", "exec", "--top", "exec"));
	check_refused("exclude each other", ARGV(program(), "--top", "exec", "--raw"));
	check_refused("read without a consumer",
		      ARGV(program(), "--top", "exec", "--consumer", "a"));
	check_refused("-n is the number of tables and needs -i",
		      ARGV(program(), "--count", "exec", "-n", "3"));
	check_refused("leave out --end", ARGV(program(), "--count", "exec", "-i", "1", "--end"));
	check_refused("-i 'soon': not a time such as 1, 500ms or 2m",
		      ARGV(program(), "--count", "exec", "-i", "soon"));
	check_refused("-r '0': not a number from 1", ARGV(program(), "--count", "exec", "-r", "0"));
	check_refused("a name is missing beside a comma",
		      ARGV(program(), "--count", "exec", "--by", "host,,pid"));
	check_refused("size", ARGV(program(), "--count", "exec", "--sort", "size"));
}
END_TEST

static Suite *recv_counts_suite(void)
{
	TCase *tests;
	Suite *suite = harness__suite("recv_counts", 60, &tests);

	tcase_add_checked_fixture(tests, setup, scratch__remove);
	tcase_add_test(tests, test_counts_by_host_and_field);
	tcase_add_test(tests, test_unknown_fields_are_named);
	tcase_add_test(tests, test_intervals_count_what_arrives);
	tcase_add_test(tests, test_all_counts_what_is_stored_first);
	tcase_add_test(tests, test_top_draws_a_screen);
	tcase_add_test(tests, test_consumer_that_is_gone_is_made_again);
	tcase_add_test(tests, test_wrong_options_are_refused);
	return suite;
}

#else

START_TEST(test_counts_by_host_and_field)
{
	skip("built without libnats");
}
END_TEST

static Suite *recv_counts_suite(void)
{
	TCase *tests;
	Suite *suite = harness__suite("recv_counts", 60, &tests);

	tcase_add_loop_test(tests, test_counts_by_host_and_field, 0, 1);
	return suite;
}

#endif /* HAVE_NATS */

int main(int argc, char **argv)
{
	static const suite_fn suites[] = { recv_counts_suite };

	return harness__main(argc, argv, suites, 1);
}
