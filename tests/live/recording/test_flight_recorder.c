// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_flight_recorder.c: peat record --flight: each trigger, each end, and refused options. */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/machine/amount.h"
#include "flood.h"
#include "support/load/flood_run.h"
#include "support/machine/harness.h"
#include "support/recording/json_lines.h"
#include "support/recording/flight_run.h"
#include "support/recording/recorded_run.h"
#include "support/perf/stock_perf.h"

EMBED_TWINS(flood)

static struct flood_run flood;
static struct command peat;

/* Starts a flight recorder of a process that has not emitted an event yet. */
#define FLIGHT(...) RECORD("--flight", "1M", "-o", "f", FLOOD(&flood), ##__VA_ARGS__)

static void begin(uint64_t calls, unsigned pause_us, unsigned each)
{
	recorded_run__put(&flood_object);
	flood_run__make(&flood, calls, pause_us, each);
}

/* The samples are sorted, their numbers go on from one to the next, and perf shows them all. */
static uint64_t check_dump(const char *path)
{
	struct recorded_run run;
	struct command perf;

	recorded_run__read(path, &run);
	ck_assert_msg(run.is_whole, "%s is cut", path);
	ck_assert(run.has_ledger);
	ck_assert_uint_eq(run.recorded, run.samples);
	ck_assert_uint_eq(run.delivered, run.samples);
	ck_assert_uint_eq(run.lost_in_queue, 0);
	free(recorded_run__replay(path));
	if (!stock_perf__is_there())
		return run.samples;
	command__run(&perf, ALL_CAPS, ARGV("perf", "script", "-F", "event", "-i", path));
	ck_assert_msg(!perf.status, "%s: %s", path, perf.err_text);
	ck_assert_uint_eq(recorded_run__count(perf.out_text, "peat:"), run.samples);
	command__free(&perf);
	return run.samples;
}

static void request(const char *wanted)
{
	struct command client;
	char pid[16];

	snprintf(pid, sizeof(pid), "%d", (int)peat.pid);
	command__run(&client, ALL_CAPS, ARGV(recorded_run__peat(), "record", "--dump", pid));
	ck_assert_msg(!client.status, "%s", client.err_text);
	ck_assert_msg(strstr(client.out_text, wanted), "%s", client.out_text);
	ck_assert_int_eq(*client.out_text, '/');
	command__free(&client);
}

/* ---- triggers -------------------------------------------------------------------------------- */

START_TEST(test_signal_and_request)
{
	begin(100, 0, 10);
	flight_run__start(&peat, FLIGHT());
	flood_run__start(&flood);
	flood_run__wait(&flood);
	kill(peat.pid, SIGUSR2);
	flight_run__expect_dump(&peat, "f.1");
	request("/f.2\n");
	kill(peat.pid, SIGUSR2);
	flight_run__expect_dump(&peat, "f.3");
	recorded_run__stop(&peat, 0);
	ck_assert_uint_eq(check_dump("f.1"), 1000);
	ck_assert_uint_eq(check_dump("f.2"), 0);
	ck_assert_uint_eq(check_dump("f.3"), 0);
	ck_assert(!flight_run__exists("f.4")); /* there were dumps: Ctrl-C needs none */
}
END_TEST

START_TEST(test_ctrl_c_without_a_dump_before)
{
	begin(10, 0, 10);
	flight_run__start(&peat, FLIGHT());
	flood_run__start(&flood);
	flood_run__wait(&flood);
	recorded_run__stop(&peat, 0);
	ck_assert_uint_eq(check_dump("f.1"), 100);
	recorded_run__check_has(peat.err_text, "f.1: 100 events");
	recorded_run__check_has(peat.err_text, "100 events in ");
	command__free(&peat);
}
END_TEST

START_TEST(test_end_of_the_command)
{
	struct command run;
	char *text;

	command__run(&run, ALL_CAPS,
		     RECORD("--flight", "256K", "-o", "f", "exec", "exit", "--", "/bin/sh", "-c",
			    "/bin/true; exit 7"));
	ck_assert_msg(run.status == 7, "%s", run.err_text);
	command__free(&run);
	check_dump("f.1");
	text = recorded_run__replay("f.1");
	recorded_run__check_has(text, "\"comm\":\"sh\"");
	recorded_run__check_has(text, "/bin/true");
	free(text);
}
END_TEST

