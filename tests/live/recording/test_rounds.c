// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * test_rounds.c: peat record writes events in the order in which it reads the rings.  Stock perf
 * and peat replay print them by time all the same, as if they had been recorded so.
 */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <peat/peat.h>

#include "live/bpf/named.bpf.h"
#include "support/load/flood_run.h"
#include "support/machine/amount.h"
#include "support/machine/harness.h"
#include "support/perf/perf_script.h"
#include "support/perf/stock_perf.h"
#include "support/recording/recorded_run.h"

EMBED_TWINS(flood)
EMBED_OBJECT(named)

/* ---- load ------------------------------------------------------------------------------------ */

/* Processes of several names on all CPUs, beside a flood. */
static void run_storms(struct flood_run *flood)
{
	flood_run__start(flood);
	free(stock_perf__shell("for i in 1 2 3; do (for j in 1 2 3 4 5 6 7 8 9 10; do "
			       "cat /etc/hostname >/dev/null; ls / >/dev/null; "
			       "sh -c 'true; cat /no/such' 2>/dev/null || true; done) & "
			       "done; wait"));
	flood_run__wait(flood);
}

static const struct {
	const char *name, *option;
} outputs[] = { { "file", "-q" },
		{ "compressed", "-z" },
		{ "latency of 10 ms", "--latency=10ms" } };

#define OUTPUTS (sizeof(outputs) / sizeof(*outputs))

static void record(size_t i)
{
	struct flood_run flood;
	struct command peat;

	flood_run__make(&flood, amount__at_most("PEAT_TEST_EVENTS", 3000), 200, 10);
	recorded_run__put(&flood_object);
	recorded_run__start(&peat, RECORD(FLOOD(&flood), "exec", "exit", "open", outputs[i].option,
					  "-o", "file"));
	run_storms(&flood);
	recorded_run__stop(&peat, 0);
	command__free(&peat);
}

/* ---- checks ---------------------------------------------------------------------------------- */

/* perf counts events that are older than those it has printed. */
static char *script(const char *path)
{
	char *text, *errors;

	text = stock_perf__shellf(PERF_SCRIPT " -i %s 2>errors", path);
	errors = stock_perf__shell("cat errors");
	ck_assert_msg(!strstr(errors, "out of order"), "%s", errors);
	free(errors);
	return text;
}

static uint64_t check_sorted(const char *text)
{
	char *copy = strdup(text), *rest = copy, *line;
	struct perf_script shown;
	long long last_ns = 0;
	uint64_t count = 0;

	while ((line = perf_script__next(&rest))) {
		perf_script__parse(line, &shown);
		ck_assert_msg(shown.time_ns >= last_ns, "%lld after %lld", shown.time_ns, last_ns);
		last_ns = shown.time_ns;
		count++;
	}
	free(copy);
	return count;
}

/* Samples in the order of the file that are older than the one before. */
static uint64_t count_older(void)
{
	struct peat_reader *reader = peat_reader__open("file", NULL);
	const struct peat_event *event;
	uint64_t last_ns = 0, older = 0;

	ck_assert_ptr_nonnull(reader);
	while (peat_reader__wait(reader, -1) >= 0)
		while (peat_reader__next(reader, &event) > 0) {
			if (event->kind != PEAT_EVENT_DATA)
				continue;
			older += event->time_ns < last_ns;
			last_ns = event->time_ns;
		}
	peat_reader__free(reader);
	return older;
}

START_TEST(test_perf_prints_in_order)
{
	struct recorded_run run;
	char *recorded;

	need_perf();
	record((size_t)_i);
	recorded_run__read("file", &run);
	ck_assert_uint_eq(run.lost, 0);
	ck_assert(run.has_ledger);
	ck_assert_uint_eq(run.emitted, run.delivered);
	ck_assert_uint_eq(run.recorded, run.samples);
	recorded = script("file");
	ck_assert_uint_eq(check_sorted(recorded), run.samples);
	printf("# %s: %llu of %llu events are older than the one before\n", outputs[_i].name,
	       (unsigned long long)count_older(), (unsigned long long)run.samples);
	free(recorded);
}
END_TEST

/* ---- the same events in both orders ---------------------------------------------------------- */

/* A copy of an event of `named`. */
struct kept {
	struct peat_event event;
	struct named data;
	char comm[16];
};

static struct {
	struct kept *at;
	size_t count, room;
} kept;

static void keep(const struct peat_event *event)
{
	struct kept *one;

	if (kept.count == kept.room) {
		kept.room = 2 * kept.room + 1024;
		kept.at = realloc(kept.at, kept.room * sizeof(*kept.at));
		ck_assert_ptr_nonnull(kept.at);
	}
	one = &kept.at[kept.count++];
	ck_assert_uint_eq(event->size, sizeof(one->data));
	ck_assert_ptr_nonnull(event->comm);
	one->event = *event;
	memcpy(&one->data, event->data, sizeof(one->data));
	snprintf(one->comm, sizeof(one->comm), "%s", event->comm);
}

static int by_time(const void *a, const void *b)
{
	const struct kept *one = a, *other = b;
	uint64_t one_ns = one->event.time_ns, other_ns = other->event.time_ns;

	return (one_ns > other_ns) - (one_ns < other_ns);
}

static struct peat_sink *open_sink(struct peat_session *session, const char *path)
{
	int fd = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	struct peat_sink *sink = peat_sink__new_perf(peat_session__reader(session), fd, NULL);

