// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * test_record_ends.c: how recordings of peat record begin and end: killed, on a full disk, in
 * several files; and refused options.
 */
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <time.h>
#include <unistd.h>

#include "support/machine/amount.h"
#include "flood.h"
#include "support/load/flood_run.h"
#include "support/machine/harness.h"
#include "support/recording/json_lines.h"
#include "support/recording/recorded_run.h"
#include "support/perf/stock_perf.h"
#include "support/machine/tracing.h"

EMBED_TWINS(flood)

static uint64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

/* The number of samples that perf shows.  perf must not complain about the file. */
static uint64_t count_shown(const char *path)
{
	struct command perf;
	uint64_t count;

	command__run(&perf, ALL_CAPS, ARGV("perf", "script", "-F", "event", "-i", path));
	ck_assert_msg(perf.status == 0, "%s: %s", path, perf.err_text);
	ck_assert_msg(!*perf.err_text, "%s: %s", path, perf.err_text);
	count = recorded_run__count(perf.out_text, "peat:");
	command__free(&perf);
	return count;
}

/* Reads a file with peat, and with stock perf if installed; it has to be whole. */
static void read_whole(const char *path, struct recorded_run *run)
{
	recorded_run__read(path, run);
	ck_assert_msg(run->is_whole, "%s is cut", path);
	if (stock_perf__is_there())
		ck_assert_uint_eq(count_shown(path), run->samples);
	free(recorded_run__replay(path));
}

/* ---- killed ---------------------------------------------------------------------------------- */

#define AT_ONCE	      5
#define ROUNDS	      10
#define LONGEST_MS    1000
#define LARGEST_BYTES 60000

static uint32_t random_below(uint32_t limit)
{
	static uint64_t state;

	if (!state) {
		state = amount__of("PEAT_TEST_SEED", now_ns() >> 10) | 1;
		printf("# PEAT_TEST_SEED=%llu\n", (unsigned long long)state);
	}
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return (uint32_t)(state >> 16) % limit;
}

/*
 * A recorder that is killed after a time, at which it may not have a file yet, or when its file has
 * reached a size: that also happens on slow machines.
 */
struct victim {
	struct command peat;
	uint64_t end_ns;
	int64_t end_bytes;
	char path[16];
	bool is_dead;
};

static void start_victim(struct victim *victim, const struct flood_run *flood, unsigned i)
{
	*victim = (struct victim){ 0 };
	snprintf(victim->path, sizeof(victim->path), "killed.%u", i);
	if (i % 3)
		victim->end_ns = now_ns() + 1000000ULL * random_below(LONGEST_MS);
	else
		victim->end_bytes = 1 + random_below(i & 1 ? LARGEST_BYTES / 2 : LARGEST_BYTES);
	command__start(&victim->peat, ALL_CAPS,
		       RECORD(FLOOD(flood), i & 1 ? "-z" : "-v", "-o", victim->path));
}

/* A recorder that fails ends by itself, and reports why. */
static bool is_due(const struct victim *victim)
{
	struct stat status;

	if (victim->end_ns)
		return now_ns() >= victim->end_ns;
	return !command__is_running(&victim->peat) ||
	       (!stat(victim->path, &status) && status.st_size >= victim->end_bytes);
}

static void kill_victims(struct victim *victims)
{
	for (unsigned left = AT_ONCE; left; usleep(1000)) {
		for (unsigned i = 0; i < AT_ONCE; i++) {
			if (victims[i].is_dead || !is_due(&victims[i]))
				continue;
			victims[i].is_dead = true;
			kill(victims[i].peat.pid, SIGKILL);
			left--;
		}
	}
}

/*
 * A killed write ends at a page boundary, which is inside a record; all records before it are read.
 */
static char *replay_killed(const char *path, bool is_whole)
{
	struct command peat;
	char *text;

	command__run(&peat, 0, REPLAY("-j", "-q", path));
	ck_assert_msg(peat.status == !is_whole, "%s: %s", path, peat.err_text);
	if (!is_whole)
		recorded_run__check_has(peat.err_text, " is cut at byte ");
	text = strdup(peat.out_text);
	command__free(&peat);
	return text;
}