/* The source of the trigger is not recorded, and has its own expression. */
START_TEST(test_on_event)
{
	begin(10, 0, 10);
	flight_run__start(&peat, FLIGHT("--on", "exit", "--where", "code == 93"));
	process__run("/bin/false", ARGV("false"));
	flood_run__start(&flood);
	flood_run__wait(&flood);
	process__run("/bin/sh", ARGV("sh", "-c", "exit 93"));
	flight_run__expect_dump(&peat, "f.1");
	recorded_run__stop(&peat, 0);
	ck_assert_uint_eq(check_dump("f.1"), 100);
	ck_assert(!flight_run__exists("f.2"));
	command__free(&peat);
}
END_TEST

START_TEST(test_on_record)
{
	begin(10, 0, 10);
	flight_run__start(&peat, FLIGHT("--on", "@comm", "--where", "name == \"tail\""));
	flood_run__start(&flood);
	flood_run__wait(&flood);
	process__run("/usr/bin/tail", ARGV("tail", "/dev/null"));
	flight_run__expect_dump(&peat, "f.1");
	recorded_run__stop(&peat, 0);
	ck_assert_uint_eq(check_dump("f.1"), 100);
	command__free(&peat);
}
END_TEST

START_TEST(test_on_lost_and_max_dumps)
{
	begin(1000, 100, 20);
	flight_run__start(&peat, FLIGHT("--on-lost", "--max-rate", "50", "--max-dumps", "2",
					"--dump-interval", "0"));
	flood_run__start(&flood);
	recorded_run__finish(&peat, 0);
	flood_run__kill(&flood);
	check_dump("f.1");
	check_dump("f.2");
	ck_assert(!flight_run__exists("f.3"));
	recorded_run__check_has(peat.err_text, "lost_throttled");
	command__free(&peat);
}
END_TEST

START_TEST(test_no_trigger_no_dump)
{
	begin(10, 0, 10);
	flight_run__start(&peat, FLIGHT("--on-lost"));
	flood_run__start(&flood);
	flood_run__wait(&flood);
	recorded_run__stop(&peat, 0);
	ck_assert(!flight_run__exists("f.1"));
	recorded_run__check_has(peat.err_text, "no dump: nothing triggered one");
	command__free(&peat);
}
END_TEST

START_TEST(test_last_bounds_the_dump)
{
	struct recorded_run run;

	begin(1000000, 1000, 10);
	flight_run__start(&peat, FLIGHT("--last", "50ms"));
	flood_run__start(&flood);
	usleep(400 * 1000);
	kill(peat.pid, SIGUSR2);
	flight_run__expect_dump(&peat, "f.1");
	flood_run__kill(&flood);
	recorded_run__stop(&peat, 0);
	ck_assert_uint_gt(check_dump("f.1"), 0);
	recorded_run__read("f.1", &run);
	ck_assert_uint_lt(run.last_ns - run.first_ns, 200000000); /* of 400 ms and more */
	command__free(&peat);
}
END_TEST

/* ---- load and kill --------------------------------------------------------------------------- */

START_TEST(test_full_speed)
{
	begin(0, 0, 100);
	flight_run__start(&peat, FLIGHT("--max-dumps", "5"));
	flood_run__start(&flood);
	for (int i = 0; i < 5; i++) {
		char name[16];

		usleep((useconds_t)(amount__ns(0.5) / 1000 / 5));
		kill(peat.pid, SIGUSR2);
		snprintf(name, sizeof(name), "f.%d", i + 1);
		flight_run__expect_dump(&peat, name);
	}
	recorded_run__finish(&peat, 0);
	flood_run__kill(&flood);
	for (int i = 0; i < 5; i++) {
		char name[16];

		snprintf(name, sizeof(name), "f.%d", i + 1);
		ck_assert_uint_gt(check_dump(name), 10000);
	}
	recorded_run__check_has(peat.err_text, "overwritten");
	command__free(&peat);
}
END_TEST

/* Dumps before it are whole, and the last one is read up to its end. */
START_TEST(test_killed_in_a_dump)
{
	struct stat status;
	struct command replay;
	char path[64];

	begin(0, 0, 100);
	flight_run__start(&peat, RECORD("--flight", "16M", "-o", "f", FLOOD(&flood)));
	flood_run__start(&flood);
	usleep(100 * 1000);
	kill(peat.pid, SIGUSR2);
	flight_run__expect_dump(&peat, "f.1");
	usleep(300 * 1000);
	kill(peat.pid, SIGUSR2);
	while (stat("f.2", &status) || status.st_size < 300000)
		usleep(100);
	kill(peat.pid, SIGKILL);
	flood_run__kill(&flood);
	command__finish(&peat);
	snprintf(path, sizeof(path), "/run/peat/flight-%d", (int)peat.pid);
	ck_assert_int_eq(unlink(path), 0);
	check_dump("f.1");
	command__run(&replay, 0, REPLAY("-j", "-q", "f.2"));
	ck_assert_msg(replay.status <= 1, "%s", replay.err_text);
	ck_assert_uint_gt(recorded_run__count(replay.out_text, "\"number\":"), 100);
	command__free(&replay);
	command__free(&peat);
}
END_TEST

