// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * test_hotplug.c: the last CPU goes offline and returns while readers are open.  A reader notices
 * when its next drain begins: changes between two drains precede any check.
 */
#include <dirent.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <linux/filter.h>
#include <linux/netlink.h>
#include <linux/seccomp.h>

#include "support/machine/amount.h"
#include "support/load/channel_load.h"
#include "support/machine/cpu_switch.h"
#include "flood.h"
#include "object/globals.h"
#include "support/load/load.h"

EMBED_TWINS(flood)

/* Events that arrived, and those of the last CPU. */
static struct {
	uint64_t all, of_last;
	char comm[16]; /* of the last one */
} seen;

static uint32_t last, hole; /* 0: none */
static struct cpus at_first;
static volatile struct flood_count *counts;
static struct bpf_object *flood;
static struct bpf_link *attached;
static unsigned fds_without; /* a reader */

/* ---- CPUs ------------------------------------------------------------------------------------ */

static void switch_last(const char *state)
{
	ck_assert_int_eq(cpu_switch__set(last, state), 0);
}

/* Whether there is a CPU to switch: the last one. */
static bool can_switch(void)
{
	struct cpus cpus = online_cpus();

	last = cpus.limit - 1;
	cpus__free(&cpus);
	if (!last || cpu_switch__set(last, "0"))
		return false;
	switch_last("1");
	return true;
}

/* A CPU that is present and offline becomes the last one.  It may never have been online. */
static bool can_switch_on(void)
{
	struct cpus online = online_cpus(), present;

	last = 0;
	ck_assert_int_eq(cpus__read(&present, "present"), 0);
	for_each_cpu (cpu, &present)
		if (!cpus__has(&online, cpu))
			last = cpu;
	cpus__free(&present);
	cpus__free(&online);
	return last;
}

static uint32_t count_online(void)
{
	struct cpus online = online_cpus();
	uint32_t count = cpus__count(&online);

	cpus__free(&online);
	return count;
}

#define need_hotplug()                                                                             \
	do {                                                                                       \
		if (!can_switch())                                                                 \
			skip("no CPU that can be switched off");                                   \
	} while (0)

/* ---- events ---------------------------------------------------------------------------------- */

static unsigned open_fds(void)
{
	DIR *dir = opendir("/proc/self/fd");
	unsigned count = 0;

	while (readdir(dir))
		count++;
	closedir(dir);
	return count;
}

static void set_constant(const char *name, uint32_t value)
{
	ck_assert_int_eq(globals__set(flood, name, &value, sizeof(value)), 0);
}

static volatile uint32_t *per_call(void)
{
	return object__variable(flood, "flood_per_call", sizeof(uint32_t));
}

static void begin_channel(uint32_t batch_bytes)
{
	struct peat_channel_opts opts = PEAT_CHANNEL_OPTS_INIT;

	opts.batch_bytes = batch_bytes;
	opts.unstaged = !batch_bytes;
	open_channel(&opts);
	flood = bind_object(&flood_object);
	set_constant("flood_pid", (uint32_t)getpid());
	set_constant("flood_syscall", SYS_getpgid);
	object__load(flood);
	counts = object__variable(flood, "flood_counts", sizeof(*counts) * FLOOD_CPUS);
	attached = object__attach(flood, "flood_task");
}

static void open_named(bool names, const char *cpus, uint64_t memory_bytes)
{
	struct peat_reader_opts opts = PEAT_READER_OPTS_INIT;

	opts.latency_ms = 20;
	opts.names = names;
	opts.cpus = cpus;
	opts.memory_bytes = memory_bytes;
	fds_without = open_fds();
	reader = peat_reader__new(channel, &opts);
	ck_assert_msg(reader, "%s", messages);
}

static void emit(uint32_t calls)
{
	while (calls--)
		syscall(SYS_getpgid, 0);
}

static uint64_t tries(void)
{
	uint64_t all = 0;

	for (uint32_t cpu = 0; cpu < FLOOD_CPUS; cpu++)
		all += counts[cpu].tries;
	return all;
}