static uint64_t count_by_perf(const char *path, const char *command, const char *part,
			      bool is_whole)
{
	struct command perf;
	uint64_t count;
	char line[100];

	snprintf(line, sizeof(line), "perf %s %s", command, path);
	command__run(&perf, ALL_CAPS, ARGV("sh", "-c", line));
	ck_assert_msg(perf.status == 0, "%s: %s", line, perf.err_text);
	ck_assert_msg(!*perf.err_text ||
			      (!is_whole && strstr(perf.err_text, "unexpected end of event")),
		      "%s: %s", line, perf.err_text);
	count = recorded_run__count(perf.out_text, part);
	command__free(&perf);
	return count;
}

/* Events are numbered per CPU: all up to some moment are there, and no others. */
static void check_numbers(char *text, uint64_t wanted)
{
	struct json_lines events = json_lines__split(text);
	uint64_t counts[FLOOD_CPUS] = { 0 };

	for (size_t i = 0; i < events.count; i++) {
		long long cpu = json_lines__number(events.lines[i], "cpu");

		ck_assert(cpu >= 0 && cpu < FLOOD_CPUS);
		expect_number(events.lines[i], "number", (long long)counts[cpu]++);
	}
	ck_assert_uint_eq(events.count, wanted);
	json_lines__free(&events);
}

/* peat, and stock perf if installed, read the same samples. */
static void read_killed(const char *path, bool has_perf)
{
	struct recorded_run run;
	char *text;

	recorded_run__read(path, &run);
	/* stderr is dropped: report also complains about kernel symbols that it may not read */
	if (has_perf) {
		ck_assert_uint_eq(count_by_perf(path, "script -F event -i", "peat:", run.is_whole),
				  run.samples);
		ck_assert_uint_eq(count_by_perf(path, "report -D 2>/dev/null -i",
						"PERF_RECORD_SAMPLE(", run.is_whole),
				  run.samples);
	}
	text = replay_killed(path, run.is_whole);
	check_numbers(text, run.samples);
	free(text);
}

/* Whether the recorder had written anything. */
static bool check_victim(struct victim *victim, bool has_perf)
{
	struct stat status;

	recorded_run__finish(&victim->peat, 128 + SIGKILL);
	command__free(&victim->peat);
	if (stat(victim->path, &status) || !status.st_size) {
		ck_assert_int_eq(victim->end_bytes, 0);
		return false;
	}
	read_killed(victim->path, has_perf);
	return true;
}

/*
 * Several recorders are killed at the same time, only some of which have written; all record the
 * same events.
 */
START_TEST(test_killed_recorder_leaves_recording)
{
	uint64_t rounds = amount__of("PEAT_TEST_ROUNDS", ROUNDS), written = 0;
	bool has_perf = stock_perf__is_there();
	struct victim victims[AT_ONCE];
	struct flood_run flood;

	recorded_run__put(&flood_object);
	flood_run__make(&flood, 0, 5000, 10);
	flood_run__start(&flood);
	for (uint64_t round = 0; round < rounds; round++) {
		for (unsigned i = 0; i < AT_ONCE; i++)
			start_victim(&victims[i], &flood, i);
		kill_victims(victims);
		for (unsigned i = 0; i < AT_ONCE; i++)
			written += check_victim(&victims[i], has_perf);
		free(stock_perf__shell("rm -f killed.*"));
	}
	flood_run__kill(&flood);
	printf("# %llu of %llu had begun\n", (unsigned long long)written,
	       (unsigned long long)rounds * AT_ONCE);
}
END_TEST

/* Plain, and compressed. */
static const char *const layouts[] = { "-v", "-z" };

/* ---- a full disk ----------------------------------------------------------------------------- */

static void mount_disk(const char *options)
{
	static int alone;

	if (!alone++) {
		ck_assert_int_eq(unshare(CLONE_NEWNS), 0);
		ck_assert_int_eq(mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL), 0);
		ck_assert_int_eq(mkdir("disk", 0755), 0);
	}
	ck_assert_msg(!mount("none", "disk", "tmpfs", 0, options), "mounting tmpfs: %s",
		      strerror(errno));
}

/* The number before these words, or 0. */
static unsigned long long number_before(const char *text, const char *words)
{
	const char *at = strstr(text, words);

	while (at && at > text && at[-1] >= '0' && at[-1] <= '9')
		at--;
	return at ? strtoull(at, NULL, 10) : 0;
}

