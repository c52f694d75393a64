// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_given_types.c: --as gives a type to plain bytes of a recording, and all tools use it. */
#include <dirent.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <bpf/bpf.h>

#include "support/machine/harness.h"
#include "support/recording/json_lines.h"
#include "support/recording/recorded_run.h"
#include "support/perf/stock_perf.h"
#include "support/machine/tracing.h"

EMBED_OBJECT(many)
EMBED_OBJECT(untold)

#define CALLS 20

#define do_shell(...) free(stock_perf__shellf(__VA_ARGS__))

static void call(void)
{
	for (int i = 0; i < CALLS; i++)
		syscall(SYS_getpgid, 0);
}

/* ---- recordings ------------------------------------------------------------------------------ */

static char pid_is[32], number_is[32];

static void prepare(const struct object_file *object)
{
	recorded_run__put(object);
	snprintf(pid_is, sizeof(pid_is), "only_pid=%d", (int)getpid());
	snprintf(number_is, sizeof(number_is), "getpgid_number=%d", (int)SYS_getpgid);
}

#define OBJECT(name) name ".bpf.o", "--set", pid_is, "--set", number_is

/* peat records peat:written into `recording`, without knowing its type. */
static void record(void)
{
	struct command peat;

	prepare(&untold_object);
	recorded_run__start(&peat, RECORD(OBJECT("untold"), "-o", "recording"));
	call();
	recorded_run__stop(&peat, 0);
	ck_assert_msg(strstr(peat.err_text, "written: events are bytes"), "%s", peat.err_text);
	command__free(&peat);
}

/* ---- recordings of stock perf ---------------------------------------------------------------- */

#ifndef SYS_pidfd_getfd
#define SYS_pidfd_getfd 438
#endif

struct writer {
	struct bpf_object *object;
	struct bpf_link *link;
	uint32_t cpu;
	volatile uint32_t *outputs;
};

static void start_writer(struct writer *writer)
{
	process__pin();
	writer->cpu = (uint32_t)sched_getcpu();
	writer->object = object__open(&untold_object);
	*(uint32_t *)object__variable(writer->object, "only_pid", 4) = (uint32_t)getpid();
	*(uint32_t *)object__variable(writer->object, "getpgid_number", 4) = SYS_getpgid;
	object__load(writer->object);
	writer->outputs = object__variable(writer->object, "outputs", 4);
	writer->link = object__attach(writer->object, "untold");
}

static void end_writer(struct writer *writer)
{
	bpf_link__destroy(writer->link);
	bpf_object__close(writer->object);
}

/* Whether a BPF program can write to this fd of another process, a perf event. */
static bool works(const struct writer *writer, int pidfd, int their_fd)
{
	int fd = (int)syscall(SYS_pidfd_getfd, pidfd, their_fd, 0);
	uint32_t before = *writer->outputs;

	if (fd < 0)
		return false;
	if (!bpf_map_update_elem(object__map_fd(writer->object, "written"), &writer->cpu, &fd, 0))
		syscall(SYS_getpgid, 0);
	if (*writer->outputs != before)
		return true; /* leaves the fd open, which keeps the slot of the map filled */
	close(fd);
	return false;
}

/*
 * Stores perf's bpf-output event in the map, once it is enabled: finds it by writing to all of
 * perf's fds.
 */
static bool take_event(const struct writer *writer, pid_t perf)
{
	int pidfd = (int)syscall(SYS_pidfd_open, perf, 0);
	struct dirent *entry;
	char path[64];
	bool found = false;
	DIR *fds;

	ck_assert_int_ge(pidfd, 0);
	snprintf(path, sizeof(path), "/proc/%d/fd", (int)perf);
	fds = opendir(path);
	ck_assert_ptr_nonnull(fds);
	while (!found && (entry = readdir(fds)))
		found = *entry->d_name != '.' && works(writer, pidfd, atoi(entry->d_name));
	closedir(fds);
	close(pidfd);
	return found;
}

