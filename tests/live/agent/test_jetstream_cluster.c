// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * test_jetstream_cluster.c: three servers of NATS, of which the stream's leader is killed under
 * load: every event is stored once, in the order of its source.
 */
#include "live/agent/output_run.h"

#ifdef HAVE_NATS

#include "live/agent/nats_servers.h"

static const char *const sources[] = { "exec", "open", "tcp" };

static unsigned wait_for_leader(void)
{
	int leader;

	while ((leader = nats__find_leader()) < 0)
		output_run__wait(100);
	return (unsigned)leader;
}

/* Batches of all sources in turn, `rounds` of each. */
static void write_rounds(uint64_t *next, unsigned rounds)
{
	for (unsigned i = 0; i < rounds; i++, *next += 200)
		for (unsigned j = 0; j < 3; j++)
			output_run__write(nats__batch(sources[j], *next, 200));
}

START_TEST(test_leader_is_killed)
{
	uint64_t next = 1, start;
	unsigned leader;

	need_nats();
	nats__start_cluster();
	nats__make_stream();
	output_run__open_at("jetstream", NATS_ALL, "timeout", "2s", NULL);
	write_rounds(&next, 50);
	for (unsigned i = 0; i < 2; i++) {
		leader = wait_for_leader();
		write_rounds(&next, 20);
		nats__stop(leader);
		start = run__now_ms();
		write_rounds(&next, 50);
		printf("jetstream: %.1f s until 150 batches were taken after the leader was "
		       "killed\n",
		       (double)(run__now_ms() - start) / 1000);
		nats__start(leader, true, "");
	}
	output_run__wait_settled((next - 1) / 200 * 3);
	ck_assert_uint_eq(output_run__refused(), 0);
	ck_assert_uint_eq(output_run__arrived(), (next - 1) * 3);
	wait_for_leader();
	output_run__close();
	nats__read(NATS_ALL, true);
	for (unsigned j = 0; j < 3; j++)
		ck_assert_uint_eq(nats__stored_events(sources[j]), next - 1);
	nats__stop_cluster();
}
END_TEST

/* The server that leads a consumer ends what its receivers wait for, if another one becomes leader.
 */
static void change_leader(void)
{
	struct nats_client client = nats__client(NATS_ALL);
	natsMsg *answer = NULL;

	ck_assert_int_eq(natsConnection_RequestString(&answer, client.connection,
						      "$JS.API.CONSUMER.LEADER.STEPDOWN.PEAT.lines",
						      "", 5000),
			 NATS_OK);
	natsMsg_Destroy(answer);
	nats__close(&client);
}

static void wait_until_received(const struct command *receiver)
{
	while (nats__pending("lines")) {
		ck_assert_msg(command__is_running(receiver), "peat recv has ended");
		usleep(100000);
	}
}

START_TEST(test_receiver_follows_leaders)
{
	struct command receiver;

	need_nats();
	nats__start_cluster();
	nats__make_stream();
	output_run__open_at("jetstream", NATS_ALL, NULL);
	command__start(&receiver, ALL_CAPS,
		       ARGV(command__peat(), "recv", "-o", scratch__path("received.perf"),
			    "--consumer", "lines", NATS_ALL));
	for (uint64_t i = 0; i < 5; i++) {
		output_run__send(nats__batch("exec", 1 + i, 1));
		wait_until_received(&receiver);
		change_leader();
	}
	output_run__send(nats__batch("exec", 6, 1));
	wait_until_received(&receiver);
	kill(receiver.pid, SIGTERM);
	command__finish(&receiver);
	ck_assert_msg(!receiver.status, "%s", receiver.err_text);
	ck_assert_ptr_nonnull(strstr(receiver.err_text, "6 events in 6 batches"));
	command__free(&receiver);
	output_run__close();
	nats__stop_cluster();
}
END_TEST