/* All events that were read are in the file, or lost. */
static void check_lost(const char *messages, uint64_t samples)
{
	const char *delivered = strstr(messages, "= delivered ");

	ck_assert_ptr_nonnull(delivered);
	ck_assert_msg(samples + number_before(messages, " more lost: writing") +
				      number_before(messages, " more lost: they arrived") ==
			      strtoull(delivered + strlen("= delivered "), NULL, 10),
		      "%s", messages);
}

static void check_full_disk(const char *option)
{
	struct recorded_run run;
	struct flood_run flood;
	struct command peat;
	char summary[64];

	flood_run__make(&flood, 0, 1000, 100);
	recorded_run__start(&peat, RECORD(FLOOD(&flood), option, "-o", "disk/file"));
	flood_run__start(&flood);
	command__expect(peat.err, "No space left");
	recorded_run__finish(&peat, 1);
	flood_run__kill(&flood);
	ck_assert_ptr_null(strstr(peat.err_text, "stdout"));
	read_whole("disk/file", &run);
	ck_assert_uint_gt(run.samples, 0);
	snprintf(summary, sizeof(summary), "peat: %llu events in ",
		 (unsigned long long)run.samples);
	recorded_run__check_has(peat.err_text, summary); /* only what is in the file */
	recorded_run__check_has(peat.err_text, "more lost: writing the recording failed");
	check_lost(peat.err_text, run.samples);
	command__free(&peat);
	ck_assert_int_eq(unlink("disk/file"), 0);
}

START_TEST(test_full_disk)
{
	/* more than the header says of BPF programs that other tests run */
	static const char *const sizes[] = { "size=400k", "size=600k", "size=1m" };

	recorded_run__put(&flood_object);
	for (size_t i = 0; i < 3; i++) {
		mount_disk(sizes[i]);
		for (int j = 0; j < 2; j++)
			check_full_disk(layouts[j]);
		ck_assert_int_eq(umount("disk"), 0);
	}
}
END_TEST

/*
 * On a full disk, the number of saved bytes is logged immediately, and the file's name at the end.
 */
START_TEST(test_full_disk_is_reported)
{
	unsigned long long saved = 0;
	struct flood_run flood;
	struct command peat;
	struct statvfs disk; /* its size is a multiple of the page size */
	struct stat status;
	const char *told;

	recorded_run__put(&flood_object);
	flood_run__make(&flood, 0, 1000, 100);
	flood_run__start(&flood);
	mount_disk("size=200k");
	ck_assert_int_eq(statvfs("disk", &disk), 0);
	command__run(&peat, ALL_CAPS,
		     RECORD(FLOOD(&flood), "-a", "-o", "disk/file", "--", "sleep", "600"));
	flood_run__kill(&flood);
	ck_assert_int_eq(peat.status, 1);
	told = strstr(peat.err_text,
		      "peat: writing the recording failed: No space left on device; ");
	ck_assert_msg(told, "%s", peat.err_text);
	ck_assert_int_eq(sscanf(told, "%*[^;]; its first %llu bytes are saved", &saved), 1);
	ck_assert_int_eq(stat("disk/file", &status), 0);
	ck_assert_uint_gt(saved, 50000);
	ck_assert_uint_le(saved, disk.f_blocks * disk.f_frsize);
	recorded_run__check_has(peat.err_text,
				"cannot write to disk/file: No space left on device\n");
	command__free(&peat);
	ck_assert_int_eq(umount("disk"), 0);
}
END_TEST

/* ---- several files --------------------------------------------------------------------------- */

START_TEST(test_old_file)
{
	struct recorded_run run[2];
	struct command peat;

	for (int i = 0; i < 3; i++) {
		command__run(&peat, ALL_CAPS, RECORD("exec", "-o", "file", "--", "true"));
		ck_assert_int_eq(peat.status, 0);
		command__free(&peat);
	}
	read_whole("file", &run[0]);
	read_whole("file.old", &run[1]);
	ck_assert_uint_gt(run[0].first_ns, run[1].last_ns);
	/* An empty old file is not kept. */
	free(stock_perf__shell("rm -f file*; : >file; $PEAT record -q exec -o file -- true; "
			       "test ! -e file.old; $PEAT record -q exec -o file -- true; "
			       "test -s file.old"));
	free(stock_perf__shell("$PEAT record -q exec -- true; test -s perf.data"));
}
END_TEST

/*
 * Follow the events that reach a limit of the size: the ledger, the ends of tasks, and what the
 * header says of the machine, which is more while others run BPF programs.
 */
