// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * test_program.c: peat-agent as a service: what it tells systemd, what it gives up, how it answers
 * and ends.
 */
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "support/machine/command.h"
#include "support/machine/harness.h"
#include "support/machine/json_event.h"
#include "support/machine/mounts.h"
#include "support/machine/process.h"
#include "support/machine/scratch.h"

#define CONFIG scratch__path("agent.yaml")

/* Configurations are YAML. */
#ifdef HAVE_YAML
#define NEED_YAML
#else
#define NEED_YAML skip("peat was built without libyaml")
#endif

/* The agent; and the output of `peat agent OPTION`, or its error. */
static struct command agent, asked;
static int notify_fd;

#define configure(...) scratch__replace("agent.yaml", __VA_ARGS__)

/* The socket of a service manager. */
static void listen_for_states(void)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	const struct timeval timeout = { .tv_sec = 20 };

	snprintf(address.sun_path, sizeof(address.sun_path), "%s", scratch__path("notify"));
	notify_fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	ck_assert_int_ge(notify_fd, 0);
	ck_assert_int_eq(bind(notify_fd, (struct sockaddr *)&address, sizeof(address)), 0);
	ck_assert_int_eq(setsockopt(notify_fd, SOL_SOCKET, SO_RCVTIMEO, &timeout, sizeof(timeout)),
			 0);
	setenv("NOTIFY_SOCKET", address.sun_path, 1);
}

/* Waits for a state that begins so. */
static void expect_state(const char *begin)
{
	char state[512];
	ssize_t bytes;

	do {
		bytes = recv(notify_fd, state, sizeof(state) - 1, 0);
		ck_assert_msg(bytes > 0, "no state %s", begin);
		state[bytes] = '\0';
	} while (strncmp(state, begin, strlen(begin)));
}

static void start(void)
{
	command__start(&agent, ALL_CAPS, ARGV(command__peat(), "agent", "-c", CONFIG));
	expect_state("READY=1");
}

static void stop(int number)
{
	kill(agent.pid, number);
	command__finish(&agent);
}

static void end(void)
{
	command__free(&asked);
	command__free(&agent);
	scratch__remove();
}

/* The search for leaks at the end of a program traces it, which the agent forbids itself. */
static void begin(void)
{
	setenv("LSAN_OPTIONS", "detect_leaks=0", 1);
	scratch__make();
	listen_for_states();
}

static void ask(const char *option, const char *more)
{
	command__free(&asked);
	command__run(&asked, ALL_CAPS, ARGV(command__peat(), "agent", "-c", CONFIG, option, more));
}

#define ONE_OUTPUT                                                                                 \
	"agent: {socket: %s/socket}\noutputs:\n  lines: {file: %s/lines.json}\n"                   \
	"pipelines:\n  runs: {source: exec, outputs: lines}\n"

START_TEST(test_service_tells_its_state)
{
	NEED_YAML;
	configure(ONE_OUTPUT, scratch__dir(), scratch__dir());
	setenv("WATCHDOG_USEC", "200000", 1);
	start();
	expect_state("WATCHDOG=1");
	kill(agent.pid, SIGHUP);
	expect_state("RELOADING=1\nMONOTONIC_USEC=");
	expect_state("READY=1");
	kill(agent.pid, SIGTERM);
	expect_state("STOPPING=1");
	command__finish(&agent);
	ck_assert_msg(!agent.status, "%d: %s", agent.status, agent.err_text);
	ck_assert_ptr_nonnull(strstr(agent.err_text, "runs to lines: offered "));
}
END_TEST

/* Events of a program that ran while the agent did, and no others, are in the file. */
START_TEST(test_events_are_in_file)
{
	pid_t pid;
	char text[64], line[4096];
	unsigned found = 0;
	FILE *file;

	NEED_YAML;
	configure(ONE_OUTPUT, scratch__dir(), scratch__dir());
	start();
	pid = process__run("/proc/self/exe", ARGV("x", "--list"));
	stop(SIGINT);
	snprintf(text, sizeof(text), "\"pid\":%d,", (int)pid);
	file = fopen(scratch__path("lines.json"), "r");
	ck_assert_ptr_nonnull(file);
	while (fgets(line, sizeof(line), file))
		found += strstr(line, text) && strstr(line, "\"type\":\"exec\"");
	fclose(file);
	ck_assert_uint_eq(found, 1);
}
END_TEST

static uint64_t status_number(const char *name)
{
	char path[64], line[256];
	unsigned long long number = UINT64_MAX;
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%d/status", (int)agent.pid);
	file = fopen(path, "r");
	ck_assert_ptr_nonnull(file);
	while (fgets(line, sizeof(line), file))
		if (!strncmp(line, name, strlen(name)))
			number = strtoull(line + strlen(name), NULL,
					  strncmp(name, "Cap", 3) ? 10 : 16);
	fclose(file);
	return number;
}

