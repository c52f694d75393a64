// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * test_restart.c: agents that end in any way, and the next ones, which read pinned programs on and
 * continue the ledger.
 */
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "support/machine/command.h"
#include "support/machine/harness.h"
#include "support/machine/json_event.h"
#include "support/machine/mounts.h"
#include "support/machine/object.h"
#include "support/machine/paranoid.h"
#include "support/machine/process.h"
#include "support/machine/scratch.h"

EMBED_OBJECT(stranger)

#define PIN "/sys/fs/bpf/restart"

/* Configurations are YAML. */
#ifdef HAVE_YAML
#define NEED_YAML
#else
#define NEED_YAML skip("peat was built without libyaml")
#endif

static struct command agent, asked;

/* ---- a process that makes events ------------------------------------------------------------- */

/* Shared with the maker. */
struct making {
	atomic_uint_fast64_t made;
	atomic_bool is_paused, has_paused;
};

static struct making *making;
static pid_t maker;

/* Some thousand events a second. */
static void make_events(void)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	for (;;) {
		atomic_store(&making->has_paused, atomic_load(&making->is_paused));
		if (!atomic_load(&making->has_paused)) {
			syscall(SYS_getpgid, 0);
			atomic_fetch_add(&making->made, 1);
		}
		usleep(100);
	}
}

static void start_maker(void)
{
	making = mmap(NULL, sizeof(*making), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1,
		      0);
	ck_assert(making != MAP_FAILED);
	atomic_store(&making->is_paused, true);
	maker = fork();
	ck_assert_int_ge(maker, 0);
	if (!maker)
		make_events();
}

/* Returns the number of events so far. */
static uint64_t pause_maker(void)
{
	atomic_store(&making->is_paused, true);
	while (!atomic_load(&making->has_paused))
		usleep(1000);
	return atomic_load(&making->made);
}

static void resume_maker(void)
{
	atomic_store(&making->is_paused, false);
}

/* Makes at least so many further events. */
static void make_more(uint64_t count)
{
	uint64_t until = atomic_load(&making->made) + count;

	resume_maker();
	while (atomic_load(&making->made) < until)
		usleep(1000);
	pause_maker();
}

/* ---- agents ---------------------------------------------------------------------------------- */

static void configure(const char *more)
{
	FILE *file = fopen(scratch__path("agent.yaml"), "we");

	ck_assert_ptr_nonnull(file);
	fprintf(file,
		"agent: {socket: %s/socket, state: %s/state}\n"
		"outputs:\n  lines: {file: %s/lines.json}\n"
		"pipelines:\n  own: {outputs: lines, source: '%s/stranger.bpf.o,only_pid=%d,"
		"getpgid_number=%d'%s}\n",
		scratch__dir(), scratch__dir(), scratch__dir(), scratch__dir(), (int)maker,
		(int)SYS_getpgid, more);
	ck_assert_int_eq(fclose(file), 0);
}

static void ask(const char *option, const char *more)
{
	command__free(&asked);
	command__run(
		&asked, ALL_CAPS,
		ARGV(command__peat(), "agent", "-c", scratch__path("agent.yaml"), option, more));
}

static void start_with(uint64_t caps)
{
	command__start(&agent, caps,
		       ARGV(command__peat(), "agent", "-c", scratch__path("agent.yaml")));
	do {
		if (!command__is_running(&agent)) {
			command__finish(&agent);
			ck_abort_msg("the agent has ended: %s", agent.err_text);
		}
		usleep(10000);
		ask("--status", "-j");
	} while (asked.status);
}

static void start(void)
{
	start_with(ALL_CAPS);
}

/* The messages of the agent stay in agent.err_text. */
static void stop(int number)
{
	kill(agent.pid, number);
	command__finish(&agent);
}

/* ---- the ledger ------------------------------------------------------------------------------ */

static uint64_t number(const char *path)
{
	return json_event__number(asked.out_text, path);
}

static uint64_t sum_of_causes(void)
{
	static const char *const causes[] = { "ring_full", "nested",	"no_ring",
					      "too_big",   "throttled", "abandoned",
					      "other",	   "corrupt",	"agent_died" };
	uint64_t sum = 0;
	char path[64];

	for (size_t i = 0; i < sizeof(causes) / sizeof(*causes); i++) {
		snprintf(path, sizeof(path), "sources[0].causes.%s", causes[i]);
		sum += number(path);
	}
	return sum;
}

