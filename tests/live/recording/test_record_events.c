// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * test_record_events.c: events of peat record, as stock perf, peat replay and peat trace print
 * them.
 */
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <peat/peat.h>

#include "support/machine/amount.h"
#include "support/load/flood_run.h"
#include "support/machine/harness.h"
#include "support/recording/json_lines.h"
#include "support/machine/mounts.h"
#include "support/perf/perf_script.h"
#include "support/recording/recorded_run.h"
#include "support/load/renames.h"
#include "support/perf/stock_perf.h"
#include "support/machine/tracing.h"

EMBED_TWINS(flood)
EMBED_OBJECT(named)
EMBED_OBJECT(renames)
EMBED_OBJECT(stranger)

/* ---- perf script ----------------------------------------------------------------------------- */

static char *script(const char *path)
{
	char line[200];

	snprintf(line, sizeof(line), PERF_SCRIPT " -i %s 2>/dev/null", path);
	return stock_perf__shell(line);
}

static const struct {
	const char *event, *fields[8];
} described[] = {
	{ "peat:exec", { "ppid", "uid", "filename", "args", "args_bytes" } },
	{ "peat:open", { "path" } },
	{ "peat:exit", { "code", "signal", "core", "duration" } },
};

/* perf and peat replay print the same. */
static void check_same(const struct perf_script *shown, const char *event)
{
	perf_script__check_head(shown, event);
	for (size_t i = 0; i < sizeof(described) / sizeof(*described); i++)
		for (size_t j = 0;
		     !strcmp(described[i].event, shown->event) && described[i].fields[j]; j++)
			perf_script__check_field(shown, event, described[i].fields[j]);
}

/* Compares all events of the file.  Returns their number. */
static size_t compare(const char *path)
{
	char *text = script(path), *replayed = recorded_run__replay(path), *rest = text, *line;
	struct json_lines events = json_lines__split(replayed);
	size_t count = 0;

	while ((line = perf_script__next(&rest))) {
		struct perf_script shown;

		ck_assert_uint_lt(count, events.count);
		perf_script__parse(line, &shown);
		check_same(&shown, events.lines[count++]);
	}
	ck_assert_uint_eq(count, events.count);
	json_lines__free(&events);
	free(replayed);
	free(text);
	return count;
}

/* ---- one command, traced and recorded -------------------------------------------------------- */

static const char command[] =
	"i=0; while [ $i -lt 20 ]; do i=$((i+1)); \"$0\" one \"a b\" \"\" $i; "
	"cat /etc/hostname \"/no such $i\" >/dev/null 2>&1; done; exit 3";

#define COMMAND(program) "--", "sh", "-c", command, program

/* The name of the program's task: the first 15 bytes of the file name. */
static const char *comm_of(const char *path)
{
	static char comm[16];

	snprintf(comm, sizeof(comm), "%s", strrchr(path, '/') + 1);
	return comm;
}

/*
 * Checks the traced events that have to be in the recording: those of processes that run `program`.
 */
static void check_traced(const char *traced, const char *recorded)
{
	static const char *const members[] = { "pid",	   "tid",  "ppid",  "uid",  "args_bytes",
					       "filename", "code", "core",  "path", "result",
					       "flags",	   "comm", "signal" };

	for (size_t i = 0; i < sizeof(members) / sizeof(*members); i++)
		ck_assert_msg(!strcmp(json_lines__raw(traced, members[i]),
				      json_lines__raw(recorded, members[i])),
			      "%s: %s %s", members[i], traced, recorded);
	ck_assert_int_lt(llabs(json_lines__number(traced, "time_ns") -
			       json_lines__number(recorded, "time_ns")),
			 1000000000);
}

/* Searches in the order of time: events of one process are in the same order in both. */
static const char *next_of(const struct json_lines *events, const char *type, long long pid,
			   size_t *from)
{
	while (*from < events->count) {
		const char *event = events->lines[(*from)++];

		if (!strcmp(json_lines__text(event, "type"), type) &&
		    json_lines__number(event, "pid") == pid)
			return event;
	}
	return NULL;
}