static void note(const struct peat_event *event)
{
	seen.all++;
	seen.of_last += event->cpu == last;
	snprintf(seen.comm, sizeof(seen.comm), "%s", event->comm ? event->comm : "");
}

/* As a program does: waits for events, and reads them. */
static void follow(uint64_t milliseconds)
{
	uint64_t until_ns = now_ns() + milliseconds * 1000000;

	while (now_ns() < until_ns) {
		peat_reader__wait(reader, 10);
		drain(note);
	}
}

/*
 * Emits events on the last CPU, which is back, until one arrives.  A channel with batches delivers
 * them from the stage even without a ring.  Prints the time it takes; at most a second, except on
 * emulated machines.
 */
static void check_delivers(void)
{
	uint64_t before = seen.of_last, start_ns = now_ns();

	pin_to(last);
	while (seen.of_last == before) {
		ck_assert_msg(now_ns() - start_ns < 20000000000, "nothing arrives from CPU %u",
			      last);
		emit(1);
		peat_reader__wait(reader, 10);
		drain(note);
	}
	printf("# CPU %u delivers %llu ms after it is back\n", last,
	       (unsigned long long)(now_ns() - start_ns) / 1000000);
}

/* The ledger has all attempts, and the kernel counted the same losses as the channel. */
static struct peat_ledger end_channel(void)
{
	struct peat_ledger ledger;

	ledger = finish(note);
	ck_assert_uint_eq(ledger.emitted, tries());
	ck_assert_uint_eq(ledger.delivered, seen.all);
	ck_assert_uint_eq(ledger.lost_other, 0);
	close_reader();
	ck_assert_uint_eq(open_fds(), fds_without);
	bpf_link__destroy(attached);
	close_all();
	return ledger;
}

static void teardown(void)
{
	if (last)
		cpu_switch__set(last, "1");
	if (hole)
		cpu_switch__set(hole, "1");
}

/* Runs in the process that outlives a test that hung or crashed. */
static void remember_cpus(void)
{
	at_first = online_cpus();
}

static void restore_cpus(void)
{
	for_each_cpu (cpu, &at_first)
		cpu_switch__set(cpu, "1");
	cpus__free(&at_first);
}

/* ---- channels -------------------------------------------------------------------------------- */

START_TEST(test_events_before_offline_are_delivered)
{
	struct peat_ledger ledger;

	need_hotplug();
	begin_channel(4096);
	open_named(false, NULL, 0);
	*per_call() = 50;
	pin_to(last);
	emit(60); /* more than a batch, and some staged */
	switch_last("0");
	drain_all(note);
	ck_assert_uint_eq(seen.of_last, 3000);
	switch_last("1");
	drain(note);
	pin_to(last);
	emit(60);
	drain_all(note);
	ck_assert_uint_eq(seen.of_last, 6000);
	ledger = end_channel();
	ck_assert_uint_eq(peat_ledger__lost(&ledger), 0);
}
END_TEST

/* Reads until the reader sleeps: no tick ends the last wait. */
static void fall_asleep(void)
{
	uint64_t deadline_ns = now_ns() + 60000000000;

	while (peat_reader__wait(reader, 1000) > 0 && now_ns() < deadline_ns)
		drain(note);
	ck_assert_uint_lt(now_ns(), deadline_ns);
}

/* The events of a CPU that returns have no bell until its ring is reopened. */
START_TEST(test_sleeping_reader_is_woken_by_a_cpu_that_returned)
{
	struct peat_ledger ledger;

	harness__need_new_atomics();
	need_hotplug();
	begin_channel(4096);
	open_named(false, NULL, 0);
	*per_call() = 1;
	for (uint32_t i = 1; i <= 3; i++) {
		fall_asleep();
		switch_last("0");
		switch_last("1");
		pin_to(last);
		emit(1); /* the reader has not reopened the ring */
		ck_assert_uint_eq(await(1, note), 1);
		fall_asleep();
		emit(1);
		ck_assert_uint_eq(await(1, note), 1);
	}
	ledger = end_channel();
	ck_assert_uint_eq(peat_ledger__lost(&ledger), 0);
}
END_TEST

