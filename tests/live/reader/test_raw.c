// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_raw.c: peat_reader__new_raw() on this machine's kernel. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <linux/securebits.h>
#include <bpf/bpf.h>

#include <peat/peat.h>

#include "support/machine/amount.h"
#include "support/machine/command.h"
#include "sys/cpus.h"
#include "support/machine/harness.h"
#include "support/machine/cpu_switch.h"
#include "support/load/load.h"
#include "support/machine/paranoid.h"
#include "sys/event_fd.h"
#include "ring/ring.h"

static struct load *load;
static struct peat_reader *reader;
static char messages[8192];
static uint32_t us; /* this process */

static void keep(enum peat_log_level level, const char *text)
{
	size_t used = strlen(messages);

	if (level <= PEAT_LOG_WARN)
		snprintf(messages + used, sizeof(messages) - used, "%s\n", text);
}

static void setup(void)
{
	us = (uint32_t)getpid();
	peat_set_print(keep);
	load = load__open();
	load__attach(load);
}

static void teardown(void)
{
	peat_reader__free(reader);
	load__free(load);
}

static void open_reader(uint32_t latency_ms, uint64_t memory_bytes, const char *cpus)
{
	struct peat_reader_opts opts = PEAT_READER_OPTS_INIT;

	opts.latency_ms = latency_ms;
	opts.immediate = !latency_ms;
	opts.memory_bytes = memory_bytes;
	opts.cpus = cpus;
	reader = peat_reader__new_raw(load__map_fd(load), &opts);
	ck_assert_msg(reader, "%s", messages);
}

static struct peat_reader_stats stats_now(void)
{
	struct peat_reader_stats stats = { .sz = sizeof(stats) };

	ck_assert_int_eq(peat_reader__stats(reader, &stats), 0);
	return stats;
}

static uint64_t page_bytes(void)
{
	return (uint64_t)sysconf(_SC_PAGESIZE);
}

static struct cpus online(void)
{
	struct cpus cpus;

	ck_assert_int_eq(cpus__read(&cpus, "online"), 0);
	return cpus;
}

/* ---- received events ------------------------------------------------------------------------- */

/* The events that arrived from each CPU, numbered by burst.bpf.c. */
static struct {
	uint64_t next, time_ns;
} seen[BURST_CPUS];

/* No ck_assert_...() here: each costs as much as a hundred events. */
static void check_event(const struct peat_event *event)
{
	const struct burst_head *head = event->data;

	if ((uintptr_t)head % 8 || event->size < sizeof(*head) || head->check != ~head->number)
		ck_abort_msg("%u bytes at %p are no event", event->size, event->data);
	if (event->pid != us || event->tid != us || event->cpu >= BURST_CPUS)
		ck_abort_msg("from process %u, thread %u, CPU %u; we are %u", event->pid,
			     event->tid, event->cpu, us);
	if (head->number < seen[event->cpu].next || event->time_ns < seen[event->cpu].time_ns)
		ck_abort_msg("number %llu at %llu ns after %llu at %llu ns", head->number,
			     (unsigned long long)event->time_ns,
			     (unsigned long long)seen[event->cpu].next - 1,
			     (unsigned long long)seen[event->cpu].time_ns);
	seen[event->cpu].next = head->number + 1;
	seen[event->cpu].time_ns = event->time_ns;
}

/* Reads all events, checks and counts them. */
static uint64_t drain(void)
{
	const struct peat_event *event;
	uint64_t events = 0;

	while (peat_reader__next(reader, &event) > 0) {
		if (event->kind != PEAT_EVENT_DATA)
			continue;
		check_event(event);
		events++;
	}
	return events;
}

static void check_cpu(uint32_t cpu, uint32_t rounds)
{
	uint64_t before = seen[cpu].next, a_round = 50 * *load->per_call;

	load__pin(cpu);
	for (uint32_t i = 0; i < rounds; i++) {
		load__emit(50);
		ck_assert_uint_eq(drain(), a_round);
	}
	ck_assert_uint_eq(seen[cpu].next - before, rounds * a_round);
}

/* Each event once, in order, with its CPU and task. */
static uint64_t watermark_with(const struct peat_reader_opts *opts)
{
	uint64_t bytes;

	reader = peat_reader__new_raw(load__map_fd(load), opts);
	ck_assert_msg(reader, "%s", messages);
	bytes = stats_now().watermark_bytes;
	peat_reader__free(reader);
	reader = NULL;
	return bytes;
}

