// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * test_jetstream_once.c: agents with a spool that are killed while they send, and servers that are
 * away meanwhile: the stream has each batch once, in the order of its run.
 */
#include "live/agent/output_run.h"

#if defined(HAVE_NATS) && defined(HAVE_YAML)

#include <glob.h>
#include <sched.h>
#include <sys/stat.h>

#include <peat/schema.h>

#include "live/agent/nats_servers.h"
#include "support/machine/amount.h"
#include "support/machine/json_event.h"

__attribute__((noinline, noclone, used, visibility("default"))) long traced_number(long number)
{
	__asm__ volatile("" : "+r"(number));
	return number;
}

/* ---- agents ---------------------------------------------------------------------------------- */

/* Numbers from 1 on, all of one CPU. */
__attribute__((noreturn)) static int call_traced(void *arg)
{
	cpu_set_t cpus;

	(void)arg;
	CPU_ZERO(&cpus);
	CPU_SET(sched_getcpu(), &cpus);
	sched_setaffinity(0, sizeof(cpus), &cpus);
	for (long i = 1;; i++) {
		traced_number(i);
		if (i % 200 == 0)
			usleep(1000);
	}
}

/* Agents `a` and `b` have a spool each. */
static void write_config(const char *name)
{
	char file[32], text[1024], exe[256] = "";

	ck_assert_int_gt(readlink("/proc/self/exe", exe, sizeof(exe) - 1), 0);
	snprintf(text, sizeof(text),
		 "agent: {socket: %s/%s.sock, drain: 30s}\n"
		 "outputs:\n"
		 "  stream: {jetstream: '" NATS_FIRST "', spool: %s/%s.spool, timeout: 1s}\n"
		 "pipelines:\n"
		 "  calls: {source: 'uprobe:%s:traced_number', where: arg1 > 0, outputs: stream}\n"
		 "  ledger: {ledger: true, interval: 1s, outputs: stream}\n",
		 scratch__dir(), name, scratch__dir(), name, exe);
	snprintf(file, sizeof(file), "%s.yaml", name);
	close(scratch__file(file, text));
}

static void start_agent(struct command *agent, const char *name)
{
	char config[256], socket[256];

	snprintf(config, sizeof(config), "%s/%s.yaml", scratch__dir(), name);
	snprintf(socket, sizeof(socket), "%s/%s.sock", scratch__dir(), name);
	unlink(socket);
	command__start(agent, ALL_CAPS, ARGV(command__peat(), "agent", "-c", config));
	while (access(socket, F_OK)) {
		ck_assert_msg(command__is_running(agent), "the agent has ended");
		usleep(10000);
	}
}

static void check_has(const char *text, const char *wanted)
{
	ck_assert_msg(strstr(text, wanted), "no \"%s\" in \"%s\"", wanted, text);
}

/* Everything arrives that is in its spool. */
static void end_agent(struct command *agent)
{
	kill(agent->pid, SIGTERM);
	command__finish(agent);
	ck_assert_msg(!agent->status, "%s", agent->err_text);
	check_has(agent->err_text, "waiting 0 dropped 0 refused 0");
	command__free(agent);
}

/* ---- spools ---------------------------------------------------------------------------------- */

#define KILLS_MOST 32

/* The last batches that agents left in their spools. */
static struct {
	uint64_t run, number;
} left[KILLS_MOST];

static void note_left(const struct piece_info *info)
{
	unsigned i = 0;

	if (strcmp(info->source, "calls") != 0)
		return;
	while (left[i].run && left[i].run != info->run)
		i++;
	ck_assert_uint_lt(i, KILLS_MOST);
	left[i].run = info->run;
	left[i].number = info->number;
}

static void read_segment(const char *path)
{
	struct strbuf bytes = { 0 };
	struct piece_info info;
	FILE *file = fopen(path, "r");
	char buffer[65536];
	size_t at = 0, count;
	ssize_t piece;

	ck_assert_ptr_nonnull(file);
	while ((count = fread(buffer, 1, sizeof(buffer), file)))
		strbuf__bytes(&bytes, buffer, count);
	fclose(file);
	while (at < bytes.count &&
	       (piece = piece__measure(bytes.bytes + at, bytes.count - at, &info)) > 0) {
		note_left(&info);
		at += (size_t)piece;
	}
	strbuf__free(&bytes);
}