/* Unread records stay in the ring, and later ones follow them. */
START_TEST(test_off_and_on_before_the_reader_runs)
{
	struct peat_ledger ledger;

	need_hotplug();
	begin_channel(0);
	open_named(false, NULL, 0);
	pin_to(last);
	emit(100);
	switch_last("0");
	switch_last("1");
	pin_to(last);
	emit(7);
	drain(note);
	ck_assert_uint_eq(seen.of_last, 100);
	emit(50);
	drain(note);
	ck_assert_uint_eq(seen.of_last, 150);
	ledger = end_channel();
	ck_assert_uint_eq(ledger.lost_no_ring, 7);
	ck_assert_uint_eq(peat_ledger__lost(&ledger), 7);
}
END_TEST

/* Each perf event of the ring counts its own losses. */
START_TEST(test_losses_of_all_events_are_counted)
{
	struct peat_ledger ledger;
	unsigned fds = 0;

	need_hotplug();
	begin_channel(0);
	open_named(false, NULL, 1);
	*per_call() = 100;
	for (int i = 0; i < 5; i++) {
		pin_to(last);
		emit(50);
		switch_last("0");
		switch_last("1");
		drain(note);
		drain(note);
		if (i == 0)
			fds = open_fds();
		ck_assert_uint_eq(open_fds(), fds);
		ledger = ledger_of(last);
		ck_assert_uint_eq(ledger.frames_lost, ledger.frames_ring_full);
	}
	check_delivers();
	ledger = end_channel();
	ck_assert_uint_gt(ledger.lost_ring_full, 0);
}
END_TEST

static volatile bool stop;

static void *produce(void *cpu)
{
	struct timespec pause = { 0, (long)amount__of("PEAT_TEST_PAUSE_US", 100) * 1000 };

	while (!stop) {
		cpu_set_t set;

		/* A thread whose only CPU goes offline may run anywhere, and does not return. */
		CPU_ZERO(&set);
		CPU_SET((uint32_t)(uintptr_t)cpu, &set);
		sched_setaffinity(0, sizeof(set), &set);
		emit(1);
		nanosleep(&pause, NULL);
	}
	return NULL;
}

START_TEST(test_cycles_under_load)
{
	uint32_t rounds = amount__at_most("PEAT_TEST_ROUNDS", 5);
	pthread_t threads[2];
	struct peat_ledger ledger;

	need_hotplug();
	begin_channel(4096);
	open_named(true, NULL, 0);
	*per_call() = 20;
	for (int i = 0; i < 2; i++)
		ck_assert_int_eq(pthread_create(&threads[i], NULL, produce,
						(void *)(uintptr_t)(i ? last : 0)),
				 0);
	for (uint32_t i = 0; i < rounds; i++) {
		follow(200);
		switch_last("0");
		if (i % 2)
			follow(200);
		switch_last("1");
	}
	seen.of_last = 0;
	follow(1000);
	ck_assert_uint_gt(seen.of_last, 0);
	stop = true;
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	ledger = end_channel();
	printf("# of %llu emitted lost_no_ring %llu\n", (unsigned long long)ledger.emitted,
	       (unsigned long long)ledger.lost_no_ring);
}
END_TEST

/* A drain of more records than are returned between two checks for CPUs. */
START_TEST(test_cpu_returns_during_a_drain)
{
	const struct peat_event *event;
	struct peat_ledger ledger;

	need_hotplug();
	begin_channel(0);
	open_named(false, NULL, 0);
	pin_to(0);
	emit(2000);
	ck_assert_int_eq(peat_reader__next(reader, &event), 1);
	note(event);
	switch_last("0");
	switch_last("1");
	for (int i = 0; i < 1000; i++) {
		ck_assert_int_eq(peat_reader__next(reader, &event), 1);
		note(event);
	}
	pin_to(last);
	emit(5);
	drain_all(note);
	ck_assert_uint_eq(seen.of_last, 5);
	ck_assert_uint_eq(seen.all, 2005);
	ledger = end_channel();
	ck_assert_uint_eq(peat_ledger__lost(&ledger), 0);
}
END_TEST