/* perf records evt into `recording`: the first call that reached perf's event, and CALLS more. */
static void record_by_perf(const char *options)
{
	struct command perf;
	struct writer writer;
	char line[256];

	start_writer(&writer);
	snprintf(line, sizeof(line),
		 "exec perf record -q -C %u %s "
		 "-e bpf-output/no-inherit=1,name=evt/ -o recording",
		 writer.cpu, options);
	command__start(&perf, ALL_CAPS, ARGV("sh", "-c", line));
	while (!take_event(&writer, perf.pid)) {
		ck_assert(command__is_running(&perf));
		usleep(10000);
	}
	call();
	kill(perf.pid, SIGINT);
	command__finish(&perf);
	end_writer(&writer);
	command__free(&perf);
	recorded_run__put(&untold_object);
}

/* ---- contents -------------------------------------------------------------------------------- */

static char *replay(const char *path, const char *const *argv)
{
	struct command peat;
	char *text;

	command__run(&peat, 0, argv);
	ck_assert_msg(peat.status == 0 && !*peat.err_text, "%s: status %d: %s", path, peat.status,
		      peat.err_text);
	text = strdup(peat.out_text);
	command__free(&peat);
	return text;
}

/* Checks that all samples are of consecutive calls.  Returns their number. */
static unsigned check_values(char *text, const char *type)
{
	struct json_lines events = json_lines__split(text);
	unsigned count = 0, first;

	ck_assert_uint_gt(events.count, 0);
	first = (unsigned)json_lines__number(events.lines[0], "number");

	for (size_t i = 0; i < events.count; i++, count++) {
		const char *event = events.lines[i];
		unsigned number = (unsigned)json_lines__number(event, "number");
		char counts[64];

		snprintf(counts, sizeof(counts), "[0,%u,0]", number + 1);
		expect_text(event, "type", type);
		expect_number(event, "number", first + (unsigned)i);
		expect_text(event, "color", "BLUE");
		expect_number(event, "balance", -5000000000LL);
		expect_number(event, "small", number % 8);
		expect_number(event, "large", 8000 - number);
		expect_member(event, "odd", number & 1 ? "true" : "false");
		expect_member(event, "counts", counts);
		ck_assert_str_eq(json_lines__text(event, "comm"), json_lines__text(event, "comm_"));
	}
	json_lines__free(&events);
	return count;
}

/* Each sample of the converted recording is equal to that of the original read with --as. */
static void check_same(const char *as, const char *made)
{
	do_shell("$PEAT replay -j -q recording --as %s --btf untold.bpf.o @sample > theirs; "
		 "$PEAT replay -j -q %s @sample > ours; test -s ours; "
		 "diff theirs ours | head -c 1000 >&2; cmp theirs ours",
		 as, made);
}

/* perf and peat print the same fields. */
static void check_script(const char *made)
{
	char *replayed = stock_perf__shellf("$PEAT replay -j -q %s", made), *script, *at;
	struct json_lines events = json_lines__split(replayed);

	script = stock_perf__shellf(
		"perf script -F comm,tid,time,event,trace --ns -i %s | grep balance", made);
	at = script;
	for (size_t i = 0; i < events.count; i++) {
		const char *event = events.lines[i];
		char wanted[200], *end = strchr(at, '\n');
		unsigned number = (unsigned)json_lines__number(event, "number");

		ck_assert_ptr_nonnull(end);
		*end = '\0';
		snprintf(wanted, sizeof(wanted), "number=%u ", number);
		ck_assert_msg(strstr(at, wanted), "no '%s' in '%s'", wanted, at);
		snprintf(wanted, sizeof(wanted), "large=%u ", 8000 - number);
		ck_assert_msg(strstr(at, wanted), "no '%s' in '%s'", wanted, at);
		snprintf(wanted, sizeof(wanted), "comm_=%s", json_lines__text(event, "comm"));
		ck_assert_msg(strstr(at, wanted), "no '%s' in '%s'", wanted, at);
		ck_assert_msg(strstr(at, "color=BLUE") && strstr(at, "balance=-5000000000 "), "%s",
			      at);
		at = end + 1;
	}
	ck_assert_str_eq(at, "");
	json_lines__free(&events);
	free(replayed);
	free(script);
}