static void read_spool(void)
{
	glob_t files;

	if (!glob(scratch__path("a.spool/*.perf"), 0, NULL, &files))
		for (size_t i = 0; i < files.gl_pathc; i++)
			read_segment(files.gl_pathv[i]);
	globfree(&files);
}

static void kill_agent(struct command *agent)
{
	kill(agent->pid, SIGKILL);
	command__finish(agent);
	command__free(agent);
	read_spool();
}

/* ---- the stream ------------------------------------------------------------------------------ */

#define CALLS_MOST (64u << 20)

/* nats__read() checks the order of the pieces.  Within them, a CPU's buffers are each in order. */
static void check_calls(const struct peat_batch *batch, uint8_t *seen)
{
	struct peat_batch_cursor at = PEAT_BATCH_START;
	struct peat_event event;

	while (peat_batch__next(batch, &at, &event)) {
		const struct peat_field *field;
		uint64_t number;

		if (event.kind != PEAT_EVENT_DATA)
			continue;
		field = peat_schema__find(event.schema, "arg1", NULL);
		ck_assert_ptr_nonnull(field);
		ck_assert(peat_field__number(field, event.data, event.size, &number));
		ck_assert_uint_lt(number, CALLS_MOST);
		ck_assert_msg(!seen[number], "call %llu twice", (unsigned long long)number);
		seen[number] = 1;
	}
}

/* No call twice, in one run or, with 0, in all. */
static void check_once(uint64_t run)
{
	FILE *file = fopen(scratch__path("stored.perf"), "r");
	struct piece_info info;
	struct stat stat;
	uint8_t *seen = calloc(1, CALLS_MOST);
	char *bytes;

	ck_assert_ptr_nonnull(file);
	ck_assert_ptr_nonnull(seen);
	ck_assert_int_eq(fstat(fileno(file), &stat), 0);
	bytes = malloc((size_t)stat.st_size);
	ck_assert_uint_eq(fread(bytes, 1, (size_t)stat.st_size, file), stat.st_size);
	fclose(file);
	for (ssize_t at = 0, piece; at < stat.st_size; at += piece) {
		struct peat_batch *batch;

		piece = piece__measure(bytes + at, (size_t)(stat.st_size - at), &info);
		ck_assert_int_gt(piece, 0);
		if (strcmp(info.source, "calls") != 0 || (run && info.run != run))
			continue;
		batch = piece__decode(bytes + at, (size_t)piece, PIECE_DECODED_MOST, NULL);
		ck_assert_ptr_nonnull(batch);
		check_calls(batch, seen);
		peat_batch__unref(batch);
	}
	free(bytes);
	free(seen);
}

/* The receiver's sums: nothing arrived twice, nothing is missing. */
static void check_audit(void)
{
	struct command receiver;
	char program[4096];
	const char *peat = command__peat(), *slash = strrchr(peat, '/');
	char *lines, *line;
	unsigned rows = 0;

	snprintf(program, sizeof(program), "%.*speat-recv", slash ? (int)(slash + 1 - peat) : 0,
		 peat);
	command__run(&receiver, ALL_CAPS, ARGV(program, "--audit", "-j", NATS_FIRST));
	for (lines = receiver.out_text; (line = strsep(&lines, "\n")) && *line; rows++) {
		json_event__check(line, "repeated", 0);
		json_event__check(line, "missing", 0);
		if (json_event__is_true(line, "ledger"))
			json_event__check(line, "lost_in_stream", 0);
	}
	ck_assert_msg(rows, "%s", receiver.err_text);
	command__free(&receiver);
}

/* Reads the stream by the client of npm. */
static void check_stream(void)
{
	nats__read(NATS_FIRST, false);
	check_once(0);
	for (unsigned i = 0; i < KILLS_MOST && left[i].run; i++)
		ck_assert_uint_ge(nats__run("calls", left[i].run)->pieces, left[i].number);
	ck_assert_uint_gt(nats__stored_events("calls"), 0);
	check_audit();
}