/*
 * Events of the maker that programs did not see: Linux 7.2 skips runs of a program that preempt
 * another run of it.  The ledger has no skips between two agents.
 */
static uint64_t most_skipped(uint64_t made)
{
	return number("sources[0].skipped") ? made / 10 : made / 1000;
}

/* Waits until all events are at their end.  Returns the number of those that programs saw. */
static uint64_t settle(uint64_t made)
{
	for (int i = 0; i < 200; i++) {
		ask("--status", "-j");
		ck_assert_msg(!asked.status, "%s", asked.err_text);
		ck_assert_uint_le(number("sources[0].emitted"), made);
		if (number("sources[0].emitted") + most_skipped(made) >= made &&
		    !number("sources[0].in_rings") && !number("flows[0].waiting") &&
		    number("sources[0].delivered") == number("sources[0].offered"))
			return number("sources[0].emitted");
		usleep(10000);
	}
	ck_abort_msg("of %llu events: %s", (unsigned long long)made, asked.out_text);
	return 0;
}

static int compare_times(const void *a, const void *b)
{
	const uint64_t *one = a, *other = b;

	return (*one > *other) - (*one < *other);
}

/* Events of the maker have different times.  A line can have been cut. */
static uint64_t count_lines(void)
{
	uint64_t most = atomic_load(&making->made);
	uint64_t *times = calloc(most, sizeof(*times)), count = 0;
	FILE *file = fopen(scratch__path("lines.json"), "re");
	char line[4096];

	ck_assert(times && file);
	while (fgets(line, sizeof(line), file)) {
		const char *time = strstr(line, "\"time_ns\":");

		if (!time || !strstr(line, "\"type\":\"stranger\"") || !strstr(line, "}\n"))
			continue;
		ck_assert_uint_lt(count, most);
		times[count++] = strtoull(time + strlen("\"time_ns\":"), NULL, 10);
	}
	fclose(file);
	qsort(times, count, sizeof(*times), compare_times);
	for (uint64_t i = 1; i < count; i++)
		ck_assert_msg(times[i] != times[i - 1], "an event is there twice");
	free(times);
	return count;
}

/*
 * Each event is counted once.  Events that an agent wrote to the file within the second before it
 * was killed are there, and count as lost with it.
 */
static void check_ledger(uint64_t made)
{
	uint64_t emitted = settle(made), acknowledged, lines, died;

	ck_assert_msg(number("sources[0].delivered") + number("sources[0].lost") == emitted, "%s",
		      asked.out_text);
	ck_assert_uint_eq(number("sources[0].lost"), sum_of_causes());
	ck_assert_uint_eq(number("flows[0].offered"), number("sources[0].offered"));
	acknowledged = number("flows[0].acknowledged");
	ck_assert_uint_eq(number("flows[0].offered"), acknowledged + number("flows[0].agent_died") +
							      number("flows[0].dropped") +
							      number("flows[0].refused"));
	died = number("flows[0].agent_died") + number("sources[0].causes.agent_died");
	lines = count_lines();
	ck_assert_msg(lines >= acknowledged && lines <= acknowledged + died, "%llu lines: %s",
		      (unsigned long long)lines, asked.out_text);
}

/* ---- tests ----------------------------------------------------------------------------------- */

static void make_object(void)
{
	FILE *file = fopen(scratch__path("stranger.bpf.o"), "we");

	ck_assert_ptr_nonnull(file);
	ck_assert_uint_eq(fwrite(stranger_object.bytes, *stranger_object.count, 1, file), 1);
	ck_assert_int_eq(fclose(file), 0);
}

static void begin(void)
{
	setenv("LSAN_OPTIONS", "detect_leaks=0", 1);
	scratch__make();
	make_object();
	mounts__own_bpffs();
	start_maker();
}

static void end(void)
{
	kill(maker, SIGKILL);
	waitpid(maker, NULL, 0);
	command__free(&asked);
	command__free(&agent);
	scratch__remove();
}

/* The inode of the pinned link; 0: none. */
static uint64_t pinned_link(void)
{
	struct stat link;

	return stat(PIN "/current/link-0", &link) ? 0 : link.st_ino;
}

/* A configuration without `pin` ends the programs that a former agent has pinned. */
static void end_programs(void)
{
	configure("");
	start();
	ck_assert_int_ne(access(PIN, F_OK), 0);
	stop(SIGTERM);
}