#define LAST_RECORDS (128 << 10)
#define ANY_SIZE     INT32_MAX

/*
 * Every event is in exactly one of the files, which may overlap in time.  A file of a short time
 * may have none, and so may the last one.
 */
static uint64_t sum_files(unsigned count, off_t most_bytes, bool by_time, unsigned *found)
{
	struct recorded_run run = { .samples = 1 };
	uint64_t samples = 0;
	struct stat status;
	char path[32];

	for (*found = 0; *found < count; (*found)++) {
		snprintf(path, sizeof(path), "file.%u", *found + 1);
		if (stat(path, &status))
			break;
		ck_assert_int_le(status.st_size, most_bytes);
		ck_assert_msg(by_time || run.samples, "no events before %s", path);
		read_whole(path, &run);
		ck_assert(run.has_ledger);
		ck_assert_uint_eq(run.lost_in_queue, 0);
		samples += run.samples;
	}
	return samples;
}

static void check_split(const char *by, off_t most_bytes, const char *option, unsigned least)
{
	struct flood_run flood;
	struct command peat;
	uint64_t samples;
	unsigned found;
	char names[32];

	free(stock_perf__shell("rm -f file.*"));
	flood_run__make(&flood, 300, 4000, 50);
	recorded_run__start(&peat,
			    RECORD(FLOOD(&flood), "--switch-output", by, option, "-o", "file"));
	flood_run__start(&flood);
	flood_run__wait(&flood);
	recorded_run__stop(&peat, 0);
	recorded_run__check_has(peat.err_text, " 0 lost\n");
	samples = sum_files(100, most_bytes, !!strstr(by, "ms"), &found);
	ck_assert_uint_le(samples, 15000);
	ck_assert_msg(samples + 50 * command__missed(&peat) >= 15000,
		      "--switch-output %s: %llu samples in %u files: %s", by,
		      (unsigned long long)samples, found, peat.err_text);
	ck_assert_uint_ge(found, least);
	snprintf(names, sizeof(names), " in file.1 to file.%u\n", found);
	if (found > 1)
		recorded_run__check_has(peat.err_text, names);
	command__free(&peat);
}

START_TEST(test_switched_files_have_all_events)
{
	recorded_run__put(&flood_object);
	check_split("200K", (200 << 10) + LAST_RECORDS, "-v", 3);
	check_split("100ms", ANY_SIZE, "-v", 3);
	check_split("30K", ANY_SIZE, "-z", 2);
	check_split("1h", ANY_SIZE, "-v", 1);
}
END_TEST

/*
 * The limit is below the size of what each file says of the machine: half of it is for events, and
 * not each of these has a file of its own.
 */
static void check_small_files(const char *option)
{
	unsigned long events, files;
	struct command peat;
	const char *said;
	char *text;

	command__run(&peat, ALL_CAPS,
		     RECORD("tracepoint:raw_syscalls:sys_enter", "--switch-output", "1K", option,
			    "--latency", "1ms", "-o", "file", "--", "dd", "if=/dev/zero",
			    "of=/dev/null", "bs=1", "count=4000"));
	ck_assert_msg(peat.status == 0, "%s", peat.err_text);
	said = strstr(peat.err_text, " events in ");
	ck_assert_msg(said, "%s", peat.err_text);
	while (said > peat.err_text && said[-1] != ' ')
		said--;
	events = strtoul(said, NULL, 10);
	text = stock_perf__shell("ls file.* | wc -l; rm file.*");
	files = strtoul(text, NULL, 10);
	ck_assert_uint_gt(events, 1000);
	ck_assert_uint_lt(files, events / 2);
	free(text);
	command__free(&peat);
}

START_TEST(test_switched_files_have_events)
{
	check_small_files("-v");
	check_small_files("-z");
}
END_TEST

/* The last two files are left. */
START_TEST(test_oldest_files_are_removed)
{
	struct recorded_run run;
	struct flood_run flood;
	struct command peat;

	recorded_run__put(&flood_object);
	flood_run__make(&flood, 300, 4000, 50);
	recorded_run__start(&peat, RECORD(FLOOD(&flood), "--switch-output", "200K",
					  "--switch-max-files", "2", "-o", "file"));
	flood_run__start(&flood);
	flood_run__wait(&flood);
	recorded_run__stop(&peat, 0);
	free(stock_perf__shell("set -- $(ls file.* | sort -t. -k2n); n=${2#*.}; test $# = 2; "
			       "test $n -gt 2; test $1 = file.$((n - 1)); mv $1 older"));
	recorded_run__check_has(peat.err_text, " were removed, the last is file.");
	read_whole("older", &run);
	ck_assert_uint_gt(run.samples, 0);
	command__free(&peat);
}
END_TEST

