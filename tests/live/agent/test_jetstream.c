// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * test_jetstream.c: one server of NATS: another program reads what the output stores; servers that
 * are away, streams that are full or missing, and messages that are too large.
 */
#include "live/agent/output_run.h"

#ifdef HAVE_NATS

#include "live/agent/nats_servers.h"

static void check_has(const char *text, const char *wanted)
{
	ck_assert_msg(strstr(text, wanted), "no \"%s\" in \"%s\"", wanted, text);
}

/* A server with a stream as `peat agent --stream-setup` makes it. */
static void start_server(void)
{
	nats__start(0, false, "");
	ck_assert_msg(!nats__set_up(NATS_FIRST, NULL), "%s", nats_line);
}

/* Pairs of settings after the URL, then NULL. */
#define open_output(...) output_run__open_at("jetstream", NATS_FIRST, ##__VA_ARGS__, NULL)

START_TEST(test_node_reads_stream)
{
	char host[65], token[65], subject[256];

	need_nats();
	start_server();
	open_output();
	output_run__send(nats__batch("exec", 1, 100));
	output_run__send(nats__batch("a source", 1, 10));
	output_run__send(nats__batch("exec", 101, 50));
	ck_assert_uint_eq(output_run__arrived(), 160);
	output_run__close();
	nats__read(NATS_FIRST, true);
	ck_assert_uint_eq(nats__stored_events("exec"), 150);
	ck_assert_uint_eq(nats__stored_events("a source"), 10);
	ck_assert_int_eq(gethostname(host, sizeof(host)), 0);
	strcpy(token, host);
	for (char *at = token; (at = strchr(at, '.')); *at = '_')
		;
	snprintf(subject, sizeof(subject), "peat.%s.exec %s/collector/exec.", token, host);
	check_has(nats_stored.lines, subject);
	snprintf(subject, sizeof(subject), "peat.%s.a_source %s/collector/a source.", token, host);
	check_has(nats_stored.lines, subject);
	check_has(nats_stored.lines, ".2.2 ");
	nats__stop(0);
}
END_TEST

/* Batches that wait for the first message are the second one. */
START_TEST(test_batches_share_messages)
{
	struct peat_batch *batch;

	need_nats();
	start_server();
	open_output();
	batch = new_batch();
	add_lost(batch, 3);
	add_gauge(batch, 0.5);
	output_run__write(batch);
	for (unsigned i = 0; i < 9; i++)
		output_run__write(nats__batch("files", 1 + i, 1));
	output_run__wait_settled(10);
	ck_assert_uint_eq(output_run__arrived(), 10);
	output_run__close();
	nats__read(NATS_FIRST, false);
	ck_assert_uint_eq(nats_stored.pieces, 10);
	ck_assert_uint_lt(nats_stored.messages, 10);
	ck_assert_uint_eq(nats__stored_events("files"), 9);
	ck_assert_uint_eq(nats_stored.runs[0].points, 1);
	nats__stop(0);
}
END_TEST

START_TEST(test_server_comes_later)
{
	need_nats();
	open_output("window", "4");
	for (unsigned i = 0; i < 4; i++)
		output_run__write(nats__batch("exec", 1 + i * 10, 10));
	ck_assert_int_eq(run.output->ops->write(run.output, NULL), -EAGAIN);
	output_run__wait(1000);
	ck_assert_uint_eq(output_run__settled(), 0);
	ck_assert_uint_eq(output_run__warnings(), 1);
	check_has(output_run__warning(), "output collector: cannot connect to " NATS_FIRST);
	start_server();
	output_run__wait_settled(4);
	ck_assert_uint_eq(output_run__arrived(), 40);
	check_has(output_run__message(), "stores events again");
	output_run__close();
	nats__read(NATS_FIRST, true);
	ck_assert_uint_eq(nats__stored_events("exec"), 40);
	nats__stop(0);
}
END_TEST

/* The server is killed while messages are under way, and starts again. */
START_TEST(test_server_restarts)
{
	uint64_t next = 1;

	need_nats();
	start_server();
	open_output("timeout", "2s");
	for (unsigned round = 0; round < 3; round++) {
		for (unsigned i = 0; i < 30; i++, next += 100)
			output_run__write(nats__batch("exec", next, 100));
		nats__stop(0);
		output_run__wait(200);
		nats__start(0, false, "");
	}
	output_run__wait_settled(90);
	ck_assert_uint_eq(output_run__refused(), 0);
	output_run__close();
	nats__read(NATS_FIRST, true);
	ck_assert_uint_eq(nats__stored_events("exec"), next - 1);
	nats__stop(0);
}
END_TEST