/* Takes a CPU that was never online, if any: tests/vm/check provides one. */
START_TEST(test_reader_opened_while_cpu_is_off)
{
	uint32_t rings;

	if (can_switch_on()) {
		printf("# CPU %u comes for the first time\n", last);
	} else {
		need_hotplug();
		switch_last("0");
	}
	begin_channel(0);
	open_named(false, NULL, 0);
	rings = count_online();
	ck_assert_uint_eq(stats_now().rings, rings);
	switch_last("1");
	check_delivers();
	ck_assert_uint_eq(stats_now().rings, rings + 1);
	switch_last("0");
	switch_last("1");
	check_delivers();
	end_channel();
}
END_TEST

/* Rings are found by CPU number, not by position. */
START_TEST(test_hole_in_cpu_numbers)
{
	struct peat_ledger ledger;

	need_hotplug();
	if (last < 2 || cpu_switch__set(last - 1, "0"))
		skip("no CPU between the first and the last that can be switched off");
	hole = last - 1;
	begin_channel(0);
	open_named(false, NULL, 0);
	ck_assert_uint_eq(stats_now().rings, count_online());
	pin_to(last);
	emit(30);
	pin_to(0);
	emit(20);
	drain(note);
	ck_assert_uint_eq(seen.all, 50);
	ck_assert_uint_eq(seen.of_last, 30);
	ck_assert_uint_eq(ledger_of(last).delivered, 30);
	ck_assert_uint_eq(ledger_of(hole).emitted, 0);
	ck_assert_int_eq(cpu_switch__set(hole, "1"), 0);
	drain(note);
	pin_to(hole);
	emit(10);
	drain(note);
	ck_assert_uint_eq(ledger_of(hole).delivered, 10);
	ledger = end_channel();
	ck_assert_uint_eq(peat_ledger__lost(&ledger), 0);
}
END_TEST

START_TEST(test_cpus_not_chosen)
{
	struct peat_ledger ledger;

	need_hotplug();
	begin_channel(0);
	open_named(false, "0", 0);
	switch_last("0");
	switch_last("1");
	drain(note);
	pin_to(last);
	emit(5);
	drain(note);
	ck_assert_uint_eq(stats_now().rings, 1);
	ledger = end_channel();
	ck_assert_uint_eq(ledger.lost_no_ring, 5);
	ck_assert_uint_eq(ledger.delivered, 0);
}
END_TEST

/* Two fds are needed and one is left: logged once, until the CPU goes offline again. */
START_TEST(test_cpu_without_fds)
{
	struct rlimit all, few;
	struct peat_ledger ledger;
	const char *said;
	int free_fd, tell_fd;
	char path[64];

	need_hotplug();
	begin_channel(0);
	open_named(true, NULL, 0);
	switch_last("0");
	switch_last("1");
	ck_assert_int_eq(getrlimit(RLIMIT_NOFILE, &all), 0);
	snprintf(path, sizeof(path), "/sys/devices/system/cpu/cpu%u/uevent", last);
	tell_fd = open(path, O_WRONLY | O_CLOEXEC);
	free_fd = dup(0);
	close(free_fd);
	few = (struct rlimit){ (rlim_t)free_fd + 1, all.rlim_max };
	ck_assert_int_eq(setrlimit(RLIMIT_NOFILE, &few), 0);
	drain(note);
	ck_assert_int_eq(write(tell_fd, "online", 6), 6); /* look again */
	drain(note);
	ck_assert_int_eq(setrlimit(RLIMIT_NOFILE, &all), 0);
	close(tell_fd);
	pin_to(last);
	emit(2);
	pin_to(0);
	emit(3);
	drain(note);
	ck_assert_uint_eq(seen.all, 3);
	said = strstr(messages, "online now");
	ck_assert_msg(said && !strstr(said + 1, "online now"), "%s", messages);
	switch_last("0");
	drain(note);
	switch_last("1");
	drain(note);
	check_delivers();
	ledger = end_channel();
	ck_assert_uint_eq(ledger.lost_no_ring, 2);
}
END_TEST