/* ---- tests ----------------------------------------------------------------------------------- */

#define AS "--as", "written=untold", "--btf", "untold.bpf.o"

START_TEST(test_recorded_by_peat)
{
	char *text;

	record();
	text = replay("recording", REPLAY("-j", "-q", "recording", AS));
	ck_assert_uint_eq(check_values(text, "written"), CALLS);
	free(text);
	do_shell("$PEAT convert recording --as untold --btf untold.bpf.o -o made");
	check_same("written=untold", "made");
	do_shell("$PEAT convert recording --as peat:written='struct untold' --btf untold.bpf.o "
		 "-o again; cmp made again");
	do_shell("$PEAT convert made -o again; cmp made again");
	need_perf();
	check_script("made");
	text = stock_perf__shellf("perf evlist -v --trace-fields -i made");
	stock_perf__check_has(text, "peat:written: type: 2");
	recorded_run__check_has(text, ",balance,");
	free(text);
	text = stock_perf__shellf(
		"perf report -s large -i made --stdio 2>/dev/null | grep -c '%%  *[0-9]'");
	ck_assert_int_eq(atoi(text), CALLS);
	free(text);
}
END_TEST

/* The same calls, traced live with --as and recorded without. */
START_TEST(test_as_when_traced)
{
	struct tracing tracing = { 0 };
	struct command peat;
	char *text;

	prepare(&untold_object);
	recorded_run__start(&peat, RECORD(OBJECT("untold"), "-o", "recording"));
	tracing__start(&tracing, ARGV(recorded_run__peat(), "trace", "-v", "-j", OBJECT("untold"),
				      "--as", "written=untold"));
	call();
	tracing__stop(&tracing);
	recorded_run__stop(&peat, 0);
	do_shell("$PEAT convert recording --as untold --btf untold.bpf.o -o made");
	text = replay("made", REPLAY("-j", "-q", "made"));
	ck_assert_uint_eq(tracing.events.count, CALLS);
	for (size_t i = 0; i < CALLS; i++) {
		const char *fields = strstr(tracing.events.lines[i], "\"number\""), *end;
		char wanted[400];

		ck_assert_ptr_nonnull(fields);
		end = strstr(fields, ",\"comm_\"");
		ck_assert_ptr_nonnull(end);
		snprintf(wanted, sizeof(wanted), "%.*s", (int)(end - fields), fields);
		recorded_run__check_has(text, wanted);
	}
	free(text);
	tracing__free(&tracing);
	command__free(&peat);
}
END_TEST

#define QUICK "--no-bpf-event "

static const char *const options[] = { QUICK, QUICK "-g", QUICK "--call-graph dwarf,512",
				       QUICK "-z", QUICK "--threads" };

START_TEST(test_recorded_by_perf)
{
	char *text;

	need_perf();
	record_by_perf(options[_i]);
	text = replay("recording", REPLAY("-j", "-q", "recording", "evt", "--as", "evt=untold",
					  "--btf", "untold.bpf.o"));
	ck_assert_uint_eq(check_values(text, "evt"), 1 + CALLS);
	free(text);
	do_shell("$PEAT convert recording --as evt=untold --btf untold.bpf.o -o made");
	check_same("evt=untold", "made");
	check_script("made");
	do_shell("perf report --stdio -s number -i made >/dev/null 2>&1");
	do_shell("$PEAT convert recording -z --as untold --btf untold.bpf.o -o packed");
	check_same("evt=untold", "packed");
	check_script("packed");
	do_shell("$PEAT convert packed -o again; cmp made again");
}
END_TEST

