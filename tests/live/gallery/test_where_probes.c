// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * test_where_probes.c: --where of all verbs, on all fields of the probes' events, as they are sent.
 *
 * A child of the test causes events of all kinds.  A session of the test reads them, and the slow
 * evaluator tests each with expressions whose values are those of such events.  Runs of peat with
 * these expressions watch the same events, side by side, and have to print or count as many.
 */
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <peat/peat.h>

#include "probe.h"
#include "support/load/probe_events.h"
#include "support/machine/amount.h"
#include "support/machine/command.h"
#include "support/machine/harness.h"
#include "support/machine/json_table.h"
#include "support/machine/mounts.h"
#include "support/machine/netns.h"
#include "support/machine/process.h"
#include "support/machine/scratch.h"
#include "support/where/where_random.h"

/* ---- the session ----------------------------------------------------------------------------- */

/*
 * Not here: profile, whose samples are other ones in each run; leak, which counts in maps; oom,
 * bio and lock, whose events are not those of a task alone.
 */
enum { ALL = 6, HALF = 3 };

static const struct {
	const char *source;
	bool by_name; /* false: everything in the network namespace */
	int runs;     /* of all verbs, or of half of them: many programs are slow to attach */
} probes[] = {
	{ "open", true, ALL },
	{ "exec", true, ALL },
	{ "exit", true, ALL },
	{ "signal", true, ALL },
	{ "syscall,min=0,waits,counts=0", true, ALL },
	{ "filechange", true, HALF },
	{ "fileslow,min=0", true, ALL },
	{ "guard", true, HALF },
	{ "capable,repeats", true, ALL },
	{ "sched,min=0", true, ALL },
	{ "offcpu,min=0", true, ALL },
	{ "fault,minor", true, ALL },
	{ "listen", true, ALL },
	{ "tcp", true, ALL },
	{ "drop", true, ALL },
	{ "retrans", true, ALL },
	{ "resolve", true, HALF },
	{ "ssl", true, HALF },
	{ "packet", false, ALL },
};

#define PROBES (int)(sizeof(probes) / sizeof(*probes))

static char messages[4096];

static void keep_messages(enum peat_log_level level, const char *text)
{
	size_t used = strlen(messages);

	if (level <= PEAT_LOG_WARN)
		snprintf(messages + used, sizeof(messages) - used, "%s\n", text);
}

static const char *source_of(int probe)
{
	static char text[128];

	if (strcmp(probes[probe].source, "ssl") != 0)
		return probes[probe].source;
	snprintf(text, sizeof(text), "ssl,library=/proc/%d/exe", (int)getpid());
	return text;
}

static struct peat_session *start_session(int number)
{
	struct peat_session_opts opts = { .sz = sizeof(opts) };
	struct peat_reader_opts reader_opts = PEAT_READER_OPTS_INIT;
	char *source = strdup(source_of(number)), *options = source;
	const char *name = strsep(&options, ",");
	const struct probe *probe = probe__find(name);
	struct peat_session *session;

	peat_set_print(keep_messages);
	opts.comm = probes[number].by_name ? probe_events__name() : NULL;
	opts.interfaces = probes[number].by_name ? NULL : "lo";
	session = peat_session__new(&opts);
	ck_assert_msg(session && probe, "%s", messages);
	ck_assert_int_eq(peat_session__add(session, name, probe->object, probe->object_bytes), 0);
	if (options)
		probe_events__set_options(session, options);
	reader_opts.names = true;
	reader_opts.latency_ms = 10;
	ck_assert_msg(!peat_session__start(session, &reader_opts), "%s: %s", source, messages);
	free(source);
	return session;
}

static uint64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

/* ---- runs of peat ---------------------------------------------------------------------------- */

enum verb { TRACE, COUNT, HIST, COUNT_BY, TOP, RECORD };

static struct run {
	enum verb verb;
	char *text;
	struct where_random *random; /* of this text */
	struct command peat;
	uint64_t expected;
} runs[ALL];
static int run_count;