/* A file that has replaced the first one is somebody's. */
START_TEST(test_replaced_file_is_not_removed)
{
	struct flood_run flood;
	struct command peat;

	recorded_run__put(&flood_object);
	flood_run__make(&flood, 300, 4000, 50);
	recorded_run__start(&peat, RECORD(FLOOD(&flood), "--switch-output", "200K",
					  "--switch-max-files", "2", "-o", "file"));
	free(stock_perf__shell(
		"until test -e file.1; do sleep 0.01; done; rm file.1; echo mine >file.1"));
	flood_run__start(&flood);
	flood_run__wait(&flood);
	recorded_run__stop(&peat, 0);
	free(stock_perf__shell("test \"$(cat file.1)\" = mine; test ! -e file.2"));
	recorded_run__check_has(peat.err_text, "file.1 is not removed for --switch-max-files: ");
	ck_assert_uint_eq(recorded_run__count(peat.err_text, "not removed"), 1);
	command__free(&peat);
}
END_TEST

START_TEST(test_next_file_cannot_be_opened)
{
	struct flood_run flood;
	struct command peat;

	recorded_run__put(&flood_object);
	ck_assert_int_eq(mkdir("gone", 0755), 0);
	flood_run__make(&flood, 0, 1000, 1);
	flood_run__start(&flood);
	recorded_run__start(&peat,
			    RECORD(FLOOD(&flood), "--switch-output", "1s", "-o", "gone/file"));
	usleep(300000);
	free(stock_perf__shell("rm -r gone"));
	recorded_run__finish(&peat, 1);
	flood_run__kill(&flood);
	recorded_run__check_has(peat.err_text, "cannot write to gone/file.2: No such file");
	ck_assert_uint_eq(recorded_run__count(peat.err_text, "cannot"), 1);
	command__free(&peat);
}
END_TEST

START_TEST(test_largest_size)
{
	struct flood_run flood;
	struct recorded_run run;
	struct command peat;
	struct stat status;

	recorded_run__put(&flood_object);
	flood_run__make(&flood, 0, 5000, 50);
	recorded_run__start(&peat,
			    RECORD(FLOOD(&flood), "--max-size", "300K", layouts[_i], "-o", "file"));
	flood_run__start(&flood);
	recorded_run__finish(&peat, 0);
	flood_run__kill(&flood);
	ck_assert_int_eq(stat("file", &status), 0);
	ck_assert_int_ge(status.st_size, 300 << 10);
	ck_assert_int_le(status.st_size, (300 << 10) + LAST_RECORDS);
	read_whole("file", &run);
	ck_assert_uint_eq(
		recorded_run__count(peat.err_text, " more events arrived, and were left out\n"),
		run.emitted > run.samples);
	command__free(&peat);
}
END_TEST

/* ---- limits and filters ---------------------------------------------------------------------- */

START_TEST(test_count_ends_recording)
{
	struct flood_run flood;
	struct recorded_run run;
	struct command peat;

	recorded_run__put(&flood_object);
	flood_run__make(&flood, 0, 1000, 1);
	flood_run__start(&flood);
	command__run(&peat, ALL_CAPS, RECORD(FLOOD(&flood), "-n", "123", "-o", "file"));
	ck_assert_int_eq(peat.status, 0);
	flood_run__kill(&flood);
	recorded_run__check_has(peat.err_text, " 123 events in ");
	read_whole("file", &run);
	ck_assert_uint_eq(run.samples, 123);
	command__free(&peat);
}
END_TEST

START_TEST(test_duration_ends_recording)
{
	struct recorded_run run;
	struct command peat;
	uint64_t begun_ns = now_ns();

	command__run(&peat, ALL_CAPS, RECORD("exec", "-p", "1", "-d", "300ms", "-o", "file"));
	ck_assert_int_eq(peat.status, 0);
	ck_assert_uint_ge(now_ns() - begun_ns, 300000000);
	read_whole("file", &run);
	ck_assert_uint_eq(run.samples, 0);
	ck_assert(run.has_ledger);
	command__free(&peat);
	/* peat ends the command, which is no failure. */
	command__run(&peat, ALL_CAPS,
		     RECORD("exec", "-d", "300ms", "-o", "file", "--", "sleep", "100"));
	ck_assert_int_eq(peat.status, 0);
	command__free(&peat);
}
END_TEST