START_TEST(test_zero_is_the_default)
{
	struct peat_reader_opts opts = { .sz = sizeof(opts) }, initial = PEAT_READER_OPTS_INIT;
	uint64_t bytes = watermark_with(NULL);

	ck_assert_int_eq(memcmp(&opts, &initial, sizeof(opts)), 0);
	ck_assert_uint_ge(bytes, 4096);
	ck_assert_uint_eq(watermark_with(&opts), bytes);
	opts.immediate = true;
	ck_assert_uint_eq(watermark_with(&opts), 1);
}
END_TEST

START_TEST(test_every_event_once)
{
	struct cpus cpus = online();

	open_reader(100, 0, NULL);
	*load->per_call = 7;
	for_each_cpu (cpu, &cpus)
		check_cpu(cpu, amount__at_most("PEAT_TEST_ROUNDS", 200));
	ck_assert_uint_eq(stats_now().lost, 0);
	ck_assert_uint_eq(stats_now().corrupt, 0);
	ck_assert_uint_eq(stats_now().unknown, 0);
	cpus__free(&cpus);
}
END_TEST

/* Every size that fits a ring of one page: payloads are at 4 mod 8, never short, never moved.
 */
START_TEST(test_sizes_and_padding)
{
	const struct peat_event *event;

	open_reader(100, 64 * 1024 * 1024, NULL);
	for (uint32_t bytes = 16; bytes < 9000; bytes += bytes < 200 ? 1 : 173) {
		*load->event_bytes = bytes;
		load__emit(1);
		ck_assert_int_eq(peat_reader__next(reader, &event), 1);
		ck_assert_uint_eq(event->size, (bytes + 4 + 7) / 8 * 8 - 4);
		check_event(event);
		ck_assert_int_eq(peat_reader__next(reader, &event), 0);
		ck_assert_ptr_null(event);
	}
	ck_assert_uint_eq(stats_now().event_bytes % 4, 0);
}
END_TEST

/*
 * The kernel accepts payloads over 65,516 bytes and wraps the record's 16-bit size (Linux 5.10 to
 * 6.18).  That corrupts the ring; the reader counts it, skips it and continues.
 */
START_TEST(test_oversized_payload_is_skipped)
{
	uint32_t rounds = 0;

	load__pin(0);
	open_reader(100, 64 * 1024 * 1024, NULL);
	for (uint32_t bytes = 65500; bytes <= 65536; bytes += 4, rounds++) {
		const struct peat_event *event;

		*load->event_bytes = bytes;
		load__emit(3);
		while (peat_reader__next(reader, &event) > 0)
			;
		*load->event_bytes = 16;
		load__emit(1);
		ck_assert_int_eq(peat_reader__next(reader, &event), 1);
		ck_assert_uint_eq(((const struct burst_head *)event->data)->number, rounds * 4 + 3);
		ck_assert_int_eq(peat_reader__next(reader, &event), 0);
	}
	ck_assert_uint_gt(stats_now().corrupt + stats_now().unknown, 0);
}
END_TEST

/* ---- loss ------------------------------------------------------------------------------------ */

static uint64_t count_lost(void)
{
	const struct peat_event *event;
	uint64_t lost = 0;

	while (peat_reader__next(reader, &event) > 0) {
		ck_assert_int_eq(event->kind, PEAT_EVENT_LOST);
		ck_assert_int_eq(event->cause, PEAT_LOST_RING_FULL);
		lost += event->lost;
	}
	return lost;
}

/* Every CPU floods its ring of one page while the reader is stopped: all losses are counted. */
START_TEST(test_loss_is_exact)
{
	struct cpus cpus = online();
	uint64_t emitted = 0, refused = 0, delivered;
	struct peat_reader_stats stats;

	open_reader(100, 1, NULL);
	ck_assert_uint_eq(stats_now().ring_bytes, page_bytes());
	*load->per_call = BURST_PER_CALL_MAX;
	for_each_cpu (cpu, &cpus) {
		load__pin(cpu);
		load__emit(100 + cpu);
		emitted += load->counts[cpu].emitted;
		refused += load->counts[cpu].refused;
	}
	delivered = drain();
	stats = stats_now();
	if (!stats.lost_is_exact)
		skip("this kernel has no PERF_FORMAT_LOST");
	ck_assert_uint_gt(refused, 0);
	ck_assert_uint_eq(stats.lost, refused);
	ck_assert_uint_eq(delivered + stats.lost, emitted);
	ck_assert_uint_eq(stats.events, delivered);
	/* No LOST record was written yet, as no event followed the loss: a flush reports it. */
	ck_assert_uint_eq(stats.lost_records, 0);
	ck_assert_uint_eq(count_lost(), 0);
	peat_reader__flush(reader);
	ck_assert_uint_eq(count_lost(), refused);
	ck_assert_uint_eq(count_lost(), 0);
	cpus__free(&cpus);
}
END_TEST

