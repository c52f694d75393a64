// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * test_recv.c: peat recv: events of hosts by time, filtered, recorded, audited; what is
 * acknowledged, and what arrives again.
 */
#include "support/machine/harness.h"

#ifdef HAVE_NATS

#include <sys/stat.h>

#include "recv_run.h"

/* The ledger of a host whose output "stream" has these counts. */
static void publish_ledger(const char *host, uint64_t offered, uint64_t dropped,
			   uint64_t acknowledged)
{
	const struct peat_batch_opts opts = { .sz = sizeof(opts), .source = "ledger" };
	struct peat_batch *batch = peat_batch__new(&opts);
	const struct {
		const char *name;
		uint64_t count;
	} counts[] = {
		{ "peat.output.offered", offered },
		{ "peat.output.dropped", dropped },
		{ "peat.output.acknowledged", acknowledged },
	};

	for (int i = 0; i < 3; i++) {
		const struct peat_label labels[] = { { "source", "test" }, { "output", "stream" } };
		const struct peat_point point = { .sz = sizeof(point),
						  .kind = PEAT_POINT_COUNTER,
						  .name = counts[i].name,
						  .labels = labels,
						  .label_count = 2,
						  .time_ns = RUN + 5,
						  .count = counts[i].count };

		ck_assert_int_eq(peat_batch__add_point(batch, &point), 0);
	}
	publish_batch(host, batch, 1);
	peat_batch__unref(batch);
}

/* ---- tests ----------------------------------------------------------------------------------- */

START_TEST(test_hosts_are_merged_by_time)
{
	need_stream();
	publish("web1", 1, 1);
	publish("web1", 3, 2);
	publish("web2", 2, 1);
	publish("web2", 5, 1);
	receive(0, ARGV(program(), "--delay", "5000", "-j", "--all", "--end"));
	expect_event("web1", 1);
	expect_event("web2", 2);
	expect_event("web1", 3);
	expect_event("web1", 4);
	expect_event("web2", 5);
	expect_end();
	finish();
}
END_TEST

START_TEST(test_text_begins_with_the_host)
{
	need_stream();
	publish("web1", 1, 1);
	publish("database1", 2, 1);
	publish("web1", 3, 1);
	RECV(0, "--all", "--end");
	ck_assert_msg(!strncmp(lines_at, "web1 ", 5), "%s", lines_at);
	ck_assert_ptr_nonnull(strstr(next_line(), "number=1 "));
	ck_assert_msg(!strncmp(lines_at, "database1 ", 10), "%s", lines_at);
	next_line();
	ck_assert_msg(!strncmp(lines_at, "web1      ", 10), "%s", lines_at);
	next_line();
	expect_end();
	ck_assert_ptr_nonnull(strstr(receiver.err_text, "3 events in 3 batches"));
	finish();
}
END_TEST

START_TEST(test_consumer_gets_each_event_once)
{
	need_stream();
	publish("web1", 1, 100);
	RECV(0, "-j", "--end");
	ck_assert_uint_eq(count_lines(), 100);
	publish("web1", 101, 1);
	RECV(0, "-j", "--end");
	expect_event("web1", 101);
	expect_end();
	finish();
}
END_TEST

START_TEST(test_batches_that_were_stored_twice_are_printed_once)
{
	need_stream();
	publish("web1", 1, 10);
	publish("web1", 1, 10);
	publish("web2", 1, 10);
	RECV(0, "-j", "--end");
	ck_assert_uint_eq(count_lines(), 20);
	ck_assert_ptr_nonnull(strstr(receiver.err_text, "batches repeated: 1"));
	finish();
}
END_TEST

START_TEST(test_hosts_and_expressions_filter)
{
	need_stream();
	publish("web1", 1, 10);
	publish("web2", 1, 10);
	publish("db1", 1, 10);
	RECV(0, "-j", "--all", "--end", "--host", "web*", "--host", "x", "--where", "number >= 9");
	ck_assert_uint_eq(count_lines(), 4);
	RECV(64, "-j", "--all", "--end", "--where", "number >");
	finish();
}
END_TEST