static unsigned compare_process(const struct json_lines *traced, const struct json_lines *recorded,
				long long pid)
{
	static const char *const types[] = { "exec", "open", "exit" };
	unsigned count = 0;

	for (size_t i = 0; i < 3; i++) {
		size_t at = 0, there = 0;
		const char *one, *other;
		while ((other = next_of(recorded, types[i], pid, &there))) {
			one = next_of(traced, types[i], pid, &at);
			ck_assert_msg(one, "not traced: %s", other);
			check_traced(one, other);
			count++;
		}
		ck_assert_ptr_null(next_of(traced, types[i], pid, &at));
	}
	return count;
}

static void check_against_trace(struct tracing *tracing, const char *program)
{
	char *replayed = recorded_run__replay("file");
	struct json_lines events = json_lines__split(replayed);
	unsigned processes = 0;

	for (size_t i = 0; i < events.count; i++) {
		const char *event = events.lines[i];

		if (strcmp(json_lines__text(event, "type"), "exec") != 0 ||
		    strcmp(json_lines__text(event, "filename"), program) != 0)
			continue;
		compare_process(&tracing->events, &events, json_lines__number(event, "pid"));
		processes++;
		expect_number(event, "args_bytes",
			      (long long)strlen(program) + 11 + (processes >= 10) + 1);
	}
	ck_assert_uint_eq(processes, 20);
	json_lines__free(&events);
	free(replayed);
}

START_TEST(test_same_events)
{
	const char *program = process__program();
	struct tracing tracing;
	struct command peat;

	need_perf();
	/* All processes are traced, and they may open many files. */
	tracing__start(&tracing, ARGV(recorded_run__peat(), "trace", "-v", "-j", "--ordered",
				      "--memory", "32M", "exec", "open", "exit"));
	command__run(
		&peat, ALL_CAPS,
		RECORD("exec", "open", "exit", "--memory", "32M", "-o", "file", COMMAND(program)));
	tracing__stop(&tracing);
	ck_assert_int_eq(peat.status, 3);
	ck_assert_uint_ge(compare("file"), 20 * 5);
	check_against_trace(&tracing, program);
	tracing__free(&tracing);
	command__free(&peat);
	unlink(program);
}
END_TEST

/* A compressed file and a pipe have the same events as a plain file. */
START_TEST(test_compressed_events_are_the_same)
{
	static const char *const levels[] = { "-z", "-z19" };
	struct command peat;

	need_perf();
	for (size_t i = 0; i < 2; i++) {
		command__run(&peat, ALL_CAPS,
			     RECORD("exec", "open", levels[i], "-o", "file", COMMAND("true")));
		ck_assert_int_eq(peat.status, 3);
		command__free(&peat);
		ck_assert_uint_ge(compare("file"), 20 * 4);
		free(stock_perf__shell("perf inject -b -i file -o plain"));
		free(stock_perf__shell("perf script -i file >a 2>&1; perf script -i plain >b 2>&1;"
				       "cmp a b"));
		free(stock_perf__shell("$PEAT replay -qj file >a; $PEAT replay -qj plain >b; "
				       "cmp a b"));
	}
}
END_TEST

/* ---- other commands of perf ------------------------------------------------------------------ */

START_TEST(test_commands_of_perf)
{
	const char *program = process__program(), *comm = comm_of(program);
	char wanted[128], *text;
	struct command peat;

	need_perf();
	command__run(&peat, ALL_CAPS,
		     RECORD("exec", "@task", "-o", "file", "--comm", comm, COMMAND(program)));
	ck_assert_int_eq(peat.status, 3);
	command__free(&peat);
	text = stock_perf__shell("perf report --stdio -s comm,exec.filename -i file 2>&1");
	stock_perf__check_has(text, "# Samples: 20  of event 'peat:exec'");
	snprintf(wanted, sizeof(wanted), "   100.00%%  %-15s  ", comm);
	stock_perf__check_has(text, wanted);
	recorded_run__check_has(text, program);
	free(text);
	text = stock_perf__shell("perf evlist -v -i file");
	stock_perf__check_has(text, "peat:exec: type: 2, size: 128, config: 0x9c40, ");
	ck_assert_uint_eq(recorded_run__count(text, ": type: "), 1);
	free(text);
	text = stock_perf__shell("perf report --header-only -I -i file 2>&1");
	recorded_run__check_has(text, "record -v exec @task -o file --comm run-");
	free(text);
	text = stock_perf__shell("perf report -D -i file | grep -c LOST || true");
	ck_assert_str_eq(text, "0\n");
	free(text);
	free(stock_perf__shell("perf script -g python -i file && python3 -m py_compile "
			       "perf-script.py; test -s perf-script.py"));
	unlink(program);
}
END_TEST