/* A LOST record precedes the first event that finds room again; its count is not added. */
START_TEST(test_lost_record_is_an_event_and_counted_once)
{
	const struct peat_event *event;
	struct peat_reader_stats stats;
	uint64_t told = 0;

	load__pin(0);
	open_reader(100, 1, NULL);
	*load->per_call = BURST_PER_CALL_MAX;
	load__emit(10);
	drain();
	*load->per_call = 1;
	load__emit(1);
	while (peat_reader__next(reader, &event) > 0) {
		if (event->kind != PEAT_EVENT_LOST)
			continue;
		ck_assert_uint_eq(event->cpu, 0);
		told += event->lost;
	}
	stats = stats_now();
	ck_assert_uint_eq(told, load->counts[0].refused);
	ck_assert_uint_eq(stats.lost_records, told);
	ck_assert_uint_eq(stats.lost, told);
	ck_assert_uint_eq(stats.events + told, load->counts[0].emitted);
}
END_TEST

/* ---- wakeups --------------------------------------------------------------------------------- */

#define LONG_MS (3600 * 1000)

/* With latency 0 each event wakes the reader; with a long one, a watermark of events does. */
START_TEST(test_latency_sets_the_watermark)
{
	load__pin(0);
	open_reader(0, 0, NULL);
	ck_assert_uint_eq(stats_now().watermark_bytes, 1);
	ck_assert_int_eq(peat_reader__wait(reader, 0), 1); /* the first look */
	ck_assert_uint_eq(drain(), 0);
	for (int i = 0; i < 100; i++) {
		load__emit(1);
		ck_assert_int_eq(peat_reader__wait(reader, 0), 1);
		ck_assert_uint_eq(drain(), 1);
	}
	peat_reader__free(reader);

	open_reader(LONG_MS, 0, NULL);
	ck_assert_int_eq(peat_reader__wait(reader, 0), 1);
	ck_assert_uint_eq(drain(), 0);
	load__emit(10);
	ck_assert_int_eq(peat_reader__wait(reader, 200), 0);
	load__emit((uint32_t)stats_now().watermark_bytes / 16);
	ck_assert_int_eq(peat_reader__wait(reader, LONG_MS), 1);
	ck_assert_uint_eq(drain(), 10 + stats_now().watermark_bytes / 16);
}
END_TEST

/* One event far below the watermark: the tick finds it without further events. */
START_TEST(test_tick_finds_events_below_the_watermark)
{
	open_reader(50, 0, NULL);
	ck_assert_int_eq(peat_reader__wait(reader, 0), 1);
	ck_assert_uint_eq(drain(), 0);
	for (int i = 0; i < 5; i++) {
		uint64_t found = 0;

		load__emit(1);
		while (!found) {
			ck_assert_int_eq(peat_reader__wait(reader, LONG_MS), 1);
			found = drain();
		}
		ck_assert_uint_eq(found, 1);
	}
}
END_TEST

/* The reader's fd in the caller's own epoll. */
START_TEST(test_fd_serves_the_callers_loop)
{
	struct epoll_event event = { .events = EPOLLIN };
	int epoll_fd = epoll_create1(EPOLL_CLOEXEC);

	load__pin(0);
	open_reader(0, 0, NULL);
	drain();
	ck_assert_int_eq(epoll_ctl(epoll_fd, EPOLL_CTL_ADD, peat_reader__fd(reader), &event), 0);
	for (int i = 0; i < 100; i++) {
		uint64_t found = 0;

		load__emit(1);
		while (!found) {
			ck_assert_int_eq(epoll_wait(epoll_fd, &event, 1, LONG_MS), 1);
			found = drain();
		}
		ck_assert_uint_eq(found, 1);
	}
	close(epoll_fd);
}
END_TEST

/* After a drain that stopped in the middle, the rest is returned though no fd becomes readable. */
START_TEST(test_unfinished_drain_continues)
{
	const struct peat_event *event;

	load__pin(0);
	open_reader(LONG_MS, 0, NULL);
	drain();
	load__emit(2);
	ck_assert_int_eq(peat_reader__next(reader, &event), 1);
	ck_assert_int_eq(peat_reader__wait(reader, LONG_MS), 1);
	ck_assert_int_eq(peat_reader__next(reader, &event), 1);
	ck_assert_int_eq(peat_reader__next(reader, &event), 0);
}
END_TEST