/* ---- names ----------------------------------------------------------------------------------- */

START_TEST(test_task_name_changed_while_cpu_unread)
{
	need_hotplug();
	begin_channel(0);
	open_named(true, NULL, 0);
	prctl(PR_SET_NAME, "before");
	pin_to(last);
	emit(1);
	drain(note);
	ck_assert_str_eq(seen.comm, "before");
	switch_last("0");
	switch_last("1");
	pin_to(last);
	prctl(PR_SET_NAME, "meanwhile");
	drain(note);
	emit(1);
	drain(note);
	ck_assert_str_eq(seen.comm, "meanwhile");
	prctl(PR_SET_NAME, "after");
	emit(1);
	drain(note);
	ck_assert_str_eq(seen.comm, "after");
	ck_assert_uint_eq(seen.of_last, 3);
	end_channel();
}
END_TEST

/* ---- without a channel ----------------------------------------------------------------------- */

START_TEST(test_raw_reader_survives_hotplug)
{
	struct peat_reader_opts opts = PEAT_READER_OPTS_INIT;
	struct load *load;
	uint64_t refused;
	unsigned fds;

	need_hotplug();
	load = load__open();
	load__attach(load);
	fds = open_fds();
	opts.latency_ms = 20;
	reader = peat_reader__new_raw(load__map_fd(load), &opts);
	ck_assert_ptr_nonnull(reader);
	for (int i = 0; i < 5; i++) {
		load__pin(last);
		load__emit(10);
		switch_last("0");
		switch_last("1");
		check_delivers();
	}
	drain(note);
	refused = load->counts[last].refused;
	printf("# raw: %llu refused\n", (unsigned long long)refused);
	ck_assert_uint_eq(seen.of_last, load->counts[last].emitted - refused);
	ck_assert_uint_eq(stats_now().lost, 0);
	close_reader();
	ck_assert_uint_eq(open_fds(), fds);
	load__free(load);
}
END_TEST

/* The tick is 45 minutes away: only the ring wakes the reader. */
START_TEST(test_new_event_wakes_the_reader)
{
	struct peat_reader_opts opts = PEAT_READER_OPTS_INIT;
	struct load *load;
	uint32_t enough;

	need_hotplug();
	load = load__open();
	load__attach(load);
	opts.latency_ms = 60 * 60 * 1000;
	opts.memory_bytes = 1; /* a page, of whatever size */
	reader = peat_reader__new_raw(load__map_fd(load), &opts);
	ck_assert_ptr_nonnull(reader);
	enough = (uint32_t)stats_now().watermark_bytes / 24 + 1; /* records are longer */
	for (int i = 0; i < 3; i++) {
		switch_last("0");
		switch_last("1");
		while (peat_reader__wait(reader, 0) > 0)
			drain(note);
		load__pin(last);
		load__emit(enough);
		ck_assert_int_eq(peat_reader__wait(reader, 20000), 1);
		drain(note);
		ck_assert_uint_eq(seen.of_last, enough * ((unsigned)i + 1));
	}
	close_reader();
	load__free(load);
}
END_TEST

static uint64_t forks_of_last;

static void drain_forks(void)
{
	const struct peat_event *event;

	while (peat_reader__next(reader, &event) > 0)
		forks_of_last += event->kind == PEAT_EVENT_RECORD && event->cpu == last &&
				 event->record->type == PEAT_RECORD_FORK &&
				 event->pid == (uint32_t)getpid();
}

static void fork_once(void)
{
	pid_t pid;

	pin_to(last);
	pid = fork();
	ck_assert_int_ge(pid, 0);
	if (!pid)
		_exit(0);
	waitpid(pid, NULL, 0);
}