/*
 * Only this process is recorded.  Of other processes, the file has the records that perf needs for
 * names of tasks.
 */
START_TEST(test_process_alone_is_recorded)
{
	struct flood_run flood;
	struct command peat;
	char pid[16], wanted[64], *text;

	recorded_run__put(&flood_object);
	flood_run__make(&flood, 100, 0, 1);
	snprintf(pid, sizeof(pid), "%d", (int)flood.pid);
	recorded_run__start(&peat, RECORD("exit", "-p", pid, "-o", "file"));
	process__run("/bin/sh", ARGV("sh", "-c", "true"));
	flood_run__start(&flood);
	flood_run__wait(&flood);
	process__run("/bin/sh", ARGV("sh", "-c", "true"));
	recorded_run__stop(&peat, 0);
	text = recorded_run__replay("file");
	ck_assert_uint_eq(recorded_run__count(text, "\n"), 1);
	snprintf(wanted, sizeof(wanted), "\"pid\":%s,", pid);
	recorded_run__check_has(text, wanted);
	free(text);
	command__free(&peat);
}
END_TEST

/* Without a program: only the kernel's own records. */
START_TEST(test_kinds_are_recorded_alone)
{
	struct recorded_run run;
	struct command peat;
	char *text;

	command__run(&peat, ALL_CAPS,
		     RECORD("@task", "@comm", "-o", "file", "--", "sh", "-c",
			    "i=0; while [ $i -lt 10 ]; do i=$((i+1)); sleep 0; done"));
	ck_assert_int_eq(peat.status, 0);
	command__free(&peat);
	recorded_run__read("file", &run);
	ck_assert_uint_eq(run.samples, 0);
	ck_assert_uint_ge(run.records, 30);
	command__run(&peat, 0, REPLAY("-j", "-q", "file", "@task"));
	ck_assert_uint_ge(recorded_run__count(peat.out_text, "\"type\":\"@fork\""), 10);
	command__free(&peat);
	if (!stock_perf__is_there())
		return;
	text = stock_perf__shell("perf script --show-task-events -i file 2>&1");
	ck_assert_uint_ge(recorded_run__count(text, "PERF_RECORD_FORK("), 10);
	ck_assert_uint_ge(recorded_run__count(text, "PERF_RECORD_COMM exec: sleep:"), 10);
	free(text);
	text = stock_perf__shell("perf evlist -i file 2>&1");
	ck_assert_uint_eq(recorded_run__count(text, "\n"), 1);
	free(text);
}
END_TEST

/* ---- exit status and usage ------------------------------------------------------------------- */

static void check_status(int status, const char *says, const char *line)
{
	struct command peat;

	command__run(&peat, ALL_CAPS, ARGV("sh", "-c", line));
	ck_assert_msg(peat.status == status, "%s: status %d, not %d: %s", line, peat.status, status,
		      peat.err_text);
	recorded_run__check_has(peat.err_text, says);
	if (status == 1)
		ck_assert_uint_eq(recorded_run__count(peat.err_text, "\n"), 1);
	ck_assert_str_eq(peat.out_text, "");
	command__free(&peat);
}

START_TEST(test_status_of_the_command)
{
	check_status(0, "", "$PEAT record exec -o file -- true");
	check_status(42, "", "$PEAT record exec -o file -- sh -c 'exit 42'");
	check_status(137, "", "$PEAT record exec -o file -- sh -c 'kill -9 $$'");
	check_status(127, "cannot run /no/such: No such file",
		     "$PEAT record exec -o file -- /no/such");
	check_status(1, "cannot write to /no/such/file: No such file or directory",
		     "$PEAT record exec -o /no/such/file -- sh -c 'touch was-run'");
	check_status(1, "cannot write to /tmp: Is a directory", "$PEAT record exec -o /tmp");
	check_status(1, "cannot begin the recording: No space left on device",
		     "$PEAT record exec -o /dev/full");
	check_status(0, " in /dev/null\n", "$PEAT record exec -o /dev/null -- true");
	ck_assert_int_ne(access("was-run", F_OK), 0);
}
END_TEST