static void *break_it(void *ignored)
{
	peat_reader__break(reader);
	return ignored;
}

static void break_by_signal(int number)
{
	(void)number;
	peat_reader__break(reader);
}

START_TEST(test_break_ends_a_wait)
{
	struct sigaction action = { .sa_handler = break_by_signal };
	pthread_t thread;
	int waited;

	open_reader(LONG_MS, 0, NULL);
	drain();
	ck_assert_int_eq(pthread_create(&thread, NULL, break_it, NULL), 0);
	ck_assert_int_eq(peat_reader__wait(reader, LONG_MS), -ECANCELED);
	ck_assert_int_eq(errno, ECANCELED);
	pthread_join(thread, NULL);
	drain();
	ck_assert_int_eq(peat_reader__wait(reader, 0), 0);

	sigaction(SIGALRM, &action, NULL);
	ualarm(20000, 0);
	waited = peat_reader__wait(reader, LONG_MS);
	if (waited == -EINTR)
		waited = peat_reader__wait(reader, LONG_MS);
	ck_assert_int_eq(waited, -ECANCELED);
}
END_TEST

/* ---- limits ---------------------------------------------------------------------------------- */

/* Locked memory is counted per user: this user has none yet. */
static void become_stranger(void)
{
	ck_assert_int_eq(prctl(PR_SET_SECUREBITS, SECBIT_NO_SETUID_FIXUP), 0);
	ck_assert_int_eq(setuid(61234), 0);
}

/* Without CAP_IPC_LOCK memory is limited: rings shrink to fit, and the log names the limit. */
START_TEST(test_rings_halve_until_they_fit)
{
	struct peat_reader_opts opts = PEAT_READER_OPTS_INIT;
	struct rlimit none = { 0, 0 };
	struct peat_reader_stats stats;
	int opened = 0;

	if (!perfmon_is_enough())
		skip("kernel.perf_event_paranoid is above 2: CAP_PERFMON opens no perf event");
	ck_assert_int_eq(setrlimit(RLIMIT_MEMLOCK, &none), 0);
	become_stranger();
	command__limit_caps(CAP(BPF) | CAP(PERFMON));
	open_reader(100, 256 * 1024 * 1024, NULL);
	stats = stats_now();
	ck_assert_uint_ge(stats.ring_bytes, page_bytes());
	ck_assert_uint_lt(stats.ring_bytes, 128 * 1024 * 1024);
	ck_assert_msg(strstr(messages, "RLIMIT_MEMLOCK"), "%s", messages);
	load__emit(5);
	ck_assert_uint_eq(drain(), 5);

	/* More readers of the smallest size, until the limit refuses even that. */
	opts.memory_bytes = 1;
	messages[0] = '\0';
	while (opened < 4096 && peat_reader__new_raw(load__map_fd(load), &opts))
		opened++;
	ck_assert_int_lt(opened, 4096);
	ck_assert_int_eq(errno, EPERM);
	ck_assert_msg(strstr(messages, "RLIMIT_MEMLOCK") && strstr(messages, "perf_event_mlock_kb"),
		      "%s", messages);
}
END_TEST

START_TEST(test_missing_capability_is_logged)
{
	command__limit_caps(0);
	ck_assert_ptr_null(peat_reader__new_raw(load__map_fd(load), NULL));
	ck_assert(errno == EPERM || errno == EACCES);
	ck_assert_msg(strstr(messages, "CAP_BPF") && strstr(messages, "CAP_PERFMON"), "%s",
		      messages);
	ck_assert_ptr_eq(strchr(messages, '\n'), messages + strlen(messages) - 1);
}
END_TEST

START_TEST(test_too_few_fds_are_logged)
{
	struct rlimit few;

	ck_assert_int_eq(getrlimit(RLIMIT_NOFILE, &few), 0);
	few.rlim_cur =
		(rlim_t)dup(0) + 2; /* one more, and that is used to ask for the CPUs first */
	ck_assert_int_eq(setrlimit(RLIMIT_NOFILE, &few), 0);
	ck_assert_ptr_null(peat_reader__new_raw(load__map_fd(load), NULL));
	ck_assert_int_eq(errno, EMFILE);
	ck_assert_msg(strstr(messages, "RLIMIT_NOFILE"), "%s", messages);
}
END_TEST