START_TEST(test_perf_converts_recording)
{
	const char *program = process__program(), *comm = comm_of(program);
	char wanted[64], *text;
	struct command peat;

	need_perf();
	command__run(&peat, ALL_CAPS,
		     RECORD("exec", "-o", "file", "--comm", comm, COMMAND(program)));
	ck_assert_int_eq(peat.status, 3);
	command__free(&peat);
	text = stock_perf__shell("perf data convert --to-json json -i file 2>&1 && cat json");
	snprintf(wanted, sizeof(wanted), "\"comm\": \"%s\"", comm);
	ck_assert_uint_eq(recorded_run__count(text, wanted), 20);
	free(text);
	command__run(&peat, ALL_CAPS,
		     ARGV("perf", "data", "convert", "--to-ctf", "ctf", "-i", "file"));
	if (strstr(peat.err_text, "No conversion support"))
		printf("# this perf has no CTF\n");
	else
		recorded_run__check_has(peat.err_text, "(20 samples)");
	command__free(&peat);
	unlink(program);
}
END_TEST

/* ---- the ledger ------------------------------------------------------------------------------ */

/* Reads "1234 events in 0.52 s, 12 lost". */
static void read_summary(const struct command *peat, uint64_t *events, uint64_t *lost)
{
	const char *line = strstr(peat->err_text, " events in ");
	unsigned long long numbers[2];
	double seconds;

	ck_assert_msg(line, "%s", peat->err_text);
	while (line > peat->err_text && line[-1] != ' ')
		line--;
	if (strstr(line, "at least"))
		harness__skip(__func__, "this kernel has no PERF_FORMAT_LOST");
	ck_assert_msg(sscanf(line, "%llu events in %lf s, %llu lost", &numbers[0], &seconds,
			     &numbers[1]) == 3,
		      "%s", line);
	*events = numbers[0];
	*lost = numbers[1];
}

/* All events were emitted, except those of runs that the kernel skipped. */
static void check_emitted(const struct command *peat, uint64_t emitted, uint64_t wanted,
			  unsigned each)
{
	ck_assert_uint_le(emitted, wanted);
	ck_assert_uint_ge(emitted + command__missed(peat) * each, wanted);
}

/* Checks a recording of all events that were emitted. */
static void check_ledger(const struct command *peat, const char *path, uint64_t emitted,
			 unsigned each, struct recorded_run *run)
{
	uint64_t events, lost;

	read_summary(peat, &events, &lost);
	recorded_run__read(path, run);
	ck_assert(run->is_whole && run->has_ledger);
	check_emitted(peat, run->emitted, emitted, each);
	ck_assert_uint_eq(run->delivered, events);
	ck_assert_uint_eq(run->ledger_lost, lost);
	ck_assert_uint_eq(run->delivered + run->ledger_lost, run->emitted);
	ck_assert_uint_eq(run->recorded, run->samples);
	ck_assert_uint_eq(run->lost, lost + run->lost_in_queue);
}

START_TEST(test_nothing_lost)
{
	uint64_t calls = amount__of("PEAT_TEST_EVENTS", 200000) / 20;
	struct recorded_run run;
	struct flood_run flood;
	struct command peat;

	recorded_run__put(&flood_object);
	flood_run__make(&flood, calls, 20, 20);
	recorded_run__start(&peat, RECORD(FLOOD(&flood), "--memory", "64M", "-o", "file"));
	flood_run__start(&flood);
	flood_run__wait(&flood);
	recorded_run__stop(&peat, 0);
	check_ledger(&peat, "file", calls * 20, 20, &run);
	ck_assert_uint_eq(run.samples + run.lost_in_queue, run.emitted);
	ck_assert_uint_eq(run.ledger_lost, 0);
	command__free(&peat);
	if (stock_perf__is_there() && !run.lost_in_queue) {
		char *text = stock_perf__shell("perf script -F event -i file 2>/dev/null | wc -l");

		ck_assert_uint_eq(strtoull(text, NULL, 10), run.samples);
		free(text);
	}
}
END_TEST