/* A server that takes connections and does not answer. */
START_TEST(test_server_hangs)
{
	need_nats();
	start_server();
	open_output("timeout", "500ms");
	output_run__send(nats__batch("exec", 1, 10));
	nats__pause(0);
	output_run__write(nats__batch("exec", 11, 10));
	output_run__wait(1500);
	ck_assert_uint_eq(output_run__settled(), 1);
	ck_assert_uint_ge(output_run__warnings(), 1);
	nats__continue(0);
	output_run__wait_settled(2);
	output_run__close();
	nats__read(NATS_FIRST, true);
	ck_assert_uint_eq(nats__stored_events("exec"), 20);
	nats__stop(0);
}
END_TEST

START_TEST(test_no_stream)
{
	need_nats();
	nats__start(0, false, "");
	open_output();
	output_run__write(nats__batch("exec", 1, 10));
	output_run__wait(300);
	check_has(output_run__warning(), "no stream takes the subject");
	ck_assert_int_eq(nats__set_up(NATS_FIRST, NULL), 0);
	output_run__wait_settled(1);
	ck_assert_uint_eq(output_run__arrived(), 10);
	output_run__close();
	nats__stop(0);
}
END_TEST

/* discard: new: batches wait until there is room, and none is skipped. */
START_TEST(test_full_stream)
{
	struct nats_client client;
	uint64_t next = 1;

	need_nats();
	nats__start(0, false, "");
	ck_assert_int_eq(nats__set_up(NATS_FIRST, "max-bytes", "1M", "discard", "new", NULL), 0);
	open_output();
	while (!output_run__warnings()) {
		struct peat_batch *batch = nats__batch("exec", next, 1000);

		if (!run.output->ops->write(run.output, batch))
			next += 1000;
		peat_batch__unref(batch);
		output_run__wait(5);
	}
	output_run__wait(500);
	ck_assert_uint_eq(output_run__refused(), 0);
	check_has(output_run__warning(), "the stream cannot store it: maximum bytes exceeded");
	nats__read(NATS_FIRST, true);
	ck_assert_uint_eq(nats__stored_events("exec"), output_run__arrived());
	client = nats__client(NATS_FIRST);
	ck_assert_int_eq(js_PurgeStream(client.stream, "PEAT", NULL, NULL), NATS_OK);
	nats__close(&client);
	output_run__wait_settled((next - 1) / 1000);
	ck_assert_uint_eq(output_run__arrived(), next - 1);
	check_has(output_run__message(), "stores events again");
	output_run__close();
	nats__stop(0);
}
END_TEST

/* One batch is too large for the server; those before and after it are stored. */
START_TEST(test_large_piece)
{
	need_nats();
	nats__start(0, false, "max_payload: 65536");
	ck_assert_int_eq(nats__set_up(NATS_FIRST, NULL), 0);
	open_output();
	output_run__write(nats__batch("exec", 1, 10));
	output_run__write(nats__batch("exec", 11, 10));
	output_run__write(nats__batch("noise", 1, 2));
	output_run__wait_settled(3);
	ck_assert_uint_eq(output_run__arrived(), 22);
	output_run__close();
	nats__read(NATS_FIRST, true);
	nats__stop(0);
}
END_TEST

/*
 * A message is stored while its answer cannot be read, and the stream forgets its id: it is looked
 * up before it is sent again.
 */
START_TEST(test_forgotten_id)
{
	need_nats();
	nats__start(0, false, "");
	ck_assert_int_eq(nats__set_up(NATS_FIRST, "duplicate-window", "1s", NULL), 0);
	open_output("timeout", "200ms", "duplicate-window", "1s");
	output_run__send(nats__batch("exec", 1, 10));
	nats__pause(0);
	output_run__write(nats__batch("exec", 11, 10));
	output_run__wait(700);
	nats__continue(0); /* it reads what it has got */
	usleep(100000);
	nats__pause(0);
	output_run__wait(2000);
	nats__continue(0);
	output_run__wait_settled(2);
	output_run__close();
	nats__read(NATS_FIRST, true);
	ck_assert_uint_eq(nats__stored_events("exec"), 20);
	nats__stop(0);
}
END_TEST

