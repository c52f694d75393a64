// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_sampled_programs.c: programs that run at samples of perf events: SEC("perf_event"). */
#include "support/load/channel_load.h"
#include "support/machine/cpu_switch.h"
#include "live/bpf/sampled.bpf.h"

EMBED_OBJECT(sampled)

#define FREQ	   500 /* the default of the object */
#define OTHER_FREQ 99  /* of programs that state no event */

static struct peat_session *session;
static volatile struct sampled_runs *runs;
static struct cpus online;
static uint32_t last;
static uint64_t started_ns;

static void begin(void)
{
	online = online_cpus();
	last = online.limit - 1;
}

static void end(void)
{
	peat_session__free(session);
	session = NULL;
	cpus__free(&online);
}

static void add(const char *cpus)
{
	struct peat_session_opts opts = { .sz = sizeof(opts), .cpus = cpus };

	peat_set_print(keep_messages);
	*messages = '\0';
	session = peat_session__new(&opts);
	ck_assert_msg(session, "%s", messages);
	ck_assert_msg(!peat_session__add(session, sampled_object.name, sampled_object.bytes,
					 *sampled_object.count),
		      "%s", messages);
}

static void start(void)
{
	struct peat_variable variable = { .sz = sizeof(variable) };

	started_ns = now_ns();
	ck_assert_msg(!peat_session__start(session, NULL), "%s", messages);
	ck_assert_int_eq(peat_session__variable(session, "sampled_runs", &variable), 0);
	runs = variable.memory;
}

static uint64_t discard_events(void)
{
	const struct peat_event *event;
	uint64_t events = 0;

	while (peat_reader__next(peat_session__reader(session), &event) > 0)
		events += event->kind == PEAT_EVENT_DATA;
	return events;
}

/* Keeps the CPU busy, and reads events, until both programs have run there `more` times. */
static void run_on(uint32_t cpu, uint64_t more)
{
	const struct sampled_runs before = { runs[cpu].stated, runs[cpu].other };
	uint64_t deadline_ns = now_ns() + 20000000000;

	ck_assert_uint_lt(cpu, SAMPLED_CPUS);
	pin_to(cpu);
	while (runs[cpu].stated < before.stated + more || runs[cpu].other < before.other + more) {
		ck_assert_msg(now_ns() < deadline_ns, "no samples on CPU %u: %s", cpu, messages);
		discard_events();
	}
}

/* cpu-clock has a fixed period, so that there are never more samples than time allows. */
static uint64_t most(uint32_t freq)
{
	return (now_ns() - started_ns) * freq / 1000000000 + 2;
}

START_TEST(test_each_cpu)
{
	begin();
	add(NULL);
	start();
	for_each_cpu (cpu, &online)
		run_on(cpu, 3);
	for_each_cpu (cpu, &online) {
		ck_assert_uint_le(runs[cpu].other, most(OTHER_FREQ));
		ck_assert_uint_le(runs[cpu].stated, most(FREQ));
	}
	ck_assert_str_eq(messages, "");
	end();
}
END_TEST

START_TEST(test_events_are_delivered)
{
	uint64_t events, samples = 0;

	begin();
	add(NULL);
	start();
	pin_to(0);
	while (runs[0].stated < 5)
		continue;
	peat_session__stop(session);
	for_each_cpu (cpu, &online)
		samples += runs[cpu].stated;
	events = discard_events();
	ck_assert_uint_eq(events, samples);
	ck_assert_uint_ge(events, 5);
	end();
}
END_TEST

START_TEST(test_programs_stop)
{
	uint64_t stated;

	begin();
	add(NULL);
	start();
	run_on(0, 1);
	peat_session__stop(session);
	stated = runs[0].stated;
	started_ns = now_ns();
	while (now_ns() - started_ns < 50000000)
		continue;
	ck_assert_uint_eq(runs[0].stated, stated);
	end();
}
END_TEST

START_TEST(test_chosen_cpu)
{
	char cpu[16];

	begin();
	if (!last)
		skip("there is one CPU only");
	snprintf(cpu, sizeof(cpu), "%u", last);
	add(cpu);
	start();
	run_on(last, 3);
	pin_to(0);
	started_ns = now_ns();
	while (now_ns() - started_ns < 50000000)
		continue;
	ck_assert_uint_eq(runs[0].stated, 0);
	ck_assert_uint_eq(runs[0].other, 0);
	end();
}
END_TEST

/* ---- events ---------------------------------------------------------------------------------- */

START_TEST(test_rate_is_set)
{
	begin();
	add(NULL);
	ck_assert_int_eq(peat_session__set_number(session, "freq", 50), 0);
	start();
	run_on(0, 3);
	ck_assert_uint_le(runs[0].stated, most(50));
	end();
}
END_TEST

/* Software events happen in the task: each page fault is a sample at period=1. */
START_TEST(test_other_event)
{
	unsigned char *page;

	begin();
	add(NULL);
	ck_assert_int_eq(peat_session__set_text(session, "event", "page-faults/period=1/"), 0);
	start();
	pin_to(0);
	for (int i = 0; i < 10; i++) {
		page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		ck_assert_ptr_ne(page, MAP_FAILED);
		*(volatile unsigned char *)page = 1;
		munmap(page, 4096);
	}
	ck_assert_uint_ge(runs[0].stated, 10);
	end();
}
END_TEST