/* Reads what was sent until now, and makes room in the rings. */
static int read_events(struct peat_session *session, bool are_learned)
{
	const struct peat_event *event;
	int events = 0;

	for (int round = 0; round < 3; round++) {
		peat_session__wait(session, 50);
		while (peat_reader__next(peat_session__reader(session), &event) > 0) {
			if (event->kind != PEAT_EVENT_DATA)
				continue;
			events++;
			for (int i = 0; i < run_count && are_learned; i++)
				where_random__learn(runs[i].random, event);
		}
	}
	return events;
}

/* Expressions of these runs have values of the events of one request. */
static void make_expressions(struct peat_session *session, int number)
{
	run_count = probes[number].runs;
	for (int i = 0; i < run_count; i++)
		runs[i].random = where_random__new(peat_session__type(session, 0),
						   (uint64_t)(number * ALL + i + 1));
	probe_events__request();
	ck_assert_msg(read_events(session, true), "%s: no events", probes[number].source);
	for (int i = 0; i < run_count; i++)
		runs[i].text = strdup(where_random__of_fields(runs[i].random, i, run_count));
}

/* A number that can be shown as a histogram; NULL: none. */
static const char *number_of_type(const struct peat_schema *schema)
{
	uint32_t count;
	const struct peat_field *field = peat_schema__fields(schema, &count);

	for (const struct peat_field *end = field + count; field < end; field += field->span)
		if (field->kind == PEAT_FIELD_UNSIGNED || field->kind == PEAT_FIELD_SIGNED ||
		    field->kind == PEAT_FIELD_SIZE || field->kind == PEAT_FIELD_DURATION)
			return field->name;
	return "size";
}