/* One server of three cannot elect a leader. */
START_TEST(test_receiver_waits_for_a_leader)
{
	struct command receiver;

	need_nats();
	nats__start_cluster();
	nats__make_stream();
	output_run__open_at("jetstream", NATS_ALL, NULL);
	output_run__send(nats__batch("exec", 1, 10));
	output_run__close();
	wait_for_leader();
	nats__pause(1);
	nats__pause(2);
	command__start(&receiver, ALL_CAPS,
		       ARGV(command__peat(), "recv", "-o", scratch__path("received.perf"), "--end",
			    "--consumer", "lines", NATS_FIRST));
	sleep(8); /* longer than the receiver waits for one answer */
	ck_assert(command__is_running(&receiver));
	nats__continue(1);
	nats__continue(2);
	command__finish(&receiver);
	ck_assert_msg(!receiver.status, "%s", receiver.err_text);
	ck_assert_ptr_nonnull(strstr(receiver.err_text, "PEAT does not answer: trying again"));
	ck_assert_ptr_nonnull(strstr(receiver.err_text, "10 events in 1 batch"));
	command__free(&receiver);
	nats__stop_cluster();
}
END_TEST

/* ---- speed ----------------------------------------------------------------------------------- */

static struct peat_batch *full_batch(const char *source)
{
	struct peat_batch_opts opts = { .sz = sizeof(opts),
					.source = source,
					.wall_clock_ns = OTLP_WALL_CLOCK };
	struct peat_batch *batch = peat_batch__new(&opts);

	ck_assert_ptr_nonnull(batch);
	fill_batch(batch);
	return batch;
}

static void measure(unsigned replicas, unsigned source_count)
{
	struct peat_batch *batches[3];
	uint64_t start, count = 0;
	double seconds, cpu;

	for (unsigned i = 0; i < source_count; i++)
		batches[i] = full_batch(sources[i]);
	output_run__open_at("jetstream", NATS_ALL, NULL);
	output_run__send(peat_batch__ref(batches[0]));
	start = run__now_ms();
	cpu = run__seconds(CLOCK_PROCESS_CPUTIME_ID);
	for (; run__now_ms() - start < 2000; count++)
		output_run__write(peat_batch__ref(batches[count % source_count]));
	output_run__wait_settled(count + 1);
	seconds = (double)(run__now_ms() - start) / 1000;
	cpu = run__seconds(CLOCK_PROCESS_CPUTIME_ID) - cpu;
	printf("jetstream, %u replicas, %u sources: %.0f events/s, %.0f ns of CPU an event\n",
	       replicas, source_count, (double)(count * peat_batch__events(batches[0])) / seconds,
	       cpu * 1e9 / (double)(count * peat_batch__events(batches[0])));
	ck_assert_uint_eq(output_run__refused(), 0);
	output_run__close();
	for (unsigned i = 0; i < source_count; i++)
		peat_batch__unref(batches[i]);
}

START_TEST(test_speed_of_storing)
{
	need_nats();
	nats__start_cluster();
	nats__make_stream();
	measure(3, 1);
	measure(3, 3);
	nats__stop_cluster();
}
END_TEST

static Suite *cluster_suite(void)
{
	TCase *tests;
	Suite *suite = harness__suite("jetstream_cluster", 180, &tests);

	signal(SIGPIPE, SIG_IGN);
	tcase_add_checked_fixture(tests, scratch__make, scratch__remove);
	tcase_add_test(tests, test_leader_is_killed);
	tcase_add_test(tests, test_receiver_follows_leaders);
	tcase_add_test(tests, test_receiver_waits_for_a_leader);
	tcase_add_test(tests, test_speed_of_storing);
	return suite;
}

#else

START_TEST(test_leader_is_killed)
{
	need_output("jetstream");
}
END_TEST

static Suite *cluster_suite(void)
{
	TCase *tests;
	Suite *suite = harness__suite("jetstream_cluster", 60, &tests);

	tcase_add_loop_test(tests, test_leader_is_killed, 0, 1);
	return suite;
}

#endif /* HAVE_NATS */

int main(int argc, char **argv)
{
	static const suite_fn suites[] = { cluster_suite };

	return harness__main(argc, argv, suites, 1);
}
