// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * test_alerts.c: alerts of the agent about itself, received by a socket of the test in the place of
 * journald's.
 *
 * The output `test` is of this program: it refuses batches for a while, or takes none.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <peat/agent.h>
#include <peat/log.h>

#include "support/agent/test_output.h"
#include "support/load/flood_run.h"
#include "support/machine/harness.h"
#include "support/machine/object.h"
#include "support/machine/scratch.h"
#include "unit/journal/receiver.h"

EMBED_TWINS(flood)

/* ---- an output ------------------------------------------------------------------------------- */

static atomic_bool refuses, is_closed;

static int write_test(struct peat_output *output, struct peat_batch *batch)
{
	uint64_t refused;

	if (is_closed)
		return -EAGAIN;
	refused = refuses ? peat_batch__points(batch) : 0;

	peat_output__settle(output, batch, refused, refused ? "the disk\nis full" : NULL);
	return 0;
}

static bool is_away(void)
{
	return is_closed;
}

/* ---- agents and their alerts ----------------------------------------------------------------- */

static int receiver;
static struct peat_agent *agent;
static const char *config;
static char object[256];

static void ignore_message(enum peat_log_level level, const char *text)
{
	(void)level, (void)text;
}

/* The pipelines follow. */
__attribute__((format(printf, 2, 3))) static void configure(const char *interval,
							    const char *format, ...)
{
	FILE *file = fopen(config, "w");
	va_list args;

	ck_assert_ptr_nonnull(file);
	fprintf(file,
		"agent: {alerts: journal, alert-interval: %s}\n"
		"outputs:\n  journal: {journal: journald, socket: %s}\n  one: {test: yes, queue: "
		"64K, when-full: drop-newest}\n"
		"pipelines:\n",
		interval, scratch__path("journal"));
	va_start(args, format);
	ck_assert_int_gt(vfprintf(file, format, args), 0);
	va_end(args);
	ck_assert_int_eq(fclose(file), 0);
}

static void begin(void)
{
	scratch__make();
	config = strdup(scratch__path("agent.yaml"));
	receiver = receiver__open("journal");
	snprintf(object, sizeof(object), "%s", scratch__path("flood.bpf.o"));
	object__write(&flood_object, object);
}

static void start(void)
{
	peat_set_print(ignore_message);
	agent = new_test_agent(config);
	ck_assert_ptr_nonnull(agent);
	ck_assert_int_eq(peat_agent__start(agent), 0);
}

static void end(void)
{
	peat_agent__free(agent);
	close(receiver);
	scratch__remove();
}

/* The next alert within 20 seconds; its message. */
static const char *next_alert(void)
{
	static char text[4096];
	struct pollfd fd = { .fd = receiver, .events = POLLIN };
	char *line;

	ck_assert_msg(poll(&fd, 1, 20000) == 1, "no alert");
	ck_assert(receiver__next(receiver, text, sizeof(text)));
	ck_assert_ptr_nonnull(strstr(text, "\nPEAT_EVENT=alert\n"));
	ck_assert_ptr_eq(strstr(text, "MESSAGE="), text);
	line = text + strlen("MESSAGE=");
	line[strcspn(line, "\n")] = '\0';
	return line;
}

static void expect(const char *message)
{
	ck_assert_str_eq(next_alert(), message);
}

static void expect_no_more(void)
{
	struct pollfd fd = { .fd = receiver, .events = POLLIN };

	peat_agent__stop(agent);
	ck_assert_int_eq(poll(&fd, 1, 0), 0);
}

/* ---- tests ----------------------------------------------------------------------------------- */

static void configure_flood(const struct flood_run *flood, const char *setting)
{
	configure("1h",
		  "  flood:\n    source: %s\n    set: [\"%s\", \"%s\", \"%s\"]\n    %s\n"
		  "    no-prog: [flood_softirq, flood_timer, flood_waking, flood_switch, "
		  "flood_clock]\n    outputs: one\n",
		  object, flood->sets[0], flood->sets[1], flood->sets[2], setting);
}