static void check_refused(int map_fd, const char *cpus, int err, const char *word)
{
	struct peat_reader_opts opts = PEAT_READER_OPTS_INIT;

	opts.cpus = cpus;
	messages[0] = '\0';
	ck_assert_ptr_null(peat_reader__new_raw(map_fd, &opts));
	ck_assert_int_eq(errno, err);
	ck_assert_msg(strstr(messages, word), "'%s' does not say '%s'", messages, word);
}

START_TEST(test_bad_arguments_are_logged)
{
	struct peat_reader_opts opts = PEAT_READER_OPTS_INIT;
	int fd = load__map_fd(load);

	check_refused(-1, NULL, EBADFD, "not a BPF map");
	check_refused(0, NULL, EINVAL, "not a BPF map");
	check_refused(object__map_fd(load->object, "payloads"), NULL, EINVAL,
		      "not a perf event array");
	check_refused(fd, "0-", EINVAL, "not a list of CPUs");
	check_refused(fd, "60000", ENODEV, "this machine has no CPU 60000");
	check_refused(fd, "", ENODEV, "none of the CPUs");
	opts.immediate = true;
	opts.latency_ms = 1;
	ck_assert_ptr_null(peat_reader__new_raw(fd, &opts));
	ck_assert_int_eq(errno, EINVAL);
}
END_TEST

START_TEST(test_map_with_too_few_slots)
{
	struct cpus cpus = online();
	int fd = bpf_map_create(BPF_MAP_TYPE_PERF_EVENT_ARRAY, "few", 4, 4, 1, NULL);

	ck_assert_int_ge(fd, 0);
	if (cpus.limit < 2)
		skip("one CPU only");
	check_refused(fd, NULL, EINVAL, "give it at least");
	close(fd);
	cpus__free(&cpus);
}
END_TEST

START_TEST(test_only_the_cpus_chosen)
{
	struct cpus cpus = online();
	uint32_t other = cpus.limit - 1;

	if (cpus__count(&cpus) < 2)
		skip("one CPU only");
	open_reader(100, 0, "0");
	ck_assert_uint_eq(stats_now().rings, 1);
	load__pin(other);
	load__emit(5);
	ck_assert_uint_eq(drain(), 0);
	load__pin(0);
	load__emit(5);
	ck_assert_uint_eq(drain(), 5);
	cpus__free(&cpus);
}
END_TEST

START_TEST(test_offline_cpu_is_logged_and_skipped)
{
	struct cpus cpus = online();
	uint32_t last = cpus.limit - 1;
	char list[32];
	int err;

	if (cpus__count(&cpus) < 2)
		skip("one CPU only");
	err = cpu_switch__set(last, "0");
	if (err)
		skip("CPU %u cannot be switched off: %s", last, strerror(-err));
	snprintf(list, sizeof(list), "0,%u", last);
	open_reader(100, 0, list);
	err = cpu_switch__set(last, "1");
	ck_assert_int_eq(err, 0);
	ck_assert_uint_eq(stats_now().rings, 1);
	ck_assert_msg(strstr(messages, "offline"), "%s", messages);
	load__pin(0);
	load__emit(3);
	ck_assert_uint_eq(drain(), 3);
	cpus__free(&cpus);
}
END_TEST

/* ---- perf_event_attr of newer kernels -------------------------------------------------------- */

START_TEST(test_attr_of_a_newer_kernel_is_cut)
{
	union {
		struct perf_event_attr attr;
		unsigned char bytes[512];
	} newer = { .attr = { .type = PERF_TYPE_SOFTWARE, .config = PERF_COUNT_SW_DUMMY } };
	int fd;

	newer.attr.size = sizeof(newer);
	newer.bytes[400] = 1; /* what only a later kernel could know */
	fd = event_fd__open(&newer.attr, 0);
	ck_assert_int_ge(fd, 0);
	ck_assert_uint_lt(newer.attr.size, 400);
	ck_assert_uint_eq(newer.bytes[400], 0);
	ck_assert_msg(strstr(messages, "perf_event_attr"), "%s", messages);
	ck_assert_int_ne(fcntl(fd, F_GETFD) & FD_CLOEXEC, 0);
	close(fd);
}
END_TEST

/* ---- nothing leaks --------------------------------------------------------------------------- */

static unsigned entries(const char *path)
{
	DIR *dir = opendir(path);
	unsigned count = 0;

	ck_assert_ptr_nonnull(dir);
	while (readdir(dir))
		count++;
	closedir(dir);
	return count;
}