#define START(verb, ...)                                                                           \
	command__start(&run->peat, ALL_CAPS,                                                       \
		       ARGV(command__peat(), verb, source, "-v", "--where", run->text, filter[0],  \
			    filter[1], ##__VA_ARGS__))

static void start_run(struct run *run, int number, const struct peat_schema *schema)
{
	const char *const by_name[] = { "--comm", probe_events__name() }, *const by_interface[] = {
		"--if", "lo"
	};
	const char *const *filter = probes[number].by_name ? by_name : by_interface;
	const char *source = source_of(number), *column = number_of_type(schema);
	char file[32];

	snprintf(file, sizeof(file), "%d.data", (int)(run - runs));
	run->verb = (enum verb)((run - runs + number) % ALL);
	switch (run->verb) {
	case TRACE:
		return START("trace", "-j");
	case COUNT:
		return START("count", "-j");
	case HIST:
		return START("hist", column, "-j");
	case COUNT_BY:
		return START("count", "-j", "--by", "cpu", "--sum", column);
	case TOP:
		return START("top", "-j", "-i", "1h", "--by", "cpu");
	default:
		return START("record", "-o", scratch__path(file));
	}
}

static uint64_t count_of_lines(const char *text)
{
	char *copy = strdup(text);
	struct json_lines lines = json_lines__split(copy);
	uint64_t count = 0;

	for (size_t i = 0; i < lines.count; i++)
		count += json_event__has(lines.lines[i], "rows") ? json_table__total(lines.lines[i])
								 : 1;
	json_lines__free(&lines);
	free(copy);
	return count;
}

/* The events that a run printed, counted or recorded. */
static uint64_t count_of(const struct run *run)
{
	struct command peat;
	char file[32];
	uint64_t count;

	if (run->verb != RECORD)
		return count_of_lines(run->peat.out_text);
	snprintf(file, sizeof(file), "%d.data", (int)(run - runs));
	command__run(&peat, ALL_CAPS, ARGV(command__peat(), "count", "-j", scratch__path(file)));
	count = count_of_lines(peat.out_text);
	command__free(&peat);
	return count;
}

/* Side by side: most of their time, they wait for the kernel. */
static void start_runs(int number, const struct peat_schema *schema)
{
	for (int i = 0; i < run_count; i++)
		start_run(&runs[i], number, schema);
	for (int i = 0; i < run_count; i++)
		command__expect(runs[i].peat.err, "attached");
}

static void stop_runs(void)
{
	for (int i = 0; i < run_count; i++)
		ck_assert_int_eq(kill(runs[i].peat.pid, SIGINT), 0);
}

/* Returns the number of runs of programs that the kernel skipped. */
static unsigned long finish_runs(void)
{
	unsigned long missed = 0;

	for (int i = 0; i < run_count; i++) {
		command__finish(&runs[i].peat);
		missed += command__missed(&runs[i].peat);
	}
	return missed;
}

/* Judges the events since then by the slow evaluator; returns their number. */
static uint64_t judge_events(struct peat_session *session, uint64_t from_ns)
{
	struct peat_reader *reader = peat_session__reader(session);
	const struct peat_event *event;
	uint64_t events = 0;

	peat_session__stop(session);
	peat_reader__flush(reader);
	while (peat_reader__next(reader, &event) > 0) {
		if (event->kind != PEAT_EVENT_DATA || event->time_ns < from_ns)
			continue;
		events++;
		for (int i = 0; i < run_count; i++)
			runs[i].expected += where_random__matches(runs[i].random, event);
	}
	return events;
}

/* Counts differ by the skipped runs of programs, at most. */
static void check_runs(int number, uint64_t events, unsigned long missed)
{
	uint64_t matches = 0;

	for (int i = 0; i < run_count; i++) {
		const struct run *run = &runs[i];
		uint64_t count = count_of(run);

		ck_assert_msg(count + missed >= run->expected && count <= run->expected + missed,
			      "%s, run %d: %llu of %llu of %llu: %s", probes[number].source, i,
			      (unsigned long long)count, (unsigned long long)run->expected,
			      (unsigned long long)events, run->text);
		matches += count;
	}
	ck_assert_uint_gt(matches, 0);
	ck_assert_uint_lt(matches, events * (uint64_t)run_count + missed);
}

static void free_runs(void)
{
	for (int i = 0; i < run_count; i++) {
		command__free(&runs[i].peat);
		where_random__free(runs[i].random);
		free(runs[i].text);
	}
}

static struct peat_reader_stats stats_of(const struct peat_session *session)
{
	struct peat_reader_stats stats = { .sz = sizeof(stats) };

	ck_assert_int_eq(peat_reader__stats(peat_session__reader(session), &stats), 0);
	return stats;
}

/* ---- tests ----------------------------------------------------------------------------------- */

static void setup(void)
{
	netns__enter();
	scratch__make();
}

static bool has_hook(const char *source)
{
	if (strncmp(source, "capable", 7) != 0)
		return true;
	mounts__need_tracefs();
	return !access("/sys/kernel/tracing/events/capability/cap_capable/id", F_OK);
}

START_TEST(test_expressions_on_each_probe)
{
	struct peat_session *session;
	uint64_t from_ns, events, lost;
	unsigned long missed;

	if (!has_hook(probes[_i].source))
		skip("no tracepoint cap_capable (Linux 6.14)");
	probe_events__start();
	session = start_session(_i);
	make_expressions(session, _i);
	start_runs(_i, peat_session__type(session, 0));
	read_events(session, false);
	lost = stats_of(session).lost;
	from_ns = now_ns();
	probe_events__request();
	stop_runs();
	events = judge_events(session, from_ns);
	ck_assert_uint_eq(stats_of(session).lost, lost);
	missed = stats_of(session).skipped + finish_runs();
	check_runs(_i, events, missed);
	free_runs();
	peat_session__free(session);
	probe_events__end();
}
END_TEST

static Suite *where_probes_suite(void)
{
	TCase *tests;
	Suite *suite = harness__suite("where_probes", 60, &tests);

	tcase_add_checked_fixture(tests, setup, scratch__remove);
	tcase_add_loop_test(tests, test_expressions_on_each_probe, 0, PROBES);
	return suite;
}

int main(int argc, char **argv)
{
	static const suite_fn suites[] = { where_probes_suite };

	return harness__main(argc, argv, suites, 1);
}