/* Rings of one page, and peat is stopped. */
START_TEST(test_loss_is_recorded)
{
	struct recorded_run run;
	struct flood_run flood;
	struct command peat;

	recorded_run__put(&flood_object);
	flood_run__make(&flood, 1000, 0, 50);
	recorded_run__start(&peat, RECORD(FLOOD(&flood), "--memory", "1", "-o", "file"));
	kill(peat.pid, SIGSTOP);
	flood_run__start(&flood);
	flood_run__wait(&flood);
	kill(peat.pid, SIGCONT);
	recorded_run__stop(&peat, 0);
	check_ledger(&peat, "file", 50000, 50, &run);
	ck_assert_uint_gt(run.ledger_lost, 10000);
	ck_assert_uint_gt(run.samples, 0);
	command__free(&peat);
	if (stock_perf__is_there()) {
		char wanted[80], *text = stock_perf__shell("perf report --stats -i file 2>&1");

		snprintf(wanted, sizeof(wanted), "SAMPLE events: %10llu",
			 (unsigned long long)run.samples);
		stock_perf__check_has(text, wanted);
		recorded_run__check_has(text, "LOST_SAMPLES events:");
		free(text);
	}
}
END_TEST

/* ---- pipes ----------------------------------------------------------------------------------- */

START_TEST(test_seen_while_it_runs)
{
	static const char line[] = "$PEAT record exec -q -o - -- sh -c 'while [ ! -e end ]; do "
				   "\"$0\" one; sleep 0.05; "
				   "done; exit 7' %s | stdbuf -oL perf script -i - 2>&1";
	const char *program = process__program();
	struct command pipeline;
	char full[512];

	need_perf();
	snprintf(full, sizeof(full), line, program);
	command__start(&pipeline, ALL_CAPS, ARGV("sh", "-c", full));
	for (int i = 0; i < 3; i++)
		command__expect(pipeline.out, program);
	free(stock_perf__shell("touch end"));
	recorded_run__finish(&pipeline, 0);
	recorded_run__check_has(pipeline.out_text, "filename=");
	command__free(&pipeline);
	unlink(program);
}
END_TEST

/* The output of the command is not part of the recording. */
START_TEST(test_command_prints)
{
	struct command peat;

	need_perf();
	command__run(&peat, ALL_CAPS,
		     ARGV("sh", "-c",
			  "$PEAT record exec -q -o - -- sh -c 'echo from the command; true' >file; "
			  "$PEAT record exec -q -o - -- sh -c 'seq 1000; true' | cat >piped; "
			  "perf script -i file; perf script -i piped | tail -n1"));
	ck_assert_int_eq(peat.status, 0);
	recorded_run__check_has(peat.err_text, "from the command\n");
	recorded_run__check_has(peat.err_text, "\n1000\n");
	ck_assert_uint_ge(recorded_run__count(peat.out_text, " peat:exec: "), 2);
	ck_assert_ptr_null(strstr(peat.out_text, "from the command\n"));
	command__free(&peat);
}
END_TEST

/*
 * The rings are still read; events for which the queue has no room are lost, counted and reported.
 */
START_TEST(test_slow_reader)
{
	uint64_t calls = 1000, events, lost, told = 0;
	struct command peat, reader;
	struct recorded_run run;
	struct flood_run flood;
	const char *line;

	recorded_run__put(&flood_object);
	ck_assert_int_eq(mkfifo("fifo", 0600), 0);
	/* small enough that the rings do not overflow first */
	flood_run__make(&flood, calls, 500, 100);
	command__start(&reader, ALL_CAPS,
		       ARGV("sh", "-c",
			    "exec <fifo; while [ ! -e go ]; do sleep 0.1; done; "
			    "cat >file"));
	recorded_run__start(&peat, RECORD(FLOOD(&flood), "--set", "flood_bytes=256", "-o", "fifo",
					  "--memory", "64M"));
	flood_run__start(&flood);
	flood_run__wait(&flood);
	process__wait_until_idle(peat.pid);
	kill(peat.pid, SIGINT);
	free(stock_perf__shell("touch go"));
	recorded_run__finish(&peat, 0);
	recorded_run__finish(&reader, 0);
	recorded_run__read("file", &run);
	read_summary(&peat, &events, &lost);
	check_emitted(&peat, events + lost, calls * 100, 100);
	ck_assert_uint_eq(run.delivered, events);
	ck_assert_uint_eq(run.recorded, run.samples);
	ck_assert_uint_gt(run.lost_in_queue, 0);
	ck_assert_uint_le(run.samples, events);
	ck_assert_uint_ge(run.samples + run.lost_in_queue, events);
	ck_assert_uint_eq(run.lost, lost + run.lost_in_queue);
	line = strstr(peat.err_text, " more lost: they arrived faster");
	ck_assert_msg(line, "%s", peat.err_text);
	while (line > peat.err_text && line[-1] != ' ')
		line--;
	told = strtoull(line, NULL, 10);
	ck_assert_uint_eq(told, run.lost_in_queue);
	if (stock_perf__is_there())
		free(stock_perf__shell("perf report --stats -i file"));
	command__free(&peat);
	command__free(&reader);
}
END_TEST