START_TEST(test_kinds_only)
{
	struct peat_reader_opts opts = PEAT_READER_OPTS_INIT;
	unsigned fds;

	need_hotplug();
	fds = open_fds();
	opts.latency_ms = 20;
	opts.side_band = PEAT_SIDE_BAND_TASK;
	reader = peat_reader__new_side_band(&opts);
	ck_assert_ptr_nonnull(reader);
	for (int i = 0; i < 3; i++) {
		fork_once();
		switch_last("0");
		switch_last("1");
		drain_forks();
		ck_assert_uint_eq(forks_of_last, 2 * (unsigned)i + 1);
		fork_once();
		drain_forks();
		ck_assert_uint_eq(forks_of_last, 2 * (unsigned)i + 2);
	}
	ck_assert_uint_eq(stats_now().side_band_lost, 0);
	close_reader();
	ck_assert_uint_eq(open_fds(), fds);
}
END_TEST

/* ---- without uevents ------------------------------------------------------------------------- */

static void check_unheard(void)
{
	begin_channel(0);
	open_named(false, NULL, 0);
	for (int i = 0; i < 3; i++) {
		switch_last("0");
		switch_last("1");
		check_delivers();
	}
	end_channel();
}

START_TEST(test_without_uevent_socket)
{
	struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_socket, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = { sizeof(code) / sizeof(*code), code };

	need_hotplug();
	ck_assert_int_eq(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), 0);
	if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program))
		skip("no seccomp filters in this kernel");
	check_unheard();
}
END_TEST

START_TEST(test_network_namespace)
{
	need_hotplug();
	ck_assert_int_eq(unshare(CLONE_NEWNET), 0);
	check_unheard();
}
END_TEST

/* A network namespace of another user namespace receives no uevents. */
START_TEST(test_network_namespace_of_a_user)
{
	int ready[2], fd;
	char path[64], byte;
	pid_t child;

	need_hotplug();
	ck_assert_int_eq(pipe(ready), 0);
	child = fork();
	if (!child) {
		byte = unshare(CLONE_NEWUSER | CLONE_NEWNET) ? 'n' : 'y';
		if (write(ready[1], &byte, 1) == 1)
			pause();
		_exit(0);
	}
	ck_assert_int_eq(read(ready[0], &byte, 1), 1);
	snprintf(path, sizeof(path), "/proc/%d/ns/net", child);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	kill(child, SIGKILL);
	waitpid(child, NULL, 0);
	if (byte != 'y')
		skip("no user namespaces in this kernel");
	ck_assert_int_eq(setns(fd, CLONE_NEWNET), 0);
	check_unheard();
}
END_TEST

static Suite *hotplug_suite(void)
{
	TCase *tests;
	Suite *suite = harness__suite("hotplug", 60, &tests);

	tcase_add_unchecked_fixture(tests, remember_cpus, restore_cpus);
	tcase_add_checked_fixture(tests, NULL, teardown);
	tcase_add_test(tests, test_events_before_offline_are_delivered);
	tcase_add_test(tests, test_sleeping_reader_is_woken_by_a_cpu_that_returned);
	tcase_add_test(tests, test_off_and_on_before_the_reader_runs);
	tcase_add_test(tests, test_losses_of_all_events_are_counted);
	tcase_add_test(tests, test_cycles_under_load);
	tcase_add_test(tests, test_cpu_returns_during_a_drain);
	tcase_add_test(tests, test_reader_opened_while_cpu_is_off);
	tcase_add_test(tests, test_hole_in_cpu_numbers);
	tcase_add_test(tests, test_cpus_not_chosen);
	tcase_add_test(tests, test_cpu_without_fds);
	tcase_add_test(tests, test_task_name_changed_while_cpu_unread);
	tcase_add_test(tests, test_raw_reader_survives_hotplug);
	tcase_add_test(tests, test_new_event_wakes_the_reader);
	tcase_add_test(tests, test_kinds_only);
	tcase_add_test(tests, test_without_uevent_socket);
	tcase_add_test(tests, test_network_namespace);
	tcase_add_test(tests, test_network_namespace_of_a_user);
	return suite;
}

int main(int argc, char **argv)
{
	static const suite_fn suites[] = { hotplug_suite };

	return harness__main(argc, argv, suites, 1);
}