#define CAP_SYS_ADMIN_BIT (1ULL << 21)
#define CAP_PERFMON_BIT	  (1ULL << 38)

START_TEST(test_no_permission)
{
	struct command peat;

	ck_assert_int_eq(mkdir("closed", 0555), 0);
	ck_assert_int_eq(chmod(".", 0755), 0);
	command__run(&peat, CAP_PERFMON_BIT | CAP_SYS_ADMIN_BIT, /* without CAP_DAC_OVERRIDE */
		     RECORD("@task", "-o", "closed/file", "-d", "10"));
	ck_assert_int_eq(peat.status, 1);
	recorded_run__check_has(peat.err_text, "cannot write to closed/file: Permission denied\n");
	command__free(&peat);
}
END_TEST

START_TEST(test_usage_errors)
{
	check_status(64, "no source: peat list shows the probes, peat examples whole commands",
		     "$PEAT record");
	check_status(64, "is not a compression level", "$PEAT record exec -z23");
	check_status(64, "is not a compression level", "$PEAT record exec -z0");
	check_status(64, "is not a compression level", "$PEAT record exec --compress=x");
	check_status(64, "neither a size", "$PEAT record exec --switch-output 5");
	check_status(64, "neither a size", "$PEAT record exec --switch-output 0s");
	check_status(64, "neither a size", "$PEAT record exec --switch-output x");
	check_status(64, "--switch-max-files needs --switch-output",
		     "$PEAT record exec --switch-max-files 2");
	check_status(64, "not a number of files",
		     "$PEAT record exec --switch-output 1s --switch-max-files 0");
	check_status(64, "amount of memory", "$PEAT record exec --max-size 0");
	check_status(64, "no command after --", "$PEAT record exec --");
	check_status(64, "--switch-output needs a file",
		     "$PEAT record exec -o - --switch-output 1s | cat; exit 64");
	check_status(64, "no probe",
		     "$PEAT record nothing 2>&1 >/dev/null | "
		     "sed 's/.*/no probe/' >&2; exit 64");
	check_status(64, "'-j'",
		     "$PEAT record exec -j 2>&1 >/dev/null | sed \"s/.*/'-j'/\" >&2; "
		     "exit 64");
}
END_TEST

START_TEST(test_terminal_is_refused)
{
	int terminal = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
	char line[128];

	ck_assert_int_ge(terminal, 0);
	ck_assert_int_eq(grantpt(terminal) | unlockpt(terminal), 0);
	snprintf(line, sizeof(line), "exec $PEAT record exec -o - -d 1 >%s", ptsname(terminal));
	check_status(64, "cannot write a recording to a terminal", line);
	ck_assert_int_eq(fcntl(terminal, F_SETFL, O_NONBLOCK), 0);
	ck_assert_int_le(read(terminal, line, 1), 0);
	close(terminal);
}
END_TEST

static Suite *record_ends_suite(void)
{
	TCase *tests;
	Suite *suite = harness__suite("record_ends", 300, &tests);

	tcase_add_checked_fixture(tests, recorded_run__setup, stock_perf__teardown);
	tcase_add_test(tests, test_killed_recorder_leaves_recording);
	tcase_add_test(tests, test_full_disk);
	tcase_add_test(tests, test_full_disk_is_reported);
	tcase_add_test(tests, test_old_file);
	tcase_add_test(tests, test_switched_files_have_all_events);
	tcase_add_test(tests, test_switched_files_have_events);
	tcase_add_test(tests, test_oldest_files_are_removed);
	tcase_add_test(tests, test_replaced_file_is_not_removed);
	tcase_add_test(tests, test_next_file_cannot_be_opened);
	tcase_add_loop_test(tests, test_largest_size, 0, 2);
	tcase_add_test(tests, test_count_ends_recording);
	tcase_add_test(tests, test_duration_ends_recording);
	tcase_add_test(tests, test_process_alone_is_recorded);
	tcase_add_test(tests, test_kinds_are_recorded_alone);
	tcase_add_test(tests, test_status_of_the_command);
	tcase_add_test(tests, test_no_permission);
	tcase_add_test(tests, test_usage_errors);
	tcase_add_test(tests, test_terminal_is_refused);
	return suite;
}

int main(int argc, char **argv)
{
	static const suite_fn suites[] = { record_ends_suite };

	return harness__main(argc, argv, suites, 1);
}