/* ---- messages of dead agents ----------------------------------------------------------------- */

#define DEAD_RUN 5

static uint64_t next_number; /* of a batch that a spool gives to the output */

static void number_batch(void *arg, const struct peat_batch *batch, struct peat_origin *origin)
{
	(void)arg;
	(void)batch;
	*origin = (struct peat_origin){ .sz = sizeof(*origin),
					.run = DEAD_RUN,
					.number = next_number,
					.first = 10 * (next_number - 1) + 1 };
	next_number++;
}

static struct peat_batch *numbered_batch(uint64_t number)
{
	return nats__batch("exec", 10 * (number - 1) + 1, 10);
}

static void append_piece(struct strbuf *out, const char *host, uint64_t number)
{
	const struct peat_origin origin = { .run = DEAD_RUN,
					    .number = number,
					    .first = 10 * (number - 1) + 1 };
	struct piece_encoder *encoder = piece_encoder__new(host, 1);
	struct peat_batch *batch = numbered_batch(number);

	ck_assert_ptr_nonnull(encoder);
	ck_assert_int_eq(piece__encode(encoder, batch, &origin, out), 0);
	peat_batch__unref(batch);
	piece_encoder__free(encoder);
}

/* The subject of the output, a host without dots, and a message that its former agent had sent. */
static void publish_as_dead(const struct nats_client *client, uint64_t first, uint64_t last)
{
	char host[65], subject[160], id[256];
	struct strbuf body = { 0 };
	jsPubOptions options;

	ck_assert_int_eq(gethostname(host, sizeof(host)), 0);
	for (uint64_t i = first; i <= last; i++)
		append_piece(&body, host, i);
	snprintf(id, sizeof(id), "%s/collector/exec.%d.%llu.%llu", host, DEAD_RUN,
		 (unsigned long long)first, (unsigned long long)last);
	snprintf(subject, sizeof(subject), "peat.%s.exec", host);
	for (char *at = subject + 5; (at = strchr(at, '.')) && strcmp(at, ".exec") != 0; *at = '_')
		;
	jsPubOptions_Init(&options);
	options.MsgId = id;
	ck_assert_int_eq(js_Publish(NULL, client->stream, subject, body.bytes, (int)body.count,
				    &options, NULL),
			 NATS_OK);
	strbuf__free(&body);
}

static void expect_batches(unsigned batches)
{
	ck_assert_uint_eq(output_run__arrived(), 10 * batches);
	output_run__close();
	nats__read(NATS_FIRST, true);
	ck_assert_uint_eq(nats__run("exec", DEAD_RUN)->pieces, batches);
	nats__stop(0);
	run_origin = NULL;
}

static struct nats_client begin_numbered(void)
{
	start_server();
	next_number = 1;
	run_origin = number_batch;
	return nats__client(NATS_FIRST);
}

/* The next agent begins with batches that the stream has. */
START_TEST(test_batches_that_a_dead_agent_sent)
{
	struct nats_client client;

	need_nats();
	client = begin_numbered();
	publish_as_dead(&client, 1, 3);
	nats__close(&client);
	open_output();
	for (uint64_t i = 1; i <= 5; i++)
		output_run__write(numbered_batch(i));
	output_run__wait_settled(5);
	ck_assert_uint_eq(output_run__warnings(), 0);
	expect_batches(5);
}
END_TEST

/* It is stored while the next agent sends: the server refuses the message of that. */
START_TEST(test_late_message_of_a_dead_agent)
{
	struct nats_client client;

	need_nats();
	client = begin_numbered();
	open_output();
	output_run__send(numbered_batch(1));
	publish_as_dead(&client, 2, 3);
	nats__close(&client);
	for (uint64_t i = 2; i <= 4; i++)
		output_run__send(numbered_batch(i));
	ck_assert_uint_eq(output_run__warnings(), 0);
	expect_batches(4);
}
END_TEST

static void add_stream(const struct nats_client *client)
{
	const char *subjects[] = { "peat.*.*" };
	jsStreamConfig config;

	jsStreamConfig_Init(&config);
	config.Name = "PEAT";
	config.Subjects = subjects;
	config.SubjectsLen = 1;
	ck_assert_int_eq(js_AddStream(NULL, client->stream, &config, NULL, NULL), NATS_OK);
}