/* Machines without such a counter sample the clock, and the log says so. */
START_TEST(test_cycles_or_clock)
{
	bool replaced;

	begin();
	add(NULL);
	ck_assert_int_eq(peat_session__set_text(session, "event", "cycles"), 0);
	start();
	run_on(0, 3);
	replaced = strstr(messages, "no counter of CPU cycles");
	printf("# cycles: %s\n", replaced ? "replaced by cpu-clock" : "counted");
	if (!replaced)
		ck_assert_str_eq(messages, "");
	end();
}
END_TEST

static void refused(const char *event, uint64_t freq, int err, const char *why)
{
	unsigned fds = process__count_fds();

	add(NULL);
	ck_assert_int_eq(peat_session__set_text(session, "event", event), 0);
	ck_assert_int_eq(peat_session__set_number(session, "freq", freq), 0);
	ck_assert_int_eq(peat_session__start(session, NULL), err);
	ck_assert_msg(strstr(messages, "cannot attach on_stated of sampled") &&
			      strstr(messages, why),
		      "%s", messages);
	peat_session__free(session);
	session = NULL;
	ck_assert_uint_eq(process__count_fds(), fds);
}

START_TEST(test_refused_events)
{
	refused("nosuch", 99, -ENOENT, "'nosuch' is unknown");
	refused("cpu-clock,page-faults", 99, -EINVAL, "stands for several events, such as");
	refused("sched:sched_switch", 99, -EINVAL, "is a tracepoint: its programs have");
	refused("cpu-clock", 0, -EINVAL, "freq=0: the kernel allows 1 to ");
	refused("cpu-clock", 4000000000, -EINVAL, "freq=4000000000: the kernel allows 1 to ");
}
END_TEST

START_TEST(test_pins_are_refused)
{
	add(NULL);
	ck_assert_int_eq(peat_session__pin(session, "/sys/fs/bpf/peat-test-sampled"), 0);
	ck_assert_int_eq(peat_session__start(session, NULL), -EOPNOTSUPP);
	ck_assert_msg(strstr(messages, "programs of perf events cannot outlive peat"), "%s",
		      messages);
	peat_session__free(session);
}
END_TEST

/* ---- forks ----------------------------------------------------------------------------------- */

static int free_session(void *unused)
{
	(void)unused;
	peat_session__free(session);
	return 0;
}

START_TEST(test_child_frees_session)
{
	begin();
	add(NULL);
	start();
	run_on(0, 1);
	process__do(free_session, NULL);
	run_on(0, 3);
	end();
}
END_TEST

/* ---- CPUs that return ------------------------------------------------------------------------ */

static void restore(void)
{
	if (last)
		cpu_switch__set(last, "1");
}

START_TEST(test_cpu_returns)
{
	begin();
	if (!last || cpu_switch__set(last, "0"))
		skip("no CPU that can be switched off");
	ck_assert_int_eq(cpu_switch__set(last, "1"), 0);
	add(NULL);
	start();
	for (int i = 0; i < 3; i++) {
		run_on(last, 2);
		pin_to(0);
		ck_assert_int_eq(cpu_switch__set(last, "0"), 0);
		run_on(0, 2);
		ck_assert_int_eq(cpu_switch__set(last, "1"), 0);
	}
	run_on(last, 2);
	ck_assert_str_eq(messages, "");
	end();
}
END_TEST

/* A CPU that was offline at the start is sampled once it is online. */
START_TEST(test_cpu_arrives)
{
	begin();
	if (!last || cpu_switch__set(last, "0"))
		skip("no CPU that can be switched off");
	add(NULL);
	start();
	run_on(0, 2);
	ck_assert_int_eq(cpu_switch__set(last, "1"), 0);
	run_on(last, 2);
	ck_assert_str_eq(messages, "");
	end();
}
END_TEST

static Suite *sampled_programs_suite(void)
{
	TCase *tests;
	Suite *suite = harness__suite("sampled_programs", 60, &tests);

	tcase_add_checked_fixture(tests, NULL, restore);
	tcase_add_test(tests, test_each_cpu);
	tcase_add_test(tests, test_events_are_delivered);
	tcase_add_test(tests, test_programs_stop);
	tcase_add_test(tests, test_chosen_cpu);
	tcase_add_test(tests, test_rate_is_set);
	tcase_add_test(tests, test_other_event);
	tcase_add_test(tests, test_cycles_or_clock);
	tcase_add_test(tests, test_refused_events);
	tcase_add_test(tests, test_pins_are_refused);
	tcase_add_test(tests, test_child_frees_session);
	tcase_add_test(tests, test_cpu_returns);
	tcase_add_test(tests, test_cpu_arrives);
	return suite;
}

int main(int argc, char **argv)
{
	const suite_fn suites[] = { sampled_programs_suite };

	return harness__main(argc, argv, suites, 1);
}