START_TEST(test_measurements_are_printed_as_json)
{
	const char *line;

	need_stream();
	publish_ledger("web1", 1, 2, 3);
	RECV(0, "-j", "--all", "--end");
	line = next_line();
	ck_assert_str_eq(json_event__text(line, "host"), "web1");
	ck_assert_str_eq(json_event__text(line, "type"), "point");
	ck_assert_str_eq(json_event__text(line, "name"), "peat.output.offered");
	ck_assert_uint_eq(count_lines(), 2);
	finish();
}
END_TEST

/* The events that a file of pieces has, all of this host. */
static uint64_t count_events(const char *path, const char *host)
{
	struct strbuf file = { 0 };
	struct piece_info info;
	uint64_t events = 0;
	FILE *stream = fopen(path, "r");
	char buffer[4096];
	size_t at = 0, bytes;

	ck_assert_msg(stream, "%s: %m", path);
	while ((bytes = fread(buffer, 1, sizeof(buffer), stream)))
		strbuf__bytes(&file, buffer, bytes);
	fclose(stream);
	while (at < file.count) {
		ssize_t count = piece__measure(file.bytes + at, file.count - at, &info);

		ck_assert_int_gt(count, 0);
		ck_assert(!host || !strcmp(info.host, host));
		events += info.events;
		at += (size_t)count;
	}
	strbuf__free(&file);
	return events;
}

/* The path of the only file of a directory whose name begins with `begin`. */
static const char *file_of(const char *directory, const char *begin)
{
	static char path[4096];
	struct command find;
	char pattern[64];

	snprintf(pattern, sizeof(pattern), "%s-*.perf", begin);
	command__run(&find, ALL_CAPS, ARGV("find", directory, "-name", pattern));
	ck_assert_int_eq(find.status, 0);
	snprintf(path, sizeof(path), "%.*s", (int)strcspn(find.out_text, "\n"), find.out_text);
	ck_assert_msg(strlen(path) + 1 == strlen(find.out_text), "%s", find.out_text);
	command__free(&find);
	return path;
}

START_TEST(test_recordings_have_all_pieces)
{
	const char *file = scratch__path("all.perf"), *directory = scratch__path("hosts");

	need_stream();
	publish("web1", 1, 10);
	publish("web2", 1, 20);
	publish("web1", 11, 5);
	publish("../x", 1, 3);
	RECV(0, "-o", file, "--end");
	ck_assert_uint_eq(count_events(file, NULL), 38);
	RECV(1, "-o", file, "--end"); /* it exists */
	ck_assert_int_eq(mkdir(directory, 0755), 0);
	RECV(0, "-o", directory, "--end", "--all");
	ck_assert_uint_eq(count_events(file_of(directory, "web1"), "web1"), 15);
	ck_assert_uint_eq(count_events(file_of(directory, "web2"), "web2"), 20);
	ck_assert_uint_eq(count_events(file_of(directory, "_._x"), "../x"), 3);
	RECV(0, "--raw", "--end"); /* the consumer has had all */
	ck_assert_str_eq(receiver.out_text, "");
	finish();
}
END_TEST

START_TEST(test_what_was_not_written_arrives_again)
{
	need_stream();
	publish("web1", 1, 100);
	command__run(&receiver, ALL_CAPS,
		     ARGV("sh", "-c", "\"$0\" -j --end --delay 0 > /dev/full", program()));
	ck_assert_int_eq(receiver.status, 1);
	ck_assert_ptr_nonnull(strstr(receiver.err_text, "cannot write events: No space left"));
	RECV(0, "-j", "--end");
	ck_assert_uint_eq(count_lines(), 100);
	finish();
}
END_TEST

START_TEST(test_events_that_wait_are_written_at_the_end)
{
	need_stream();
	publish("web1", 1, 10);
	command__start(&receiver, ALL_CAPS, ARGV(program(), "-j", "--delay", "20000"));
	usleep(1500000);
	kill(receiver.pid, SIGTERM);
	command__finish(&receiver);
	check_ended(0);
	ck_assert_uint_eq(count_lines(), 10);
	RECV(0, "-j", "--end");
	expect_end();
	finish();
}
END_TEST