static void check_quiet_end(const char *record, const char *reader)
{
	struct command peat;
	char line[256];

	snprintf(line, sizeof(line),
		 "rm -f status; { $PEAT record -q %s; echo $? >status; } | %s >/dev/null; "
		 "while [ ! -s status ]; do sleep 0.1; done; exit $(cat status)",
		 record, reader);
	command__run(&peat, ALL_CAPS, ARGV("sh", "-c", line));
	ck_assert_msg(peat.status == 0, "%s: status %d: %s", line, peat.status, peat.err_text);
	ck_assert_str_eq(peat.err_text, "");
	command__free(&peat);
}

/* The reader of the output ends at once, in the middle, and when no event ever arrives. */
START_TEST(test_reader_goes_away)
{
	check_quiet_end("exec -o -", "true");
	check_quiet_end("exec -o -", "head -c 1000");
	check_quiet_end("@switch -o -", "head -c 60000");
	check_quiet_end("exec -p 1 -o -", "sleep 1");
	check_quiet_end("exec -o - -- sleep 100", "head -c 1000");
	ck_assert_int_eq(mkfifo("fifo", 0600), 0);
	check_quiet_end("exec -o fifo", "head -c 1000 fifo");
}
END_TEST

/* ---- objects without peat.bpf.h -------------------------------------------------------------- */

static int rename_often(void *unused)
{
	(void)unused;
	renames__emit(0, 50);
	return 0;
}

static void check_bytes(void)
{
	char part[80], *text = stock_perf__shell("perf script -i file 2>&1"), *replayed;

	for (unsigned i = 0; i < 50; i++) {
		snprintf(part, sizeof(part), "BPF string: \"peat#%u\"\n", i);
		recorded_run__check_has(text, part);
	}
	ck_assert_uint_eq(recorded_run__count(text, " peat:renames: "), 50);
	free(text);
	replayed = recorded_run__replay("file");
	recorded_run__check_has(replayed, "\"bytes\":\"706561742330"); /* peat#0 */
	ck_assert_uint_eq(recorded_run__count(replayed, "\"type\":\"renames\""), 50);
	free(replayed);
}

START_TEST(test_bytes_of_foreign_events)
{
	struct command peat;

	need_perf();
	recorded_run__put(&renames_object);
	recorded_run__start(&peat, RECORD("renames.bpf.o", "-o", "file"));
	process__do(rename_often, NULL);
	recorded_run__stop(&peat, 0);
	check_bytes();
	command__free(&peat);
}
END_TEST

START_TEST(test_map_of_others)
{
	struct bpf_object *object;
	struct bpf_link *attached;
	struct command peat;

	need_perf();
	mounts__own_bpffs();
	object = object__open(&renames_object);
	object__load(object);
	attached = object__attach(object, "on_rename");
	ck_assert_int_eq(bpf_obj_pin(object__map_fd(object, "renames"), "/sys/fs/bpf/renames"), 0);
	recorded_run__start(&peat, RECORD("--map", "/sys/fs/bpf/renames", "--steal", "-o", "file"));
	process__do(rename_often, NULL);
	recorded_run__stop(&peat, 0);
	check_bytes();
	bpf_link__destroy(attached);
	bpf_object__close(object);
	command__free(&peat);
}
END_TEST