/* ---- requests -------------------------------------------------------------------------------- */

static void check_request(const char *pid, const char *message)
{
	struct command client;

	command__run(&client, ALL_CAPS, ARGV(recorded_run__peat(), "record", "--dump", pid));
	ck_assert_int_eq(client.status, 1);
	ck_assert_msg(strstr(client.err_text, message), "%s", client.err_text);
	ck_assert_str_eq(client.out_text, "");
	command__free(&client);
}

START_TEST(test_requests_to_others)
{
	char pid[16];

	snprintf(pid, sizeof(pid), "%d", (int)getpid());
	check_request(pid, "is no flight recorder");
	check_request("2147483647", "no process has the id");
}
END_TEST

/* A socket at a path: it stays when its process ends. */
static int listen_at(const char *path)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);

	snprintf(address.sun_path, sizeof(address.sun_path), "%s", path);
	mkdir("/run/peat", 0700);
	ck_assert_int_eq(bind(fd, (struct sockaddr *)&address, sizeof(address)), 0);
	ck_assert_int_eq(listen(fd, 1), 0);
	return fd;
}

START_TEST(test_impostor_is_refused)
{
	char pid[16], path[64];
	int fd;

	begin(1, 0, 1);
	snprintf(path, sizeof(path), "/run/peat/flight-%d", (int)flood.pid);
	fd = listen_at(path);
	snprintf(pid, sizeof(pid), "%d", (int)flood.pid);
	check_request(pid, "another process has taken its name");
	flood_run__kill(&flood);
	close(fd);
	unlink(path);
}
END_TEST

/* Any user could take abstract names: 9,000 of them kept all recorders from listening. */
START_TEST(test_squatters_of_names)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0), bytes;

	begin(10, 0, 10);
	flight_run__start(&peat, FLIGHT());
	bytes = snprintf(address.sun_path + 1, sizeof(address.sun_path) - 1, "peat-flight-%d",
			 (int)peat.pid);
	ck_assert_int_eq(
		bind(fd, (struct sockaddr *)&address,
		     (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + (size_t)bytes)),
		0);
	request("/f.1\n");
	recorded_run__stop(&peat, 0);
	flood_run__kill(&flood);
	close(fd);
	command__free(&peat);
}
END_TEST

/* The recorder's predecessor was killed, and its id is used again. */
START_TEST(test_stale_socket)
{
	char path[64];

	begin(10, 0, 10);
	snprintf(path, sizeof(path), "/run/peat/stale-%d", (int)getpid());
	close(listen_at(path));
	command__start(&peat, ALL_CAPS,
		       ARGV("sh", "-c",
			    "mv $1 /run/peat/flight-$$ && exec $0 record -v --flight 1M -o f exec",
			    recorded_run__peat(), path));
	command__expect(peat.err, "keeping the last");
	request("/f.1\n");
	snprintf(path, sizeof(path), "/run/peat/flight-%d", (int)peat.pid);
	ck_assert(flight_run__exists(path));
	recorded_run__stop(&peat, 0);
	ck_assert(!flight_run__exists(path));
	flood_run__kill(&flood);
	command__free(&peat);
}
END_TEST

#define SOMEBODY 1234567

/* Another user made the directory of a user, whose recorder is asked. */
START_TEST(test_directory_of_a_stranger)
{
	char pid[16], path[64];
	pid_t child = fork();

	if (!child) {
		if (!setresuid(SOMEBODY, SOMEBODY, SOMEBODY))
			pause();
		_exit(1);
	}
	snprintf(pid, sizeof(pid), "%d", (int)child);
	snprintf(path, sizeof(path), "/tmp/peat-%d", SOMEBODY);
	ck_assert_int_eq(mkdir(path, 0700), 0);
	usleep(200 * 1000); /* until the child has its id */
	check_request(pid, "is refused: it belongs to user 0, mode 700, not to user 1234567");
	ck_assert_int_eq(rmdir(path), 0);
	kill(child, SIGKILL);
	waitpid(child, NULL, 0);
}
END_TEST

/* ---- limits of --on -------------------------------------------------------------------------- */

static void flood_with_triggers(const char *const *argv)
{
	flight_run__start(&peat, argv);
	for (int i = 0; i < 5; i++) {
		process__run("/bin/sh", ARGV("sh", "-c", "exit 93"));
		usleep(100 * 1000);
	}
	recorded_run__stop(&peat, 0);
	flood_run__kill(&flood);
}