/* The lines go to a file: the test reads no pipe meanwhile. */
static void start_to_file(struct command *command, const char *file)
{
	command__start(command, ALL_CAPS,
		       ARGV("sh", "-c", "exec \"$0\" -j --delay 0 > \"$1\"", program(), file));
}

static unsigned finish_to_file(struct command *command, const char *file)
{
	unsigned count = 0;
	char line[1024];
	FILE *lines;

	kill(command->pid, SIGTERM);
	command__finish(command);
	ck_assert_msg(!command->status, "%s", command->err_text);
	command__free(command);
	lines = fopen(file, "r");
	ck_assert_ptr_nonnull(lines);
	while (fgets(line, sizeof(line), lines))
		count++;
	fclose(lines);
	return count;
}

START_TEST(test_receivers_share_the_events)
{
	const char *files[] = { scratch__path("first"), scratch__path("second") };
	unsigned first, second;
	struct command other;

	need_stream();
	start_to_file(&receiver, files[0]);
	start_to_file(&other, files[1]);
	for (uint64_t i = 0; i < 200; i++)
		publish("web1", 1 + i * 5, 5);
	usleep(2000000);
	first = finish_to_file(&receiver, files[0]);
	second = finish_to_file(&other, files[1]);
	ck_assert_msg(first + second == 1000, "%u and %u", first, second);
	ck_assert_uint_gt(first, 0);
	ck_assert_uint_gt(second, 0);
	nats_server__end(&server);
}
END_TEST

/* Marks the numbers of the events in a file of lines.  How many were not marked. */
static unsigned mark_numbers(const char *file, bool *marks, unsigned count)
{
	FILE *lines = fopen(file, "r");
	unsigned long number;
	char line[1024];
	const char *at;
	unsigned added = 0;

	ck_assert_ptr_nonnull(lines);
	while (fgets(line, sizeof(line), lines)) {
		at = strstr(line, "\"number\":");
		number = at && strchr(line, '\n') ? strtoul(at + 9, NULL, 10) : 0;
		ck_assert_uint_le(number, count);
		added += number && !marks[number];
		marks[number] = true;
	}
	fclose(lines);
	return added;
}

/*
 * From now on messages that are not acknowledged arrive again after a second, not a minute.
 * nats-server 2.9 looks at once for those only if the time differs, and may overlook some.
 */
static void hasten_consumer(void)
{
	static int64_t changes;

	jsConsumerInfo *info = NULL;

	ck_assert_int_eq(js_GetConsumerInfo(&info, server.context, "PEAT", "peat-recv", NULL, NULL),
			 NATS_OK);
	info->Config->AckWait = 1000000000 + 1000000 * ++changes;
	ck_assert_int_eq(js_UpdateConsumer(NULL, server.context, "PEAT", info->Config, NULL, NULL),
			 NATS_OK);
	jsConsumerInfo_Destroy(info);
}

/* The first receiver holds its messages for 20 seconds, and is killed before. */
START_TEST(test_receiver_that_is_killed_leaves_its_messages)
{
	const char *files[] = { scratch__path("first"), scratch__path("second") };
	bool marks[501] = { false };
	unsigned found = 0;
	struct command other;

	need_stream();
	command__start(
		&other, ALL_CAPS,
		ARGV("sh", "-c", "exec \"$0\" -j --delay 20000 > \"$1\"", program(), files[0]));
	for (uint64_t i = 0; i < 25; i++)
		publish("web1", 1 + i * 10, 10);
	usleep(1000000);
	start_to_file(&receiver, files[1]);
	for (uint64_t i = 25; i < 50; i++) {
		publish("web1", 1 + i * 10, 10);
		if (i == 35)
			kill(other.pid, SIGKILL);
	}
	hasten_consumer();
	command__finish(&other);
	command__free(&other);
	found = mark_numbers(files[0], marks, 500);
	ck_assert_uint_lt(found, 500);
	while (found < 500) {
		usleep(2000000);
		hasten_consumer();
		found += mark_numbers(files[1], marks, 500);
	}
	finish_to_file(&receiver, files[1]);
	nats_server__end(&server);
}
END_TEST