/* The user of the output may publish, and no more: the ids of messages are left. */
START_TEST(test_reading_is_forbidden)
{
	jsStreamInfo *info = NULL;
	struct nats_client client;

	need_nats();
	nats__start(0, false,
		    "authorization { users: [ { user: admin, password: x },\n"
		    "{ user: agent, password: x, permissions: {\n"
		    "publish: \"peat.>\", subscribe: \"_INBOX.>\" } } ] }\n"
		    "no_auth_user: agent\n");
	client = nats__client("nats://admin:x@127.0.0.1:4221");
	add_stream(&client);
	open_output("timeout", "500ms");
	output_run__send(nats__batch("exec", 1, 10));
	output_run__send(nats__batch("exec", 11, 10));
	output_run__send(nats__batch("open", 1, 10));
	ck_assert_uint_eq(output_run__arrived(), 30);
	ck_assert_uint_eq(output_run__warnings(), 0);
	output_run__close();
	ck_assert_int_eq(js_GetStreamInfo(&info, client.stream, "PEAT", NULL, NULL), NATS_OK);
	ck_assert_uint_eq(info->State.Msgs, 3);
	jsStreamInfo_Destroy(info);
	nats__close(&client);
	nats__stop(0);
}
END_TEST

START_TEST(test_close_gives_up)
{
	need_nats();
	open_output();
	output_run__write(nats__batch("exec", 1, 10));
	output_run__write(nats__batch("open", 1, 10));
	output_run__wait(100);
	output_run__close();
	ck_assert_uint_eq(output_run__settled(), 2);
	ck_assert_uint_eq(output_run__refused(), 20);
	ck_assert_str_eq(output_run__why(), "closed");
}
END_TEST

/* ---- the setup of the stream ----------------------------------------------------------------- */

START_TEST(test_setup_makes_and_checks)
{
	need_nats();
	ck_assert_int_eq(nats__set_up(NATS_FIRST, NULL), -EIO);
	check_has(nats_line, "output stream: cannot connect to " NATS_FIRST);
	nats__start(0, false, "");
	ck_assert_int_eq(nats__set_up(NATS_FIRST, "max-age", "1h", "max-bytes", "1G",
				      "duplicate-window", "10m", NULL),
			 0);
	check_has(nats_line, "created the stream PEAT: subjects peat.*.*, replicas 1, discard new");
	ck_assert_int_eq(nats__set_up(NATS_FIRST, NULL), 0);
	check_has(nats_line, "the stream PEAT is there as configured");
	ck_assert_int_eq(nats__set_up(NATS_FIRST, "max-age", "1h", "max-bytes", "1G",
				      "duplicate-window", "10m", "discard", "new", NULL),
			 0);
	ck_assert_int_eq(nats__set_up(NATS_FIRST, "max-age", "2h", NULL), -EEXIST);
	check_has(nats_line, "the stream PEAT has max-age 3600000ms, the configuration 7200000ms");
	ck_assert_int_eq(nats__set_up(NATS_FIRST, "replicas", "3", NULL), -EEXIST);
	check_has(nats_line, "has replicas 1, the configuration 3");
	ck_assert_int_eq(nats__set_up(NATS_FIRST, "discard", "old", NULL), -EEXIST);
	ck_assert_int_eq(nats__set_up(NATS_FIRST, "max-bytes", "2G", NULL), -EEXIST);
	ck_assert_int_eq(nats__set_up(NATS_FIRST, "duplicate-window", "1m", NULL), -EEXIST);
	ck_assert_int_eq(nats__set_up(NATS_FIRST, "subject", "logs.%h", NULL), -EEXIST);
	check_has(nats_line, "has subjects such as peat.*.*, the configuration logs.*");
	ck_assert_int_eq(nats__set_up(NATS_FIRST, "stream", "OTHER", "replicas", "3", "subject",
				      "o.%s", NULL),
			 -EIO);
	check_has(nats_line, "cannot create the stream OTHER: ");
	nats__stop(0);
}
END_TEST

/* ---- the program ----------------------------------------------------------------------------- */

#ifdef HAVE_YAML
#define NEED_YAML
#else
#define NEED_YAML skip("peat was built without libyaml")
#endif