START_TEST(test_interval_by_default)
{
	begin(10, 0, 10);
	flood_with_triggers(FLIGHT("--on", "exit", "--where", "code == 93"));
	ck_assert(flight_run__exists("f.1"));
	ck_assert(!flight_run__exists("f.2"));
	recorded_run__check_has(peat.err_text, "4 more triggers made no dump");
	command__free(&peat);
}
END_TEST

START_TEST(test_without_an_interval)
{
	begin(10, 0, 10);
	flood_with_triggers(
		FLIGHT("--on", "exit", "--where", "code == 93", "--dump-interval", "0"));
	ck_assert(flight_run__exists("f.2"));
	command__free(&peat);
}
END_TEST

/* ---- options --------------------------------------------------------------------------------- */

START_TEST(test_refused_options)
{
	static const struct {
		const char *argv[12]; /* after "record" */
		const char *message;
	} refused[] = {
		{ { "--on", "exit", "exec" }, "--on needs --flight" },
		{ { "--on-lost", "exec" }, "--on-lost needs --flight" },
		{ { "--last", "3s", "exec" }, "--last needs --flight" },
		{ { "--max-dumps", "3", "exec" }, "--max-dumps needs --flight" },
		{ { "--dump-interval", "3s", "exec" }, "--dump-interval needs --flight" },
		{ { "--flight", "0", "exec" }, "expected a size" },
		{ { "--flight", "3G", "exec" }, "at most 2G" },
		{ { "--flight", "1M", "--last", "0", "exec" }, "expected a time" },
		{ { "--flight", "1M", "-n", "5", "exec" }, "-n cannot be used" },
		{ { "--flight", "1M", "--memory", "5M", "exec" }, "--memory cannot" },
		{ { "--flight", "1M", "--max-size", "5M", "exec" }, "--max-size" },
		{ { "--flight", "1M", "--switch-output", "5M", "exec" }, "--switch" },
		{ { "--flight", "1M", "-o", "-", "exec" }, "needs a file" },
		{ { "--flight", "1M", "--on", "exit", "--on", "exec", "open" }, "only one source" },
		{ { "--flight", "1M", "@comm" }, "@KIND can only trigger" },
		{ { "--flight", "1M", "--on", "nothing", "exec" }, "unknown probe" },
		{ { "--flight", "1M", "--on", "page-faults", "exec" },
		  "use --on 'page-faults>1000'" },
		{ { "--dump", "1", "exec" }, "used alone" },
		{ { "--dump", "x" }, "not a process id" },
	};

	for (size_t i = 0; i < sizeof(refused) / sizeof(*refused); i++) {
		const char *argv[16] = { recorded_run__peat(), "record" };
		struct command run;

		for (size_t arg = 0; refused[i].argv[arg]; arg++)
			argv[arg + 2] = refused[i].argv[arg];
		command__run(&run, ALL_CAPS, argv);
		ck_assert_msg(run.status == 64, "%s: %d %s", refused[i].message, run.status,
			      run.err_text);
		ck_assert_msg(strstr(run.err_text, refused[i].message), "%s", run.err_text);
		command__free(&run);
	}
}
END_TEST

static Suite *flight_recorder_suite(void)
{
	TCase *tests;
	Suite *suite = harness__suite("flight_recorder", 120, &tests);

	tcase_add_checked_fixture(tests, recorded_run__setup, stock_perf__teardown);
	tcase_add_test(tests, test_signal_and_request);
	tcase_add_test(tests, test_ctrl_c_without_a_dump_before);
	tcase_add_test(tests, test_end_of_the_command);
	tcase_add_test(tests, test_on_event);
	tcase_add_test(tests, test_on_record);
	tcase_add_test(tests, test_on_lost_and_max_dumps);
	tcase_add_test(tests, test_no_trigger_no_dump);
	tcase_add_test(tests, test_last_bounds_the_dump);
	tcase_add_test(tests, test_full_speed);
	tcase_add_test(tests, test_killed_in_a_dump);
	tcase_add_test(tests, test_requests_to_others);
	tcase_add_test(tests, test_impostor_is_refused);
	tcase_add_test(tests, test_squatters_of_names);
	tcase_add_test(tests, test_stale_socket);
	tcase_add_test(tests, test_directory_of_a_stranger);
	tcase_add_test(tests, test_interval_by_default);
	tcase_add_test(tests, test_without_an_interval);
	tcase_add_test(tests, test_refused_options);
	return suite;
}

int main(int argc, char **argv)
{
	static const suite_fn suites[] = { flight_recorder_suite };

	return harness__main(argc, argv, suites, 1);
}