START_TEST(test_damaged_messages_are_given_up)
{
	need_stream();
	nats_server__publish(&server, "peat.evil.exec", "PERFILE2 and more", 17);
	publish("web1", 1, 10);
	RECV(1, "-j", "--end");
	ck_assert_ptr_nonnull(strstr(receiver.err_text, "message 1 of the stream is damaged"));
	ck_assert_uint_eq(count_lines(), 10);
	RECV(0, "-j", "--end");
	expect_end();
	finish();
}
END_TEST

START_TEST(test_audit_of_a_complete_stream)
{
	need_stream();
	publish("web1", 1, 10);
	publish("web1", 11, 10);
	publish_ledger("web1", 20, 0, 20);
	RECV(0, "--audit");
	ck_assert_ptr_nonnull(strstr(receiver.out_text,
				     "20 events arrived, in 2 pieces\n"
				     "  complete: the ledger of the agent agrees"));
	finish();
}
END_TEST

START_TEST(test_audit_names_what_is_missing)
{
	const char *line;

	need_stream();
	publish("web1", 1, 10);
	publish("web1", 16, 5);
	publish_ledger("web1", 22, 5, 17);
	RECV(1, "--audit", "-j");
	line = next_line();
	json_event__check(line, "missing", 5);
	json_event__check(line, "dropped", 5);
	json_event__check(line, "lost_in_stream", 2);
	json_event__check(line, "unexplained", 0);
	finish();
}
END_TEST

/* Verbs that read recordings. */
START_TEST(test_streams_are_read_as_recordings)
{
	const char *json = scratch__path("all.json");

	need_stream();
	for (uint64_t i = 0; i < 10; i++) {
		publish("web1", 1 + i * 10, 10);
		publish("web2", 1 + i * 10, 10);
	}
	receive(0, ARGV(command__peat(), "replay", "-j", NATS_SERVER_URL));
	ck_assert_uint_eq(count_lines(), 200);
	receive(0, ARGV(command__peat(), "count", "-j", "--by", "pid", NATS_SERVER_URL "/PEAT"));
	ck_assert_ptr_nonnull(strstr(receiver.out_text, "{\"pid\":19000,\"count\":2}"));
	receive(0, ARGV(command__peat(), "convert", "--to", "json", "-o", json, NATS_SERVER_URL));
	receive(1, ARGV(command__peat(), "replay", NATS_SERVER_URL "/NO"));
	ck_assert_ptr_nonnull(strstr(receiver.err_text, "cannot find stream NO"));
	finish();
}
END_TEST

/* ---- from programs to the receiver ----------------------------------------------------------- */

#define RUNS 20

static void write_config(const char *path, const char *socket)
{
	char text[1024];

	snprintf(text, sizeof(text),
		 "agent: {socket: %s, drain: 20s}\n"
		 "outputs: {stream: {jetstream: '%s'}}\n"
		 "pipelines:\n"
		 "  exec: {source: exec, outputs: stream}\n"
		 "  ledger: {ledger: true, interval: 1s, outputs: stream}\n",
		 socket, NATS_SERVER_URL);
	close(scratch__file(path, text));
}

/* Runs the program RUNS times while an agent runs. */
static void run_programs(const char *program_path)
{
	const char *socket = scratch__path("agent.sock");
	struct command agent;

	write_config("agent.yaml", socket);
	setenv("LSAN_OPTIONS", "detect_leaks=0", 1); /* it cannot search in a confined process */
	command__start(&agent, ALL_CAPS,
		       ARGV(command__peat(), "agent", "-c", scratch__path("agent.yaml")));
	while (access(socket, F_OK)) {
		ck_assert(command__is_running(&agent));
		usleep(10000);
	}
	for (int i = 0; i < RUNS; i++)
		process__run(program_path, ARGV("true"));
	kill(agent.pid, SIGTERM);
	command__finish(&agent);
	ck_assert_msg(!agent.status, "%s", agent.err_text);
	command__free(&agent);
}