/* The output takes nothing, and its queue of 64 KiB is full soon. */
START_TEST(test_dropped_events_are_reported_once)
{
	struct flood_run flood;
	unsigned long long dropped;

	NEED_YAML;
	is_closed = true;
	flood_run__make(&flood, 0, 2000, 10);
	configure_flood(&flood, "latency: 50ms");
	start();
	flood_run__start(&flood);
	ck_assert_int_eq(sscanf(next_alert(),
				"agent: output one: %llu events of flood were dropped", &dropped),
			 1);
	ck_assert_uint_gt(dropped, 0);
	expect("agent: output one: it takes no batch for more than 10 s");
	flood_run__kill(&flood);
	is_closed = false;
	expect("agent: output one works again");
	expect_no_more();
}
END_TEST

/* At most one event a second passes: the others are lost all the time, and reported once. */
START_TEST(test_losses_are_reported_once)
{
	struct flood_run flood;
	unsigned long long lost, throttled;
	const char *alert;

	NEED_YAML;
	flood_run__make(&flood, 0, 2000, 10);
	configure_flood(&flood, "max-rate: 1");
	start();
	flood_run__start(&flood);
	alert = next_alert();
	ck_assert_int_eq(sscanf(alert, "agent: source flood: %llu events were lost: throttled %llu",
				&lost, &throttled),
			 2);
	ck_assert_msg(lost == throttled, "%s", alert);
	usleep(2500000);
	flood_run__kill(&flood);
	expect_no_more();
}
END_TEST

START_TEST(test_output_that_fails_and_works_again)
{
	NEED_YAML;
	refuses = true;
	configure("1h", "  self: {ledger: yes, interval: 100ms, outputs: one}\n");
	start();
	expect("agent: output one: the disk\\nis full");
	refuses = false;
	expect("agent: output one works again");
	refuses = true; /* within the interval */
	usleep(2500000);
	expect_no_more();
}
END_TEST

START_TEST(test_reload_that_fails)
{
	NEED_YAML;
	configure("1h", "  self: {ledger: yes, outputs: one}\n");
	start();
	configure("1h", "  more: {source: nosuch, outputs: one}\n");
	ck_assert_int_lt(peat_agent__reload(agent), 0);
	expect("agent: the configuration was not loaded, everything runs as before: pipeline more: "
	       "cannot start: No such file or directory");
	configure("1h", "  more: {nosuch: yes, outputs: one}\n");
	ck_assert_int_lt(peat_agent__reload(agent), 0);
	expect("agent: the configuration was not loaded, everything runs as before: Invalid "
	       "argument");
	configure("2h", "  self: {ledger: yes, outputs: one}\n");
	ck_assert_int_eq(peat_agent__reload(agent), 0);
	expect_no_more();
}
END_TEST

__attribute__((noinline, noclone, used, visibility("default"))) long alerts_trigger(long number)
{
	__asm__ volatile("" : "+r"(number));
	return number;
}

START_TEST(test_triggers_are_reported)
{
	char exe[256] = "";

	NEED_YAML;
	ck_assert_int_gt(readlink("/proc/self/exe", exe, sizeof(exe) - 1), 0);
	configure("1h",
		  "  recorder:\n    source: %s\n    flight: 64K\n    no-prog: [flood_softirq, "
		  "flood_timer, flood_waking, flood_switch, flood_clock]\n"
		  "    on: \"uprobe:%s:alerts_trigger\"\n    at-most-every: 0s\n    outputs: one\n",
		  object, exe);
	start();
	alerts_trigger(1);
	expect("agent: flight recorder recorder: triggered 1 time");
	alerts_trigger(2);
	expect("agent: flight recorder recorder: triggered 1 time");
	expect_no_more();
}
END_TEST

static Suite *alerts_suite(void)
{
	TCase *tests;
	Suite *suite = harness__suite("alerts", 60, &tests);

	tcase_add_checked_fixture(tests, begin, end);
	tcase_add_test(tests, test_dropped_events_are_reported_once);
	tcase_add_test(tests, test_losses_are_reported_once);
	tcase_add_test(tests, test_output_that_fails_and_works_again);
	tcase_add_test(tests, test_reload_that_fails);
	tcase_add_test(tests, test_triggers_are_reported);
	return suite;
}

int main(int argc, char **argv)
{
	static const suite_fn suites[] = { alerts_suite };

	return harness__main(argc, argv, suites, 1);
}