/* The BTF of programs that ran during the recording, which perf saves itself. */
START_TEST(test_types_in_the_recording)
{
	char *text;

	need_perf();
	record_by_perf("");
	text = stock_perf__shellf(
		"perf report --header-only -I -i recording | grep -c 'btf info' || true");
	if (!atoi(text))
		skip("this perf keeps no types of programs");
	free(text);
	text = replay("recording", REPLAY("-j", "-q", "recording", "--as", "evt=untold"));
	ck_assert_uint_eq(check_values(text, "evt"), 1 + CALLS);
	free(text);
	do_shell("$PEAT convert recording --as evt=untold -o made");
	do_shell("$PEAT convert recording --as evt=untold --btf untold.bpf.o -o again; "
		 "cmp made again");
	check_script("made");
}
END_TEST

/* Callchains, registers and stacks stay as they were. */
START_TEST(test_sampled_fields_are_kept)
{
	need_perf();
	record_by_perf("--no-bpf-event --call-graph dwarf,512 -d --all-cgroups");
	do_shell("$PEAT convert recording --as evt=untold --btf untold.bpf.o -o made");
	do_shell("perf script -F comm,tid,cpu,time,ip,uregs,period -i recording > theirs; "
		 "perf script -F comm,tid,cpu,time,ip,uregs,period -i made > ours; "
		 "test -s ours; cmp theirs ours");
	check_same("evt=untold", "made");
}
END_TEST

/*
 * In the format of a pipe: from a file, which is read twice, and from a real pipe, in which events
 * are described early enough.
 */
START_TEST(test_types_given_to_pipes)
{
	record();
	do_shell("$PEAT convert recording --as written=untold --btf untold.bpf.o -o made");
	do_shell("$PEAT convert recording -o - | cat > piped");
	do_shell("$PEAT convert piped --as written=untold --btf untold.bpf.o -o again");
	check_same("written=untold", "again");
	do_shell("cat piped | $PEAT convert - --as written=untold --btf untold.bpf.o -o once; "
		 "cmp again once");
	do_shell(
		"cat piped | $PEAT replay -q -j - --as written=untold --btf untold.bpf.o > theirs; "
		"$PEAT replay -q -j piped --as written=untold --btf untold.bpf.o > ours; "
		"test -s ours; cmp ours theirs");
	do_shell("cat piped | $PEAT convert - --as untold --btf untold.bpf.o -o - | cat > through");
	check_same("written=untold", "through");
	need_perf();
	do_shell("perf script -i made > theirs; perf script -i - < through > ours; "
		 "test $(grep -c balance theirs) -eq $(grep -c balance ours)");
}
END_TEST

/* Together with events of the same system that have a format. */
START_TEST(test_with_other_events)
{
	char *theirs, *ours;
	struct command peat;

#ifndef HAVE_LIBDW
	skip("built without libdw, which reads DWARF");
#endif
	prepare(&many_object);
	recorded_run__start(&peat, RECORD(OBJECT("many"), "--as", "first=of_first", "--as",
					  "second=of_second", "-o", "recording"));
	call();
	recorded_run__stop(&peat, 0);
	command__free(&peat);
	do_shell("$PEAT convert recording --as of_fourth --btf many.bpf.o -o made");
	theirs = stock_perf__shellf("$PEAT replay -j -q recording 'peat:of_*'");
	ours = stock_perf__shellf("$PEAT replay -j -q made 'peat:of_*'");
	ck_assert_uint_eq(recorded_run__count(ours, "\"type\":\"of_second\""), CALLS);
	ck_assert_str_eq(ours, theirs);
	free(theirs);
	free(ours);
	need_perf();
	ours = stock_perf__shellf("perf script -F event,trace -i made");
	for (unsigned i = 0; i < CALLS; i++) {
		char wanted[80];

		snprintf(wanted, sizeof(wanted), "peat:fourth: head_map=3 head_number=%u", i);
		recorded_run__check_has(ours, wanted);
	}
	ck_assert_uint_eq(recorded_run__count(ours, "peat:of_third: "), CALLS);
	ck_assert_uint_eq(recorded_run__count(ours, "balance=-5"), CALLS);
	free(ours);
}
END_TEST