/* All events of the agent are in the stream, or the agent's ledger says where they are. */
static void check_audit(void)
{
	const char *line;

	command__run(&receiver, ALL_CAPS, ARGV(program(), "--audit", "-j"));
	lines_at = receiver.out_text;
	while ((line = next_line()) && *line) {
		ck_assert_msg(json_event__is_true(line, "ledger"), "%s", line);
		json_event__check(line, "unexplained", 0);
		json_event__check(line, "lost_in_stream", 0);
		json_event__check(line, "waiting", 0);
	}
	command__free(&receiver);
}

START_TEST(test_events_of_an_agent_arrive)
{
	char program_path[512], expected[4096];
	struct command copy;

	if (!peat_output__find("jetstream"))
		skip("built without the output jetstream");
	need_stream();
	snprintf(program_path, sizeof(program_path), "%s", scratch__path("fleet-true"));
	command__run(&copy, ALL_CAPS, ARGV("cp", "/bin/true", program_path));
	ck_assert_int_eq(copy.status, 0);
	command__free(&copy);
	run_programs(program_path);
	check_audit();
	snprintf(expected, sizeof(expected), "filename == \"%s\"", program_path);
	RECV(0, "-j", "--count", "exec", "--by", "filename", "--where", expected);
	snprintf(expected, sizeof(expected), "[{\"filename\":\"%s\",\"count\":%d}]", program_path,
		 RUNS);
	ck_assert_msg(strstr(receiver.out_text, expected), "%s", receiver.out_text);
	finish();
}
END_TEST

START_TEST(test_wrong_options_are_refused)
{
	RECV(64, "--raw", "--audit");
	RECV(64, "--delay", "20001");
	RECV(64, "nats://a", "nats://b");
	RECV(64, "-o", scratch__path("a"), "--where", "pid == 1");
	receive(0, ARGV(command__peat(), "recv", "--version"));
	ck_assert_msg(!strncmp(receiver.out_text, "peat-recv ", 10), "%s", receiver.out_text);
	command__free(&receiver);
}
END_TEST

static Suite *recv_suite(void)
{
	TCase *tests;
	Suite *suite = harness__suite("recv", 180, &tests);

	tcase_add_checked_fixture(tests, setup, scratch__remove);
	tcase_add_test(tests, test_hosts_are_merged_by_time);
	tcase_add_test(tests, test_text_begins_with_the_host);
	tcase_add_test(tests, test_consumer_gets_each_event_once);
	tcase_add_test(tests, test_batches_that_were_stored_twice_are_printed_once);
	tcase_add_test(tests, test_hosts_and_expressions_filter);
	tcase_add_test(tests, test_measurements_are_printed_as_json);
	tcase_add_test(tests, test_recordings_have_all_pieces);
	tcase_add_test(tests, test_what_was_not_written_arrives_again);
	tcase_add_test(tests, test_events_that_wait_are_written_at_the_end);
	tcase_add_test(tests, test_receivers_share_the_events);
	tcase_add_test(tests, test_receiver_that_is_killed_leaves_its_messages);
	tcase_add_test(tests, test_damaged_messages_are_given_up);
	tcase_add_test(tests, test_audit_of_a_complete_stream);
	tcase_add_test(tests, test_audit_names_what_is_missing);
	tcase_add_test(tests, test_streams_are_read_as_recordings);
	tcase_add_test(tests, test_events_of_an_agent_arrive);
	tcase_add_test(tests, test_wrong_options_are_refused);
	return suite;
}

#else

START_TEST(test_hosts_are_merged_by_time)
{
	skip("built without libnats");
}
END_TEST

static Suite *recv_suite(void)
{
	TCase *tests;
	Suite *suite = harness__suite("recv", 180, &tests);

	tcase_add_loop_test(tests, test_hosts_are_merged_by_time, 0, 1);
	return suite;
}

#endif /* HAVE_NATS */

int main(int argc, char **argv)
{
	static const suite_fn suites[] = { recv_suite };

	return harness__main(argc, argv, suites, 1);
}