	ck_assert_ptr_nonnull(sink);
	close(fd);
	return sink;
}

/* As an ordered reader returns them. */
static void write_sorted(struct peat_session *session)
{
	struct peat_sink *sink = open_sink(session, "sorted");

	qsort(kept.at, kept.count, sizeof(*kept.at), by_time);
	for (size_t i = 0; i < kept.count; i++) {
		kept.at[i].event.data = &kept.at[i].data;
		kept.at[i].event.comm = kept.at[i].comm;
		ck_assert_int_eq(peat_sink__write(sink, &kept.at[i].event), 0);
	}
	ck_assert_int_eq(peat_sink__finish(sink), 0);
	peat_sink__free(sink);
}

static void check_equal(const char *one, const char *other)
{
	size_t at = 0;

	while (one[at] && one[at] == other[at])
		at++;
	while (at && one[at - 1] != '\n')
		at--;
	ck_assert_msg(!strcmp(one, other), "recorded:\n%.200s\nsorted:\n%.200s", one + at,
		      other + at);
}

static char of_tasks[][2] = { "a", "b", "c" }, of_child[] = "child";

/*
 * A task whose name changes between calls, as that of its children does.  No name returns: see
 * recorder/named_threads.h.
 */
static int call_with_names(void *arg)
{
	const char *begin = arg;
	char name[16];

	for (unsigned i = 0; i < 40; i++) {
		snprintf(name, sizeof(name), "%s%u", begin, i / 2);
		prctl(PR_SET_NAME, name);
		for (unsigned j = 0; j < 20; j++)
			syscall(SYS_getpgid, 0);
		usleep(500 + i % 7 * 100);
		if (i % 10 == 9 && strlen(begin) == 1)
			process__wait(process__start(call_with_names, of_child));
	}
	return 0;
}

static struct peat_session *start_session(void)
{
	struct peat_session *session = peat_session__new(NULL);
	struct peat_reader_opts opts = PEAT_READER_OPTS_INIT;
	char number[16];

	snprintf(number, sizeof(number), "%d", (int)SYS_getpgid);
	opts.names = true;
	/* All calls of the test fit: the reader may wait for a CPU. */
	opts.memory_bytes = 64 << 20;
	ck_assert_int_eq(
		peat_session__add(session, "named", named_object.bytes, *named_object.count), 0);
	ck_assert_int_eq(peat_session__set_variable(session, "call_number", number), 0);
	ck_assert_int_eq(peat_session__leave_out(session, "by_itself"), 0);
	ck_assert_int_eq(peat_session__leave_out(session, "by_idle"), 0);
	ck_assert_int_eq(peat_session__start(session, &opts), 0);
	return session;
}

static void drain(struct peat_session *session, struct peat_sink *sink)
{
	const struct peat_event *event;

	while (peat_reader__next(peat_session__reader(session), &event) > 0) {
		ck_assert_msg(event->kind == PEAT_EVENT_DATA, "kind %d: %llu lost, %s", event->kind,
			      (unsigned long long)event->lost, peat_lost_cause__name(event->cause));
		keep(event);
		ck_assert_int_eq(peat_sink__write(sink, event), 0);
	}
	ck_assert_int_eq(peat_sink__flush(sink), 0);
}

/* A process that calls on while nobody drains loses events. */
static void drain_until(pid_t ended, struct peat_session *session, struct peat_sink *sink)
{
	int status;
	pid_t pid;

	while (!(pid = waitpid(ended, &status, WNOHANG))) {
		peat_session__wait(session, 20);
		drain(session, sink);
	}
	ck_assert_int_eq(pid, ended);
	ck_assert_int_eq(status, 0);
}

/*
 * Stock perf prints the same: also the names, which only COMM records of the sink have here.  A
 * flush after each drain makes rounds as short as they can be.
 */
START_TEST(test_perf_prints_the_same)
{
	struct peat_session *session = start_session();
	struct peat_sink *sink = open_sink(session, "file");
	char *recorded, *sorted;
	pid_t children[3];

	need_perf();
	for (int i = 0; i < 3; i++)
		children[i] = process__start(call_with_names, of_tasks[i]);
	for (int i = 0; i < 3; i++)
		drain_until(children[i], session, sink);
	peat_session__stop(session);
	drain(session, sink);
	ck_assert_int_eq(peat_sink__finish(sink), 0);
	peat_sink__free(sink);
	write_sorted(session);
	peat_session__free(session);
	recorded = script("file");
	ck_assert_uint_eq(check_sorted(recorded), kept.count);
	ck_assert_uint_ge(kept.count, 3 * 800);
	printf("# %llu of %zu events are older than the one before\n",
	       (unsigned long long)count_older(), kept.count);
	sorted = script("sorted");
	check_equal(recorded, sorted);
	free(recorded);
	free(sorted);
	free(kept.at);
}
END_TEST

static Suite *rounds_suite(void)
{
	TCase *tests;
	Suite *suite = harness__suite("rounds", 120, &tests);

	tcase_add_checked_fixture(tests, recorded_run__setup, stock_perf__teardown);
	tcase_add_loop_test(tests, test_perf_prints_in_order, 0, OUTPUTS);
	tcase_add_test(tests, test_perf_prints_the_same);
	return suite;
}

int main(int argc, char **argv)
{
	static const suite_fn suites[] = { rounds_suite };

	return harness__main(argc, argv, suites, 1);
}