static void kill_while_it_starts(void)
{
	command__start(&agent, ALL_CAPS,
		       ARGV(command__peat(), "agent", "-c", scratch__path("agent.yaml")));
	usleep((useconds_t)(rand() % 80000));
	stop(SIGKILL);
	command__free(&agent);
}

/* An emulated machine takes seconds to start an agent: it has fewer. */
#define KILLS	50
#define SECONDS 60

START_TEST(test_killed_agents_lose_nothing_uncounted)
{
	const time_t until = time(NULL) + SECONDS;
	uint64_t made, link, kills = 0;

	NEED_YAML;
	srand((unsigned)getpid());
	configure(", pin: " PIN);
	start();
	link = pinned_link();
	ck_assert_uint_ne(link, 0);
	resume_maker();
	for (; kills < KILLS && time(NULL) < until; kills++) {
		usleep((useconds_t)(rand() % 400000));
		stop(kills % 8 == 7 ? SIGTERM : SIGKILL);
		command__free(&agent);
		usleep((useconds_t)(rand() % 20000));
		if (kills % 5 == 4)
			kill_while_it_starts();
		start();
	}
	made = pause_maker();
	check_ledger(made);
	ck_assert_uint_eq(pinned_link(), link);
	ck_assert_uint_gt(number("agents"), kills);
	stop(SIGTERM);
	ck_assert_int_eq(agent.status, 0);
	command__free(&agent);
	end_programs();
}
END_TEST

/* Nothing is lost if there is room for the events between two agents.  uid is in no field of
 * theirs. */
START_TEST(test_ended_agent_loses_nothing)
{
	NEED_YAML;
	configure(", pin: " PIN ", where: 'uid == 0 && large == 8000', identity: true");
	start();
	make_more(100);
	stop(SIGTERM);
	command__free(&agent);
	make_more(5);
	start();
	make_more(100);
	check_ledger(atomic_load(&making->made));
	ck_assert_uint_eq(number("sources[0].lost"), 0);
	ck_assert_uint_eq(count_lines(), number("sources[0].emitted"));
	stop(SIGTERM);
	command__free(&agent);
	end_programs();
}
END_TEST

/* Programs of other settings end, and their last events are counted. */
START_TEST(test_changed_settings_replace_programs)
{
	uint64_t link, made;

	NEED_YAML;
	configure(", pin: " PIN);
	start();
	link = pinned_link();
	make_more(100);
	stop(SIGKILL);
	command__free(&agent);
	make_more(7);
	made = atomic_load(&making->made);
	configure(", pin: " PIN ", where: 'large == 1'");
	start();
	ck_assert_uint_ne(pinned_link(), 0);
	ck_assert_uint_ne(pinned_link(), link);
	check_ledger(made);
	ask("--status", NULL);
	ck_assert_ptr_nonnull(strstr(asked.out_text, "(agent_died at most "));
	ask("--status", "-j");
	make_more(50);
	for (int i = 0; i < 200 && number("sources[0].filtered") < 40; i++) {
		usleep(10000);
		ask("--status", "-j");
	}
	ck_assert_uint_le(number("sources[0].emitted"), atomic_load(&making->made));
	ck_assert_uint_eq(number("sources[0].delivered") + number("sources[0].lost") +
				  number("sources[0].filtered"),
			  number("sources[0].emitted"));
	stop(SIGTERM);
	ck_assert_ptr_nonnull(strstr(agent.err_text, "no pipeline has their settings"));
	command__free(&agent);
	end_programs();
}
END_TEST

static void reload(void)
{
	ask("--reload", NULL);
	if (asked.status)
		stop(SIGTERM);
	ck_assert_msg(!asked.status, "%s%s", asked.err_text, agent.err_text ?: "");
}

/* Programs change places while events are made, and none is missing. */
static void replace_programs(const char *more)
{
	uint64_t link = pinned_link();

	configure(more);
	resume_maker();
	reload();
	usleep(20000);
	pause_maker();
	ck_assert_uint_ne(pinned_link(), link);
}

static void stop_and_check_lines(void)
{
	uint64_t made = atomic_load(&making->made), skipped;

	ask("--status", "-j");
	skipped = most_skipped(made);
	stop(SIGTERM);
	ck_assert_uint_ge(count_lines() + skipped, made);
}