/* The source of the new configuration is another one, so that it is attached. */
START_TEST(test_reload_without_mounted_tracefs)
{
	NEED_YAML;
	mounts__hide_tracefs();
	configure(ONE_OUTPUT, scratch__dir(), scratch__dir());
	start();
	configure("agent: {socket: %s/socket}\noutputs:\n  lines: {file: %s/lines.json}\n"
		  "pipelines:\n  opens: {source: open, outputs: lines}\n",
		  scratch__dir(), scratch__dir());
	ask("--reload", NULL);
	ck_assert_msg(!asked.status, "%s", asked.err_text);
	ask("--status", NULL);
	ck_assert_msg(strstr(asked.out_text, "opens"), "%s", asked.out_text);
	stop(SIGTERM);
	ck_assert_msg(!agent.status, "%s", agent.err_text);
}
END_TEST

START_TEST(test_agent_gives_up_privileges)
{
	NEED_YAML;
	configure(ONE_OUTPUT, scratch__dir(), scratch__dir());
	start();
	ck_assert_uint_eq(status_number("CapEff:") & CAP(SYS_ADMIN), 0);
	ck_assert_uint_eq(status_number("CapBnd:") & (CAP(SYS_ADMIN) | CAP(SETUID)), 0);
	ck_assert_uint_eq(status_number("CapEff:") & CAP(BPF), CAP(BPF));
	ck_assert_uint_eq(status_number("NoNewPrivs:"), 1);
	ck_assert_uint_eq(status_number("Seccomp:"), 2);
	stop(SIGTERM);
}
END_TEST

START_TEST(test_status_and_reload)
{
	NEED_YAML;
	configure(ONE_OUTPUT, scratch__dir(), scratch__dir());
	start();
	ask("--status", NULL);
	ck_assert_msg(!asked.status, "%s", asked.err_text);
	ck_assert_ptr_nonnull(strstr(asked.out_text, "source runs: emitted "));
	ask("--status", "-j");
	ck_assert_str_eq(json_event__text(asked.out_text, "sources[0].source"), "runs");
	configure(ONE_OUTPUT "  opens: {source: exec, count: comm, outputs: lines}\n",
		  scratch__dir(), scratch__dir());
	ask("--reload", NULL);
	if (asked.status)
		stop(SIGTERM);
	ck_assert_msg(!asked.status, "%s%s", asked.err_text, agent.err_text ?: "");
	ask("--status", "-j");
	ck_assert_str_eq(json_event__text(asked.out_text, "sources[1].source"), "opens");
	configure(ONE_OUTPUT "  more: {source: nosuch, outputs: lines}\n", scratch__dir(),
		  scratch__dir());
	ask("--reload", NULL);
	ck_assert_int_eq(asked.status, 1);
	ck_assert_ptr_nonnull(strstr(asked.err_text, "nothing was changed"));
	ask("--status", "-j");
	ck_assert(!json_event__has(asked.out_text, "sources[2]"));
	stop(SIGTERM);
	ck_assert_ptr_nonnull(strstr(agent.err_text, "unknown probe 'nosuch'"));
	ck_assert_int_ne(access(scratch__path("socket"), F_OK), 0);
}
END_TEST

/* Waits until the ledger has a point of the runs of a source's programs. */
static bool has_runs_of(const char *source)
{
	char label[64], line[4096];

	snprintf(label, sizeof(label), "\"source\":\"%s\"", source);
	for (int i = 0; i < 200; i++) {
		bool is_found = false;
		FILE *file;

		process__run("/proc/self/exe", ARGV("x", "--list"));
		file = fopen(scratch__path("lines.json"), "r");
		ck_assert_ptr_nonnull(file);
		while (!is_found && fgets(line, sizeof(line), file))
			is_found = strstr(line, "\"peat.program.time\"") && strstr(line, label);
		fclose(file);
		if (is_found)
			return true;
		usleep(50000);
	}
	return false;
}

#define MEASURED                                                                                   \
	"agent: {socket: %s/socket}\noutputs:\n  lines: {file: %s/lines.json}\n"                   \
	"pipelines:\n  own: {ledger: true, interval: 100ms, outputs: lines}\n"

/* CAP_SYS_ADMIN is needed at the start only. */
START_TEST(test_measures_programs)
{
	NEED_YAML;
	configure(MEASURED "  first: {source: exec, measure: true, outputs: lines}\n",
		  scratch__dir(), scratch__dir());
	start();
	ck_assert_uint_eq(status_number("CapEff:") & CAP(SYS_ADMIN), 0);
	ck_assert(has_runs_of("first"));
	configure(MEASURED "  second: {source: exec, measure: true, outputs: lines}\n",
		  scratch__dir(), scratch__dir());
	ask("--reload", NULL);
	ck_assert_msg(!asked.status, "%s", asked.err_text);
	ck_assert(has_runs_of("second"));
	stop(SIGTERM);
	ck_assert_msg(!strstr(agent.err_text, "cannot measure"), "%s", agent.err_text);
}
END_TEST