/* The search for leaks at the end of a program traces it, which the agent forbids itself. */
static void write_agent_config(void)
{
	char config[512];

	setenv("LSAN_OPTIONS", "detect_leaks=0", 1);
	snprintf(config, sizeof(config),
		 "agent: {socket: %s/socket}\noutputs:\n  stream: {jetstream: '" NATS_FIRST "'}\n"
		 "pipelines:\n  runs: {source: exec, outputs: stream}\n",
		 scratch__dir());
	close(scratch__file("agent.yaml", config));
}

static void expect_setup(int status, const char *line)
{
	struct command setup;

	command__run(&setup, ALL_CAPS,
		     ARGV(command__peat(), "agent", "-c", scratch__path("agent.yaml"),
			  "--stream-setup"));
	ck_assert_int_eq(setup.status, status);
	check_has(setup.out_text, line);
	command__free(&setup);
}

/* All messages in one file are a recording. */
static void expect_replayed(uint64_t events)
{
	struct command replay;
	uint64_t lines = 0;

	command__run(&replay, ALL_CAPS,
		     ARGV(command__peat(), "replay", "-j", scratch__path("stored.perf")));
	ck_assert_msg(!replay.status, "%s", replay.err_text);
	for (const char *at = replay.out_text; (at = strstr(at, "{\"type\":\"exec\"")); at++)
		lines++;
	ck_assert_uint_eq(lines, events);
	command__free(&replay);
}

/* It has given up privileges and system calls by then. */
START_TEST(test_agent_stores_events)
{
	struct command agent;

	NEED_YAML;
	need_nats();
	write_agent_config();
	expect_setup(1, "output stream: cannot connect to " NATS_FIRST);
	nats__start(0, false, "");
	expect_setup(0, "output stream: created the stream PEAT");
	expect_setup(0, "output stream: the stream PEAT is there as configured");
	command__start(&agent, ALL_CAPS,
		       ARGV(command__peat(), "agent", "-c", scratch__path("agent.yaml")));
	while (access(scratch__path("socket"), F_OK)) {
		ck_assert_msg(command__is_running(&agent), "the agent has ended");
		usleep(20000);
	}
	for (unsigned i = 0; i < 20; i++)
		process__run("/bin/true", ARGV("true"));
	usleep(500000);
	kill(agent.pid, SIGTERM);
	command__finish(&agent);
	ck_assert_msg(!agent.status, "%s", agent.err_text);
	check_has(agent.err_text, "waiting 0 dropped 0 refused 0");
	command__free(&agent);
	nats__read(NATS_FIRST, false);
	ck_assert_uint_ge(nats__stored_events("runs"), 20);
	expect_replayed(nats__stored_events("runs"));
	nats__stop(0);
}
END_TEST

static Suite *jetstream_suite(void)
{
	TCase *tests;
	Suite *suite = harness__suite("jetstream", 60, &tests);

	signal(SIGPIPE, SIG_IGN);
	tcase_add_checked_fixture(tests, scratch__make, scratch__remove);
	tcase_add_test(tests, test_node_reads_stream);
	tcase_add_test(tests, test_batches_share_messages);
	tcase_add_test(tests, test_server_comes_later);
	tcase_add_test(tests, test_server_restarts);
	tcase_add_test(tests, test_server_hangs);
	tcase_add_test(tests, test_no_stream);
	tcase_add_test(tests, test_full_stream);
	tcase_add_test(tests, test_large_piece);
	tcase_add_test(tests, test_forgotten_id);
	tcase_add_test(tests, test_batches_that_a_dead_agent_sent);
	tcase_add_test(tests, test_late_message_of_a_dead_agent);
	tcase_add_test(tests, test_reading_is_forbidden);
	tcase_add_test(tests, test_close_gives_up);
	tcase_add_test(tests, test_setup_makes_and_checks);
	tcase_add_test(tests, test_agent_stores_events);
	return suite;
}

#else

START_TEST(test_node_reads_stream)
{
	need_output("jetstream");
}
END_TEST

static Suite *jetstream_suite(void)
{
	TCase *tests;
	Suite *suite = harness__suite("jetstream", 60, &tests);

	tcase_add_loop_test(tests, test_node_reads_stream, 0, 1);
	return suite;
}

#endif /* HAVE_NATS */

int main(int argc, char **argv)
{
	static const suite_fn suites[] = { jetstream_suite };

	return harness__main(argc, argv, suites, 1);
}