START_TEST(test_types_in_json)
{
	record();
	do_shell("$PEAT convert recording --to json --as untold --btf untold.bpf.o -o made "
		 "2>/dev/null; $PEAT replay -q -j recording @all --as untold --btf untold.bpf.o > "
		 "theirs; cmp theirs made; grep -q '\"color\":\"BLUE\"' made");
}
END_TEST

/* Members beyond the end of a sample are 0, with a warning. */
START_TEST(test_type_longer_than_samples)
{
	struct command peat;

	record();
	command__run(&peat, 0,
		     ARGV(recorded_run__peat(), "convert", "recording", "--as", "written=longer",
			  "--btf", "untold.bpf.o", "-o", "made"));
	ck_assert_int_eq(peat.status, 0);
	ck_assert_msg(strstr(peat.err_text, "10 samples are shorter than their type"), "%s",
		      peat.err_text);
	command__free(&peat);
	do_shell("test $($PEAT replay -q -j made | grep -c '\"more\":\\[0,0\\]') -eq %d", CALLS);
}
END_TEST

/* ---- bad arguments --------------------------------------------------------------------------- */

#define WITH(...)                                                                                  \
	{                                                                                          \
		__VA_ARGS__, NULL                                                                  \
	}

static const struct {
	const char *options[8];
	int status;
	const char *why;
} wrong[] = {
	{ WITH("--as", "evt=untold", "--btf", "untold.bpf.o"), 1,
	  "no event 'evt': the recording has peat:written" },
	{ WITH("--as", "written=nothing", "--btf", "untold.bpf.o"), 1,
	  "no struct 'nothing' in untold.bpf.o or in the recording: the programs have " },
	{ WITH("--as", "written=nothing"), 1, "no struct 'nothing' in the recording" },
	{ WITH("--as", "=untold"), 1, "it must be [EVENT=]TYPE" },
	{ WITH("--as", ""), 1, "it must be [EVENT=]TYPE" },
	{ WITH("--as", "written="), 1, "it must be [EVENT=]TYPE" },
	{ WITH("--as", "untold", "--as", "peat:written=longer", "--btf", "untold.bpf.o"), 1,
	  "already has the type of untold" },
	{ WITH("--as", "untold", "--btf", "nowhere"), 1,
	  "cannot read types from nowhere: No such file" },
	{ WITH("--as", "untold", "--btf", "recording"), 1, "recording has no types" },
	{ WITH("--as", "untold", "--btf", "/dev/null"), 1, "/dev/null has no types" },
	{ WITH("--as", "untold", "--btf", "."), 1, "cannot read types from ." },
	{ WITH("--btf", "untold.bpf.o"), 64, "--btf needs --as TYPE" },
};

static void check_wrong(const char *verb, size_t i)
{
	const char *argv[16] = { recorded_run__peat(), verb, "recording", "-o", "out" };
	struct command peat;

	for (size_t n = 0; wrong[i].options[n]; n++)
		argv[5 + n] = wrong[i].options[n];
	command__run(&peat, 0, argv);
	ck_assert_msg(peat.status == wrong[i].status, "%s, %zu: status %d: %s", verb, i,
		      peat.status, peat.err_text);
	ck_assert_msg(strstr(peat.err_text, wrong[i].why), "%s, %zu: no '%s' in: %s", verb, i,
		      wrong[i].why, peat.err_text);
	command__free(&peat);
	ck_assert_msg(access("out", F_OK), "%s, %zu: something was written", verb, i);
}

START_TEST(test_bad_arguments)
{
	record();
	for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++) {
		check_wrong("convert", i);
		check_wrong("replay", i);
	}
}
END_TEST

static void refused(int status, const char *why, const char *const *argv)
{
	struct command peat;

	command__run(&peat, 0, argv);
	ck_assert_msg(peat.status == status, "status %d, not %d: %s", peat.status, status,
		      peat.err_text);
	ck_assert_msg(strstr(peat.err_text, why), "no '%s' in: %s", why, peat.err_text);
	command__free(&peat);
}