static unsigned lines(const char *path)
{
	FILE *file = fopen(path, "re");
	unsigned count = 0;
	int c;

	ck_assert_ptr_nonnull(file);
	while ((c = fgetc(file)) != EOF)
		count += c == '\n';
	fclose(file);
	return count;
}

static unsigned count_ids(int (*next)(uint32_t, uint32_t *))
{
	uint32_t id = 0;
	unsigned count = 0;

	while (!next(id, &id))
		count++;
	return count;
}

struct footprint {
	unsigned fds, mappings, maps, progs, links;
};

/* The kernel frees memory some time after the last close. */
static struct footprint footprint(const struct footprint *wanted)
{
	struct footprint now;

	for (int i = 0; i < 100; i++) {
		now = (struct footprint){
			.fds = entries("/proc/self/fd"),
			.mappings = lines("/proc/self/maps"),
			.maps = count_ids(bpf_map_get_next_id),
			.progs = count_ids(bpf_prog_get_next_id),
			.links = count_ids(bpf_link_get_next_id),
		};
		if (!wanted || (now.maps <= wanted->maps && now.progs <= wanted->progs &&
				now.links <= wanted->links))
			break;
		usleep(50 * 1000);
	}
	return now;
}

static void use_session(void)
{
	struct peat_session *session = peat_session__new(NULL);

	ck_assert_msg(session, "%s", messages);
	ck_assert_int_eq(peat_session__add(session, burst_object.name, burst_object.bytes,
					   *burst_object.count),
			 0);
	ck_assert_int_eq(peat_session__start(session, NULL), 0);
	ck_assert_ptr_nonnull(peat_session__reader(session));
	ck_assert_int_eq(peat_session__start(session, NULL), -EBUSY);
	peat_session__free(session);
}

static void use_reader(void)
{
	open_reader(100, 0, NULL);
	load__emit(10);
	ck_assert_uint_eq(drain(), 10);
	peat_reader__free(reader);
	reader = NULL;
}

START_TEST(test_no_leak_in_200_readers)
{
	uint32_t rounds = amount__at_most("PEAT_TEST_ROUNDS", 200);
	struct footprint before, after;

	for (uint32_t round = 0; round <= rounds; round++) {
		use_reader();
		use_session();
		if (!round)
			before = footprint(NULL);
	}
	after = footprint(&before);
	ck_assert_uint_eq(after.fds, before.fds);
	ck_assert_uint_le(after.maps, before.maps);
	ck_assert_uint_le(after.progs, before.progs);
	ck_assert_uint_le(after.links, before.links);
#ifndef __SANITIZE_ADDRESS__ /* whose own mappings grow; it looks for lost memory by itself */
	ck_assert_uint_le(after.mappings, before.mappings + 1); /* the heap may have grown once */
#endif
}
END_TEST

/* ---------------------------------------------------------------------------------------------- */

static Suite *raw_suite(void)
{
	TCase *tests;
	Suite *suite = harness__suite("raw", 120, &tests);

	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_add_test(tests, test_zero_is_the_default);
	tcase_add_test(tests, test_every_event_once);
	tcase_add_test(tests, test_sizes_and_padding);
	tcase_add_test(tests, test_oversized_payload_is_skipped);
	tcase_add_test(tests, test_loss_is_exact);
	tcase_add_test(tests, test_lost_record_is_an_event_and_counted_once);
	tcase_add_test(tests, test_latency_sets_the_watermark);
	tcase_add_test(tests, test_tick_finds_events_below_the_watermark);
	tcase_add_test(tests, test_fd_serves_the_callers_loop);
	tcase_add_test(tests, test_unfinished_drain_continues);
	tcase_add_test(tests, test_break_ends_a_wait);
	tcase_add_test(tests, test_rings_halve_until_they_fit);
	tcase_add_test(tests, test_missing_capability_is_logged);
	tcase_add_test(tests, test_too_few_fds_are_logged);
	tcase_add_test(tests, test_bad_arguments_are_logged);
	tcase_add_test(tests, test_map_with_too_few_slots);
	tcase_add_test(tests, test_only_the_cpus_chosen);
	tcase_add_test(tests, test_offline_cpu_is_logged_and_skipped);
	tcase_add_test(tests, test_attr_of_a_newer_kernel_is_cut);
	tcase_add_test(tests, test_no_leak_in_200_readers);
	return suite;
}

int main(int argc, char **argv)
{
	static const suite_fn suites[] = { raw_suite };

	return harness__main(argc, argv, suites, 1);
}