/* ---- tests ----------------------------------------------------------------------------------- */

static pid_t caller;

static void begin(const char *duplicate_window)
{
	setenv("LSAN_OPTIONS", "detect_leaks=0", 1); /* it cannot search in a confined process */
	memset(left, 0, sizeof(left));
	nats__start(0, false, "");
	ck_assert_int_eq(nats__set_up(NATS_FIRST, "duplicate-window", duplicate_window, NULL), 0);
	caller = process__start(call_traced, NULL);
}

static void end(void)
{
	nats__stop(0);
}

static void end_caller(void)
{
	kill(caller, SIGKILL);
	process__wait(caller);
}

static void wait_ms(unsigned least, unsigned most)
{
	usleep(1000 * (least + (unsigned)random() % (most - least)));
}

/* Every second agent has a message under way, which the server reads after its end. */
START_TEST(test_agents_are_killed_while_they_send)
{
	const unsigned kills = (unsigned)amount__step(20, 5);
	struct command agent;

	need_nats();
	srandom((unsigned)getpid());
	write_config("a");
	begin("2m");
	for (unsigned i = 0; i < kills; i++) {
		start_agent(&agent, "a");
		wait_ms(100, 900);
		if (i % 2)
			nats__pause(0);
		wait_ms(5, 100);
		kill_agent(&agent);
		if (i % 2)
			nats__continue(0);
	}
	start_agent(&agent, "a");
	end_caller();
	end_agent(&agent);
	check_stream();
	end();
}
END_TEST

/*
 * The server reads the messages of a dead agent once the stream has forgotten the ids of the
 * messages before them, and while the next agent begins.
 */
START_TEST(test_outage_longer_than_duplicate_window)
{
	const unsigned outages = (unsigned)amount__step(6, 2);
	struct command agent;

	need_nats();
	srandom((unsigned)getpid());
	write_config("a");
	begin("1s");
	start_agent(&agent, "a");
	for (unsigned i = 0; i < outages; i++) {
		wait_ms(300, 900);
		nats__pause(0);
		wait_ms(50, 300);
		kill_agent(&agent);
		start_agent(&agent, "a");
		wait_ms(1100, 1600);
		nats__continue(0);
	}
	wait_ms(1000, 1500);
	end_caller();
	end_agent(&agent);
	check_stream();
	end();
}
END_TEST

/* Both see the same calls. */
START_TEST(test_two_agents_with_one_subject)
{
	struct command one, other;

	need_nats();
	write_config("a");
	write_config("b");
	begin("2m");
	start_agent(&one, "a");
	start_agent(&other, "b");
	usleep(3000000);
	end_caller();
	end_agent(&one);
	end_agent(&other);
	nats__read(NATS_FIRST, false);
	for (const struct nats_run *run = nats_stored.runs; *run->source; run++) {
		if (strcmp(run->source, "calls") != 0)
			continue;
		ck_assert_uint_gt(run->events, 0);
		check_once(run->run);
	}
	end();
}
END_TEST

static Suite *once_suite(void)
{
	TCase *tests;
	Suite *suite = harness__suite("jetstream_once", 180, &tests);

	signal(SIGPIPE, SIG_IGN);
	tcase_add_checked_fixture(tests, scratch__make, scratch__remove);
	tcase_add_test(tests, test_agents_are_killed_while_they_send);
	tcase_add_test(tests, test_outage_longer_than_duplicate_window);
	tcase_add_test(tests, test_two_agents_with_one_subject);
	return suite;
}

#else

START_TEST(test_agents_are_killed_while_they_send)
{
	need_output("jetstream");
	skip("peat was built without libyaml");
}
END_TEST

static Suite *once_suite(void)
{
	TCase *tests;
	Suite *suite = harness__suite("jetstream_once", 60, &tests);

	tcase_add_loop_test(tests, test_agents_are_killed_while_they_send, 0, 1);
	return suite;
}

#endif /* HAVE_NATS */

int main(int argc, char **argv)
{
	static const suite_fn suites[] = { once_suite };

	return harness__main(argc, argv, suites, 1);
}
