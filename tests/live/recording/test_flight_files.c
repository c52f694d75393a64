// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_flight_files.c: no dump of peat record --flight replaces another, or is counted in vain. */
#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include "flood.h"
#include "support/load/flood_run.h"
#include "support/machine/harness.h"
#include "support/perf/stock_perf.h"
#include "support/recording/recorded_run.h"

EMBED_TWINS(flood)

#define FLIGHT(flood, ...) RECORD("--flight", "1M", "-o", "dumps/f", FLOOD(flood), ##__VA_ARGS__)

/* A process that emits 10 events with each of its calls. */
static void begin(struct flood_run *flood, uint64_t calls)
{
	recorded_run__put(&flood_object);
	flood_run__make(flood, calls, 0, 10);
}

static void start(struct command *peat, const char *const *argv)
{
	command__start(peat, ALL_CAPS, argv);
	command__expect(peat->err, "keeping the last");
}

static void make_events(struct flood_run *flood)
{
	flood_run__start(flood);
	flood_run__wait(flood);
}

static uint64_t events_in(const char *path)
{
	struct recorded_run run;

	recorded_run__read(path, &run);
	ck_assert_msg(run.is_whole, "%s is cut", path);
	return run.samples;
}

/* ---- names ----------------------------------------------------------------------------------- */

/* Both are asked at the same time, again and again: each dump of each is there. */
START_TEST(test_two_recorders)
{
	enum { ROUNDS = 20 };
	struct flood_run floods[2];
	struct command peats[2];
	char *files;

	ck_assert_int_eq(mkdir("dumps", 0700), 0);
	for (int i = 0; i < 2; i++) {
		begin(&floods[i], 10);
		start(&peats[i], FLIGHT(&floods[i]));
	}
	for (int i = 0; i < 2; i++)
		make_events(&floods[i]);
	for (int round = 0; round < ROUNDS; round++) {
		for (int i = 0; i < 2; i++)
			kill(peats[i].pid, SIGUSR2);
		for (int i = 0; i < 2; i++)
			command__expect(peats[i].err, "rings exchanged");
	}
	for (int i = 0; i < 2; i++) {
		recorded_run__stop(&peats[i], 0);
		command__free(&peats[i]);
	}
	files = stock_perf__shell("ls dumps | wc -l; for dump in dumps/*; do "
				  "$PEAT replay -q -j $dump; done | grep -c number");
	ck_assert_str_eq(files, "40\n200\n");
	free(files);
}
END_TEST

START_TEST(test_restarted_recorder)
{
	ck_assert_int_eq(mkdir("dumps", 0700), 0);
	for (uint64_t i = 1; i <= 3; i++) {
		struct flood_run flood;
		struct command peat;

		begin(&flood, i);
		start(&peat, FLIGHT(&flood));
		make_events(&flood);
		recorded_run__stop(&peat, 0);
		command__free(&peat);
	}
	ck_assert_uint_eq(events_in("dumps/f.1"), 10);
	ck_assert_uint_eq(events_in("dumps/f.2"), 20);
	ck_assert_uint_eq(events_in("dumps/f.3"), 30);
}
END_TEST

/* A FIFO would stop the recorder, and a link name another file. */
START_TEST(test_names_in_use)
{
	struct flood_run flood;
	struct command peat;
	struct stat status;

	ck_assert_int_eq(mkdir("dumps", 0700), 0);
	ck_assert_int_eq(mkfifo("dumps/f.1", 0600), 0);
	ck_assert_int_eq(symlink("nothing", "dumps/f.2"), 0);
	ck_assert_int_eq(mkdir("dumps/f.3", 0700), 0);
	begin(&flood, 10);
	start(&peat, FLIGHT(&flood));
	make_events(&flood);
	recorded_run__stop(&peat, 0);
	ck_assert_uint_eq(events_in("dumps/f.4"), 100);
	ck_assert_int_eq(stat("dumps/f.4", &status), 0);
	ck_assert_uint_eq(status.st_mode & 0777, 0600);
	ck_assert_int_ne(access("dumps/nothing", F_OK), 0);
	command__free(&peat);
}
END_TEST

/* ---- requests -------------------------------------------------------------------------------- */

/* The dump is made when the recorder runs again. */
START_TEST(test_request_to_a_stopped_recorder)
{
	struct flood_run flood;
	struct command peat, client;
	char pid[16];

	ck_assert_int_eq(mkdir("dumps", 0700), 0);
	begin(&flood, 10);
	start(&peat, FLIGHT(&flood));
	make_events(&flood);
	snprintf(pid, sizeof(pid), "%d", (int)peat.pid);
	kill(peat.pid, SIGSTOP);
	command__run(&client, ALL_CAPS,
		     ARGV(recorded_run__peat(), "record", "--dump", pid, "-d", "200ms"));
	ck_assert_int_eq(client.status, 1);
	recorded_run__check_has(client.err_text, "has not answered within 0.2 s");
	command__free(&client);
	kill(peat.pid, SIGCONT);
	command__expect(peat.err, "f.1: 100 events");
	recorded_run__stop(&peat, 0);
	command__free(&peat);
}
END_TEST