/* Names of events that cannot be given a type, and names of several events. */
START_TEST(test_wrong_events)
{
	need_perf();
	recorded_run__put(&untold_object);
	do_shell("perf record -q --no-bpf-event -e page-faults,bpf-output/no-inherit=1,name=one/,"
		 "bpf-output/no-inherit=1,name=two/ -o recording -- true");
	refused(1, "several events have plain bytes: choose one, EVENT=untold: one, two",
		ARGV(recorded_run__peat(), "convert", "recording", "--as", "untold", "--btf",
		     "untold.bpf.o", "-o", "out"));
	refused(1, "samples of this event have no raw bytes",
		ARGV(recorded_run__peat(), "replay", "recording", "--as", "page-faults=untold"));
	do_shell("$PEAT convert recording --as one=untold --as two=longer --btf untold.bpf.o -o "
		 "made");
	refused(1, "already has the format",
		ARGV(recorded_run__peat(), "replay", "made", "--as", "peat:one=untold"));
	refused(1, "no event with samples of plain bytes: the recording has page-faults, peat:one",
		ARGV(recorded_run__peat(), "replay", "made", "--as", "untold"));
	refused(64, "--as needs --to perf, json, pcapng, html or perfetto",
		ARGV(recorded_run__peat(), "convert", "made", "--to", "folded", "--as", "untold",
		     "-o", "out"));
	refused(64, "--as cannot be used with --stats or --header",
		ARGV(recorded_run__peat(), "replay", "--stats", "made", "--as", "untold"));
	refused(64, "--as cannot be used with --stats or --header",
		ARGV(recorded_run__peat(), "replay", "--header", "made", "--as", "untold"));
}
END_TEST

/* In a pipe, errors are reported as early as possible. */
START_TEST(test_bad_arguments_for_a_pipe)
{
	record();
	do_shell("$PEAT convert recording -o - | cat > piped; rm recording");
	do_shell("! cat piped | $PEAT replay - --as x=untold --btf untold.bpf.o 2> why; "
		 "grep -q \"no event 'x'\" why");
	do_shell("! cat piped | $PEAT convert - --as x=untold --btf untold.bpf.o -o out 2> why; "
		 "grep -q \"no event 'x'\" why; test $(wc -l < why) -eq 1");
	do_shell("! $PEAT convert piped --as x=untold --btf untold.bpf.o -o out 2> why; "
		 "grep -q \"no event 'x'\" why; test $(wc -l < why) -eq 1");
	do_shell("head -c 16 piped > head; ! $PEAT replay - --as untold --btf untold.bpf.o < head "
		 "2> why; grep -q 'no event with samples of plain bytes: the recording has none' "
		 "why");
}
END_TEST

static Suite *given_types_suite(void)
{
	TCase *tests;
	Suite *suite = harness__suite("given_types", 120, &tests);

	tcase_add_checked_fixture(tests, recorded_run__setup, stock_perf__teardown);
	tcase_add_test(tests, test_recorded_by_peat);
	tcase_add_test(tests, test_as_when_traced);
	tcase_add_loop_test(tests, test_recorded_by_perf, 0,
			    (int)(sizeof(options) / sizeof(*options)));
	tcase_add_test(tests, test_types_in_the_recording);
	tcase_add_test(tests, test_sampled_fields_are_kept);
	tcase_add_test(tests, test_types_given_to_pipes);
	tcase_add_test(tests, test_with_other_events);
	tcase_add_test(tests, test_types_in_json);
	tcase_add_test(tests, test_type_longer_than_samples);
	tcase_add_test(tests, test_bad_arguments);
	tcase_add_test(tests, test_wrong_events);
	tcase_add_test(tests, test_bad_arguments_for_a_pipe);
	return suite;
}

int main(int argc, char **argv)
{
	static const suite_fn suites[] = { given_types_suite };

	return harness__main(argc, argv, suites, 1);
}