/* A library's recording of renames: its reader follows names, but returns no records of tasks. */
static void record_renames(bool ordered)
{
	struct peat_session *session = peat_session__new(NULL);
	struct peat_reader_opts opts = PEAT_READER_OPTS_INIT;
	int fd = open("file", O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	struct peat_sink *sink;

	opts.names = true;
	opts.ordered = ordered;
	ck_assert_int_eq(
		peat_session__add(session, "renames", renames_object.bytes, *renames_object.count),
		0);
	ck_assert_int_eq(peat_session__start(session, &opts), 0);
	sink = peat_sink__new_perf(peat_session__reader(session), fd, NULL);
	ck_assert_ptr_nonnull(sink);
	process__do(rename_often, NULL);
	peat_session__stop(session);
	ck_assert_int_ge(peat_session__drain(session, sink), 0);
	ck_assert_int_eq(peat_sink__finish(sink), 0);
	peat_sink__free(sink);
	peat_session__free(session);
	close(fd);
}

/* Each sample has the name of its time.  The program runs before the task has its new name. */
START_TEST(test_names_without_records)
{
	char *text, part[32];

	need_perf();
	record_renames(_i);
	text = stock_perf__shell("perf script -F comm,event -i file 2>&1 | tr -s ' '");
	ck_assert_uint_eq(recorded_run__count(text, "peat:renames:"), 50);
	for (unsigned i = 0; i < 49; i++) {
		snprintf(part, sizeof(part), "peat#%u peat:renames:", i);
		ck_assert_msg(recorded_run__count(text, part) == 1, "%s: %s", part, text);
	}
	free(text);
}
END_TEST

static int call_getpgid(void *unused)
{
	(void)unused;
	for (int i = 0; i < 10; i++)
		syscall(SYS_getpgid, 0);
	return 0;
}

/*
 * One field of every kind; kinds that a tracepoint format does not have are recorded as another
 * kind.
 */
START_TEST(test_every_kind_of_field)
{
	char pid[32], number[32], *text;
	struct command peat;

	need_perf();
	recorded_run__put(&stranger_object);
	snprintf(pid, sizeof(pid), "only_pid=%d", (int)getpid());
	snprintf(number, sizeof(number), "getpgid_number=%d", (int)SYS_getpgid);
	recorded_run__start(&peat,
			    RECORD("stranger.bpf.o", "--set", pid, "--set", number, "-o", "file"));
	call_getpgid(NULL);
	recorded_run__stop(&peat, 0);
	command__free(&peat);
	ck_assert_uint_eq(compare("file"), 10);
	text = script("file");
	recorded_run__check_has(text, "color=BLUE");
	recorded_run__check_has(text, "443");
	recorded_run__check_has(text, "-9223372036854775808");
	recorded_run__check_has(text, "8000");
	free(text);
}
END_TEST

/* ---- names ----------------------------------------------------------------------------------- */

static void call(void)
{
	syscall(SYS_getpgid, 0);
}

static void *be_a_thread(void *name)
{
	call();
	prctl(PR_SET_NAME, name);
	call();
	prctl(PR_SET_NAME, "twice");
	call();
	return NULL;
}

/*
 * Calls from this task, from its threads, and from a child that inherits and then changes its name.
 */
static int act(void *unused)
{
	char names[4][16];
	pthread_t threads[4];

	(void)unused;
	call();
	for (size_t i = 0; i < 4; i++) {
		snprintf(names[i], sizeof(names[i]), "thread %zu", i);
		ck_assert_int_eq(pthread_create(&threads[i], NULL, be_a_thread, names[i]), 0);
	}
	for (size_t i = 0; i < 4; i++)
		pthread_join(threads[i], NULL);
	prctl(PR_SET_NAME, "a/new: name [1]");
	call();
	ck_assert_int_eq(process__wait(process__start(call_getpgid, NULL)), 0);
	return 0;
}

/* Has its name before the recording begins. */
static int act_later(void *arg)
{
	char byte;

	prctl(PR_SET_NAME, "was here before");
	if (read(*(int *)arg, &byte, 1) != 1)
		return 1;
	return act(NULL);
}

/* Each event has the name that the kernel had for its task. */
static unsigned check_names(const char *path)
{
	char *replayed = recorded_run__replay(path);
	struct json_lines events = json_lines__split(replayed);
	unsigned count = 0;

	for (size_t i = 0; i < events.count; i++) {
		const char *comm = json_lines__text(events.lines[i], "comm");

		if (!strcmp(json_lines__text(events.lines[i], "type"), "lost"))
			continue; /* of other tasks */
		ck_assert_msg(comm, "%s", events.lines[i]);
		ck_assert_msg(!strcmp(comm, json_lines__text(events.lines[i], "comm_")), "%s",
			      events.lines[i]);
		count++;
	}
	json_lines__free(&events);
	free(replayed);
	return count;
}

static void check_names_by_perf(const char *path)
{
	char *text = script(path), *save = NULL;

	for (char *line = strtok_r(text, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
		struct perf_script shown;
		char wanted[64];
		const char *at;

		if (strstr(line, "a/new: name [1]"))
			/* perf_script__parse() does not support the brackets in this name */
			continue;
		perf_script__parse(line, &shown);
		snprintf(wanted, sizeof(wanted), " comm_=%s", shown.comm);
		at = strstr(shown.fields, wanted);
		ck_assert_msg(at && strchr(" ", at[strlen(wanted)]), "no '%s' in '%s %s'", wanted,
			      shown.comm, shown.fields);
	}
	free(text);
}

START_TEST(test_names_at_event_time)
{
	char number[32];
	struct command peat;
	int ends[2];
	pid_t child;

	need_perf();
	recorded_run__put(&named_object);
	ck_assert_int_eq(pipe(ends), 0);
	child = process__start(act_later, &ends[0]);
	usleep(100000);
	snprintf(number, sizeof(number), "call_number=%d", (int)SYS_getpgid);
	recorded_run__start(&peat, RECORD("named.bpf.o", "--set", number, "--no-prog", "by_idle",
					  "--no-prog", "by_itself", "-o", "file"));
	ck_assert_int_eq(write(ends[1], "g", 1), 1);
	ck_assert_int_eq(process__wait(child), 0);
	process__do(act, NULL);
	recorded_run__stop(&peat, 0);
	command__free(&peat);
	ck_assert_uint_ge(check_names("file"), 2 * (2 + 4 * 3 + 10));
	check_names_by_perf("file");
}
END_TEST

/*
 * A file has the names of all tasks of its events, also of tasks that ended before the file began.
 */
START_TEST(test_names_in_every_file)
{
	char number[32], path[32];
	struct command peat;
	unsigned names = 0;

	need_perf();
	recorded_run__put(&named_object);
	snprintf(number, sizeof(number), "call_number=%d", (int)SYS_getpgid);
	recorded_run__start(&peat, RECORD("named.bpf.o", "--set", number, "--no-prog", "by_idle",
					  "--no-prog", "by_itself", "--switch-output", "100ms",
					  "-o", "file"));
	for (int i = 0; i < 100; i++) {
		process__do(act, NULL);
		usleep(5000);
	}
	recorded_run__stop(&peat, 0);
	command__free(&peat);
	for (unsigned i = 1;; i++) {
		snprintf(path, sizeof(path), "file.%u", i);
		if (access(path, F_OK))
			break;
		names += check_names(path);
		check_names_by_perf(path);
	}
	ck_assert_uint_ge(names, 100 * (2 + 4 * 3 + 10));
}
END_TEST

static Suite *record_events_suite(void)
{
	TCase *tests;
	Suite *suite = harness__suite("record_events", 120, &tests);

	tcase_add_checked_fixture(tests, recorded_run__setup, stock_perf__teardown);
	tcase_add_test(tests, test_same_events);
	tcase_add_test(tests, test_compressed_events_are_the_same);
	tcase_add_test(tests, test_commands_of_perf);
	tcase_add_test(tests, test_perf_converts_recording);
	tcase_add_test(tests, test_nothing_lost);
	tcase_add_test(tests, test_loss_is_recorded);
	tcase_add_test(tests, test_seen_while_it_runs);
	tcase_add_test(tests, test_command_prints);
	tcase_add_test(tests, test_slow_reader);
	tcase_add_test(tests, test_reader_goes_away);
	tcase_add_test(tests, test_bytes_of_foreign_events);
	tcase_add_loop_test(tests, test_names_without_records, 0, 2);
	tcase_add_test(tests, test_map_of_others);
	tcase_add_test(tests, test_every_kind_of_field);
	tcase_add_test(tests, test_names_at_event_time);
	tcase_add_test(tests, test_names_in_every_file);
	return suite;
}

int main(int argc, char **argv)
{
	static const suite_fn suites[] = { record_events_suite };

	return harness__main(argc, argv, suites, 1);
}