/* ---- files that cannot be written ------------------------------------------------------------ */

/* A line of the ledger that peat prints at the end. */
static uint64_t ledger_line(const struct command *peat, const char *name)
{
	const char *at = strstr(peat->err_text, name);
	unsigned long long count = 0;

	if (at)
		ck_assert_int_eq(sscanf(at + strlen(name), "%llu", &count), 1);
	return count;
}

/* Nothing is lost, and no dump of --max-dumps is used up. */
START_TEST(test_dump_without_a_directory)
{
	struct flood_run flood;
	struct command peat;

	begin(&flood, 10);
	start(&peat, FLIGHT(&flood, "--max-dumps", "1"));
	make_events(&flood);
	for (int i = 0; i < 3; i++) {
		kill(peat.pid, SIGUSR2);
		command__expect(peat.err, "cannot write to dumps/f.1: No such file");
	}
	ck_assert_int_eq(mkdir("dumps", 0700), 0);
	kill(peat.pid, SIGUSR2);
	recorded_run__finish(&peat, 1);
	ck_assert_uint_eq(events_in("dumps/f.1"), 100);
	ck_assert_uint_eq(ledger_line(&peat, " delivered"), 100);
	recorded_run__check_has(peat.err_text, "peat: 100 events in ");
	command__free(&peat);
}
END_TEST

#define EVENTS 200000

static uint64_t events_if_any(const char *path)
{
	return access(path, F_OK) ? 0 : events_in(path);
}

/* The events that are in the file, and no others, are delivered; the next dump succeeds. */
static void check_full_disk(const char *size, const char *option, bool has_file)
{
	struct flood_run flood;
	struct command peat;
	uint64_t written;
	char summary[64];

	begin(&flood, EVENTS / 10);
	ck_assert_int_eq(mount("none", "dumps", "tmpfs", 0, size), 0);
	start(&peat, RECORD("--flight", "16M", "-o", "dumps/f", FLOOD(&flood), option,
			    "--max-dumps", "1"));
	make_events(&flood);
	kill(peat.pid, SIGUSR2);
	command__expect(peat.err, "cannot write to dumps/f.1: No space left");
	ck_assert_int_eq(mount("none", "dumps", "tmpfs", MS_REMOUNT, "size=8m"), 0);
	kill(peat.pid, SIGUSR2);
	recorded_run__finish(&peat, 1);
	ck_assert_int_eq(!access("dumps/f.2", F_OK), has_file);
	written = events_in("dumps/f.1") + events_if_any("dumps/f.2");
	ck_assert_int_eq(written > 0, has_file);
	ck_assert_uint_lt(written, EVENTS);
	ck_assert_uint_eq(ledger_line(&peat, " delivered"), written);
	ck_assert_uint_eq(ledger_line(&peat, " overwritten"), EVENTS - written);
	ck_assert_uint_eq(ledger_line(&peat, " emitted"), EVENTS);
	snprintf(summary, sizeof(summary), "peat: %llu events in ", (unsigned long long)written);
	recorded_run__check_has(peat.err_text, summary);
	command__free(&peat);
	ck_assert_int_eq(umount("dumps"), 0);
}

START_TEST(test_full_disk)
{
	ck_assert_int_eq(mkdir("dumps", 0700), 0);
	ck_assert_int_eq(unshare(CLONE_NEWNS), 0);
	ck_assert_int_eq(mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL), 0);
	check_full_disk("size=200k", "-v", true);
	check_full_disk("size=200k", "-z", true);
	check_full_disk("size=4k", "-v", false);
	check_full_disk("size=4k", "-z", false);
}
END_TEST

static Suite *flight_files_suite(void)
{
	TCase *tests;
	Suite *suite = harness__suite("flight_files", 120, &tests);

	tcase_add_checked_fixture(tests, recorded_run__setup, stock_perf__teardown);
	tcase_add_test(tests, test_two_recorders);
	tcase_add_test(tests, test_restarted_recorder);
	tcase_add_test(tests, test_names_in_use);
	tcase_add_test(tests, test_request_to_a_stopped_recorder);
	tcase_add_test(tests, test_dump_without_a_directory);
	tcase_add_test(tests, test_full_disk);
	return suite;
}

int main(int argc, char **argv)
{
	static const suite_fn suites[] = { flight_files_suite };

	return harness__main(argc, argv, suites, 1);
}