START_TEST(test_reload_is_too_late_to_measure)
{
	NEED_YAML;
	configure(ONE_OUTPUT, scratch__dir(), scratch__dir());
	start();
	configure(ONE_OUTPUT "  more: {source: exec, measure: true, outputs: lines}\n",
		  scratch__dir(), scratch__dir());
	ask("--reload", NULL);
	ck_assert_msg(!asked.status, "%s", asked.err_text);
	stop(SIGTERM);
	ck_assert_ptr_nonnull(strstr(agent.err_text, "pipeline more: cannot measure its programs"));
}
END_TEST

START_TEST(test_second_agent_is_refused)
{
	NEED_YAML;
	configure(ONE_OUTPUT, scratch__dir(), scratch__dir());
	start();
	command__run(&asked, ALL_CAPS, ARGV(command__peat(), "agent", "-c", CONFIG));
	ck_assert_int_eq(asked.status, 1);
	ck_assert_ptr_nonnull(strstr(asked.err_text, "another process writes to it"));
	stop(SIGKILL);
	command__free(&agent);
	start(); /* the socket of the killed one is replaced */
	ask("--status", NULL);
	ck_assert_int_eq(asked.status, 0);
	stop(SIGTERM);
}
END_TEST

static void check_refuses(const char *settings, const char *why)
{
	char text[256];

	snprintf(text, sizeof(text),
		 "outputs: {one: {file: /tmp/y}}\npipelines:\n  a: {%s, outputs: one}\n", settings);
	configure("%s", text);
	ask("--check", NULL);
	ck_assert_int_eq(asked.status, 64);
	ck_assert_msg(strstr(asked.err_text, why), "%s", asked.err_text);
	ck_assert_ptr_nonnull(strstr(asked.err_text, "agent.yaml:3:3: pipeline a: cannot start"));
}

START_TEST(test_wrong_options_and_files)
{
	NEED_YAML;
	configure("outputs: {one: {file: /tmp/x}}\npipelines:\n  a: {source: exec, output: one}\n");
	ask("--check", NULL);
	ck_assert_int_eq(asked.status, 64);
	ck_assert_ptr_nonnull(strstr(asked.err_text, "agent.yaml:3:29: pipeline a: output: no such "
						     "setting: did you mean \"outputs\"?"));
	ask("--status", "--reload");
	ck_assert_int_eq(asked.status, 64);
	check_refuses("source: exce", "unknown probe 'exce'");
	check_refuses("source: 'exec,speed=1'", "source exec has no option 'speed'");
	check_refuses("source: ./none.bpf.o", "none.bpf.o");
	check_refuses("source: exec, where: 'uid = 3'", "= is no operator");
	check_refuses("stat: [cycles, faulst]", "faulst");
	check_refuses("source: exec, flight: 1M, on: exti", "unknown probe 'exti'");
	check_refuses("source: exec, flight: 1M, on: nonsense>5", "no event nonsense");
	configure("outputs: {one: {file: /tmp/x}}\n"
		  "pipelines:\n  a: {source: exec, outputs: one}\n");
	ask("--check", NULL);
	ck_assert_msg(!asked.status, "%s", asked.err_text);
	ask("--status", NULL);
	ck_assert_int_eq(asked.status, 64);
	ck_assert_ptr_nonnull(strstr(asked.err_text, "names no socket"));
	command__free(&asked);
	command__run(&asked, ALL_CAPS,
		     ARGV(command__peat(), "agent", "-c", scratch__path("none.yaml")));
	ck_assert_int_eq(asked.status, 1);
	ck_assert_ptr_nonnull(strstr(asked.err_text, "none.yaml: No such file or directory"));
}
END_TEST

static Suite *program_suite(void)
{
	TCase *tests;
	Suite *suite = harness__suite("program", 60, &tests);

	tcase_add_checked_fixture(tests, begin, end);
	tcase_add_test(tests, test_service_tells_its_state);
	tcase_add_test(tests, test_events_are_in_file);
	tcase_add_test(tests, test_agent_gives_up_privileges);
	tcase_add_test(tests, test_reload_without_mounted_tracefs);
	tcase_add_test(tests, test_status_and_reload);
	tcase_add_test(tests, test_measures_programs);
	tcase_add_test(tests, test_reload_is_too_late_to_measure);
	tcase_add_test(tests, test_second_agent_is_refused);
	tcase_add_test(tests, test_wrong_options_and_files);
	return suite;
}

int main(int argc, char **argv)
{
	static const suite_fn suites[] = { program_suite };

	return harness__main(argc, argv, suites, 1);
}