START_TEST(test_reload_keeps_and_replaces_programs)
{
	uint64_t link;

	NEED_YAML;
	configure(", pin: " PIN);
	start();
	link = pinned_link();
	make_more(50);
	reload();
	ck_assert_uint_eq(pinned_link(), link);
	replace_programs(", pin: " PIN ", where: 'large > 1'");
	stop_and_check_lines();
	command__free(&agent);
	start();
	make_more(50);
	replace_programs(", pin: " PIN);
	replace_programs("");
	ck_assert_int_ne(access(PIN, F_OK), 0);
	stop_and_check_lines();
}
END_TEST

/* The next agent still finds programs whose replacement was undone. */
START_TEST(test_refused_reload_keeps_programs)
{
	uint64_t link;

	NEED_YAML;
	configure(", pin: " PIN);
	start();
	link = pinned_link();
	make_more(50);
	configure(", pin: " PIN ", where: 'large > 1'}\n  wrong: {outputs: lines, source: nosuch");
	ask("--reload", NULL);
	ck_assert_int_eq(asked.status, 1);
	ck_assert_ptr_nonnull(strstr(asked.err_text, "nothing was changed"));
	ck_assert_uint_eq(pinned_link(), link);
	configure(", pin: " PIN);
	make_more(50);
	stop(SIGTERM);
	command__free(&agent);
	start();
	ck_assert_uint_eq(pinned_link(), link);
	check_ledger(atomic_load(&making->made));
	ck_assert_uint_eq(number("sources[0].lost"), 0);
	stop(SIGTERM);
	command__free(&agent);
	end_programs();
}
END_TEST

START_TEST(test_damaged_state_is_put_aside)
{
	NEED_YAML;
	configure(", pin: " PIN);
	close(scratch__file("state", "peat-agent state 1\nsource own pinned_ns x\nend\n"));
	start();
	make_more(50);
	check_ledger(atomic_load(&making->made));
	ck_assert_uint_eq(number("agents"), 1);
	ck_assert_int_eq(access(scratch__path("state.damaged"), F_OK), 0);
	stop(SIGTERM);
	ck_assert_ptr_nonnull(strstr(agent.err_text, "all counts begin at 0"));
	command__free(&agent);
	end_programs();
}
END_TEST

/* Without CAP_SYS_ADMIN, programs cannot be found: they are replaced. */
START_TEST(test_agent_without_admin)
{
	const uint64_t caps = CAP(BPF) | CAP(PERFMON) | CAP(DAC_READ_SEARCH) | CAP(DAC_OVERRIDE);

	NEED_YAML;
	if (!perfmon_is_enough())
		skip("kernel.perf_event_paranoid is above 2: CAP_PERFMON opens no perf event");
	configure(", pin: " PIN);
	start_with(caps);
	make_more(50);
	stop(SIGKILL);
	command__free(&agent);
	start_with(caps);
	make_more(50);
	stop(SIGTERM);
	ck_assert_ptr_nonnull(strstr(agent.err_text, "they are replaced"));
	command__free(&agent);
	end_programs();
}
END_TEST

START_TEST(test_second_agent_is_refused)
{
	struct command second;

	NEED_YAML;
	configure(", pin: " PIN);
	start();
	make_more(50);
	command__run(&second, ALL_CAPS,
		     ARGV(command__peat(), "agent", "-c", scratch__path("agent.yaml")));
	ck_assert_int_eq(second.status, 1);
	command__free(&second);
	ck_assert_uint_ne(pinned_link(), 0);
	make_more(50);
	check_ledger(atomic_load(&making->made));
	ck_assert_uint_eq(number("sources[0].lost"), 0);
	stop(SIGTERM);
	command__free(&agent);
	end_programs();
}
END_TEST

static Suite *restart_suite(void)
{
	TCase *tests;
	Suite *suite = harness__suite("restart", 180, &tests);

	tcase_add_checked_fixture(tests, begin, end);
	tcase_add_test(tests, test_killed_agents_lose_nothing_uncounted);
	tcase_add_test(tests, test_ended_agent_loses_nothing);
	tcase_add_test(tests, test_changed_settings_replace_programs);
	tcase_add_test(tests, test_reload_keeps_and_replaces_programs);
	tcase_add_test(tests, test_refused_reload_keeps_programs);
	tcase_add_test(tests, test_damaged_state_is_put_aside);
	tcase_add_test(tests, test_agent_without_admin);
	tcase_add_test(tests, test_second_agent_is_refused);
	return suite;
}

int main(int argc, char **argv)
{
	static const suite_fn suites[] = { restart_suite };

	return harness__main(argc, argv, suites, 1);
}
