// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * soak.c: an agent for an hour, while its configuration changes, its outputs are cut, CPUs are
 * switched off and on, and it is stopped for moments.
 *
 * Its ledger balances, its memory stays below the stated bound, and at no calm moment it has more
 * fds and BPF objects than at the first.  Only switched CPUs leave its namespaces.
 *
 *	SOAK_SECONDS	3600
 *	SOAK_CPUS	no: CPUs are not switched, which other tests would notice
 *	SOAK_SEED	of the order of the troubles; otherwise another one each time
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include "base/monotonic.h"
#include "collector.h"
#include "soaked_agent.h"
#include "support/agent/logged_agent.h"
#include "support/machine/amount.h"
#include "support/machine/command.h"
#include "support/machine/cpu_switch.h"
#include "support/machine/harness.h"
#include "support/machine/netns.h"
#include "support/machine/object.h"
#include "support/machine/process.h"
#include "support/machine/scratch.h"
#include "unit/journal/receiver.h"

EMBED_TWINS(flood)

#define NS_PER_S   UINT64_C(1000000000)
#define TICK_US	   50000
#define CHECK_S	   3  /* between checks */
#define CALM_S	   20 /* between calm moments */
#define SETTLE_S   40 /* for a calm moment */
#define COUNTS	   10 /* of its fds */
#define DISK_BYTES "16m"
#define EACH	   10 /* events of a call */
#define PAUSE_US   1000

/* ---- the load -------------------------------------------------------------------------------- */

static struct load {
	atomic_bool is_started, is_ended;
	atomic_uint_fast64_t calls;
} * load;

/* Sockets that a child has open would not be gone when they are closed. */
static void close_sockets(void)
{
	syscall(SYS_close_range, 3, ~0U, 0);
}

static int produce(void *arg)
{
	pid_t self = getpid();

	(void)arg;
	close_sockets();
	while (!load->is_started)
		usleep(PAUSE_US);
	while (!load->is_ended) {
		syscall(SYS_getpgid, self);
		load->calls++;
		usleep(PAUSE_US);
	}
	return 0;
}

/* Programs that start and end, and files that are opened. */
static int run_programs(void *arg)
{
	const char *program = process__program();

	(void)arg;
	close_sockets();
	while (!load->is_ended) {
		process__run(program, ARGV("soaked"));
		close(open("/etc/hostname", O_RDONLY | O_CLOEXEC));
		usleep(100000);
	}
	unlink(program);
	return 0;
}

static pid_t producer, runner;

/* ---- troubles -------------------------------------------------------------------------------- */

static int receiver = -1;
static bool is_journal_read;
static uint64_t messages, alerts;

static void open_journal(void)
{
	unlink(scratch__path(SOAK_JOURNAL));
	receiver = receiver__open(SOAK_JOURNAL);
	is_journal_read = true;
}

static void read_journal(void)
{
	static char text[1 << 18];

	while (is_journal_read && receiver__next(receiver, text, sizeof(text))) {
		messages++;
		alerts += strstr(text, "\nPEAT_EVENT=alert\n") != NULL;
	}
}

static void leave_journal(void)
{
	is_journal_read = false;
}

static void read_journal_again(void)
{
	is_journal_read = true;
}

static void end_journal(void)
{
	is_journal_read = false;
	close(receiver);
	unlink(scratch__path(SOAK_JOURNAL));
}

static unsigned variant;

static void reload(void)
{
	soaked_agent__configure(++variant);
	ck_assert_msg(!logged_agent__reload(), "variant %u: %s", variant, logged_agent__log());
}

static void reload_wrongly(void)
{
	soaked_agent__configure_wrongly();
	ck_assert_int_ne(logged_agent__reload(), 0);
}

static void be_busy(void)
{
	collector__set(COLLECTOR_IS_BUSY);
}

static void be_unavailable(void)
{
	collector__set(COLLECTOR_IS_UNAVAILABLE);
}

static void close_connections(void)
{
	collector__set(COLLECTOR_CLOSES);
}

static void hang(void)
{
	collector__set(COLLECTOR_HANGS);
}

static void refuse_connections(void)
{
	collector__set(COLLECTOR_REFUSES);
}

static void work(void)
{
	collector__set(COLLECTOR_WORKS);
}

static void fill_disk(void)
{
	static const char bytes[65536];
	int fd = open(scratch__path(SOAK_DISK "/filler"), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);

	ck_assert_int_ge(fd, 0);
	while (write(fd, bytes, sizeof(bytes)) > 0)
		;
	ck_assert_int_eq(errno, ENOSPC);
	close(fd);
}

static void empty_disk(void)
{
	ck_assert_int_eq(unlink(scratch__path(SOAK_DISK "/filler")), 0);
}

static void stop_agent(void)
{
	kill(logged_agent__pid(), SIGSTOP);
	sleep(1);
	kill(logged_agent__pid(), SIGCONT);
}

static void scrape(void)
{
	struct sockaddr_un at = { .sun_family = AF_UNIX };
	const struct timeval timeout = { .tv_sec = 20 };
	static const char request[] = "GET /metrics HTTP/1.1\r\nHost: soak\r\n"
				      "Connection: close\r\n\r\n";
	static char page[1 << 20];
	size_t count = 0;
	ssize_t got;
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	strcpy(at.sun_path, scratch__path(SOAK_PAGES));
	ck_assert_int_eq(setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &timeout, sizeof(timeout)), 0);
	ck_assert_int_eq(connect(fd, (const struct sockaddr *)&at, sizeof(at)), 0);
	ck_assert_int_eq(send(fd, request, sizeof(request) - 1, MSG_NOSIGNAL), sizeof(request) - 1);
	while (count + 1 < sizeof(page) &&
	       (got = recv(fd, page + count, sizeof(page) - 1 - count, 0)) > 0)
		count += (size_t)got;
	page[count] = '\0';
	close(fd);
	ck_assert_msg(strstr(page, "peat_source_emitted_total{") != NULL, "%s", page);
}

/* The last CPU, if it can be switched. */
static uint32_t cpu;

static void switch_off(void)
{
	int err = cpu_switch__set(cpu, "0");

	ck_assert_msg(!err || err == -EBUSY, "CPU %u: %s", cpu, strerror(-err));
}

static void switch_on(void)
{
	for (int i = 0; i < 100 && cpu_switch__set(cpu, "1"); i++)
		usleep(100000);
	ck_assert(cpu_switch__is_on(cpu));
}

/* Troubles of one kind exclude each other.  Without an end they are moments. */
static struct trouble {
	const char *name;
	void (*begin)(void), (*end)(void);
	int kind;
	uint64_t until_ns; /* 0: it is over */
	unsigned count;
} troubles[] = {
	{ "reloads", reload, NULL, 0, 0, 0 },
	{ "wrong configurations", reload_wrongly, NULL, 0, 0, 0 },
	{ "stops of the agent", stop_agent, NULL, 0, 0, 0 },
	{ "scrapes", scrape, NULL, 0, 0, 0 },
	{ "answers 429", be_busy, work, 1, 0, 0 },
	{ "answers 503", be_unavailable, work, 1, 0, 0 },
	{ "closed connections", close_connections, work, 1, 0, 0 },
	{ "no answers", hang, work, 1, 0, 0 },
	{ "refused connections", refuse_connections, work, 1, 0, 0 },
	{ "full disks", fill_disk, empty_disk, 2, 0, 0 },
	{ "journals that do not read", leave_journal, read_journal_again, 3, 0, 0 },
	{ "journals that are gone", end_journal, open_journal, 3, 0, 0 },
	{ "CPUs that are off", switch_off, switch_on, 4, 0, 0 },
};
#define TROUBLES (sizeof(troubles) / sizeof(*troubles))

static bool is_excluded(const struct trouble *trouble)
{
	if (trouble->begin == switch_off && !cpu)
		return true;
	for (size_t i = 0; i < TROUBLES; i++)
		if (troubles[i].until_ns && troubles[i].kind == trouble->kind)
			return true;
	return false;
}

static void begin_trouble(struct trouble *trouble)
{
	if (is_excluded(trouble))
		return;
	trouble->begin();
	trouble->count++;
	if (trouble->end) /* 0.2 to 6 s */
		trouble->until_ns =
			monotonic_ns() + (200 + (uint64_t)random() % 5800) * (NS_PER_S / 1000);
}

static void end_troubles(bool all)
{
	for (size_t i = 0; i < TROUBLES; i++) {
		struct trouble *trouble = &troubles[i];

		if (!trouble->until_ns || (!all && monotonic_ns() < trouble->until_ns))
			continue;
		trouble->until_ns = 0;
		trouble->end();
	}
}

/* ---- checks ---------------------------------------------------------------------------------- */

static struct {
	unsigned checks, calms, fds, bpf_fds;
	uint64_t resident, peak;
} seen;

static uint64_t of_flood(const char *status, const char *name)
{
	return logged_agent__number(status, "sources", "flood", NULL, name);
}

static uint64_t of_flow(const char *status, const char *output, const char *name)
{
	return logged_agent__number(status, "flows", "flood", output, name);
}

static void check_memory(void)
{
	seen.resident = soaked_agent__resident_bytes();
	seen.peak = soaked_agent__peak_bytes();
#ifndef __SANITIZE_ADDRESS__ /* which keeps freed memory */
	ck_assert_msg(seen.peak <= soaked_agent__most_bytes(), "%llu KiB of memory, more than %llu",
		      (unsigned long long)seen.peak >> 10,
		      (unsigned long long)soaked_agent__most_bytes() >> 10);
#endif
}

/* While all of it moves: no number is more than it can be. */
static void check(void)
{
	static const char *const outputs[] = { "archive", "collector" };
	const char *status = logged_agent__status();
	uint64_t delivered = of_flood(status, "delivered");

	seen.checks++;
	check_memory();
	ck_assert_uint_le(delivered + of_flood(status, "lost"), of_flood(status, "emitted"));
	for (int i = 0; i < 2; i++) {
		uint64_t bytes =
			logged_agent__number(status, "outputs", outputs[i], NULL, "queue_bytes");

		ck_assert_uint_le(of_flow(status, outputs[i], "waiting"), delivered);
		ck_assert_uint_le(bytes, 2 << 20);
	}
}

/* Each event that was emitted is somewhere. */
static void check_balance(const char *status)
{
	static const char *const outputs[] = { "archive", "collector" };
	uint64_t emitted = of_flood(status, "emitted"), lost = of_flood(status, "lost");

	ck_assert_uint_eq(emitted, of_flood(status, "delivered") + lost);
	for (int i = 0; i < 2; i++) {
		uint64_t sum = of_flow(status, outputs[i], "acknowledged") +
			       of_flow(status, outputs[i], "dropped") +
			       of_flow(status, outputs[i], "refused");

		ck_assert_msg(sum == emitted - lost, "%s: %s", outputs[i], status);
	}
	ck_assert_uint_ge(collector__records(), of_flow(status, "collector", "acknowledged"));
}

static bool waits_for(const char *status, const char *output)
{
	return of_flow(status, output, "waiting") != 0;
}

/* Reads the journal meanwhile. */
static void pause_us(uint64_t us)
{
	const uint64_t until_ns = monotonic_ns() + us * 1000;

	do {
		read_journal();
		usleep(us < TICK_US ? (unsigned)us : TICK_US);
	} while (monotonic_ns() < until_ns);
}

/* The agent has two maps more while it waits for a grace period: the lowest of some counts is
 * without. */
static void count_fds(unsigned *fds, unsigned *bpf_fds)
{
	*fds = *bpf_fds = UINT_MAX;
	for (int i = 0; i < COUNTS; i++) {
		unsigned all = soaked_agent__fds(), bpf = soaked_agent__bpf_fds();

		*fds = all < *fds ? all : *fds;
		*bpf_fds = bpf < *bpf_fds ? bpf : *bpf_fds;
		pause_us(100000);
	}
}

/* Without troubles, the outputs catch up, and the agent has what it had. */
static void be_calm(void)
{
	const uint64_t until_ns = monotonic_ns() + SETTLE_S * NS_PER_S;
	unsigned fds, bpf_fds;
	const char *status;
	bool waits;

	end_troubles(true);
	variant = variant / 420 * 420 + 419; /* the next one is like the first */
	reload();
	do {
		pause_us(500000);
		status = logged_agent__status();
		waits = logged_agent__number(status, "outputs", "collector", NULL, "queue_bytes") +
				logged_agent__number(status, "outputs", "archive", NULL,
						     "queue_bytes") >
			(1 << 20);
		count_fds(&fds, &bpf_fds);
		if (!seen.calms && !waits) {
			seen.fds = fds;
			seen.bpf_fds = bpf_fds;
		}
	} while ((waits || fds > seen.fds || bpf_fds > seen.bpf_fds) && monotonic_ns() < until_ns);
	ck_assert_msg(!waits, "the outputs do not catch up: %s%s", status, logged_agent__log());
	ck_assert_uint_le(fds, seen.fds);
	ck_assert_uint_le(bpf_fds, seen.bpf_fds);
	check_memory();
	printf("calm moment %u: %u fds, %llu KiB of memory, at most %llu\n", ++seen.calms, fds,
	       (unsigned long long)seen.resident >> 10, (unsigned long long)seen.peak >> 10);
	fflush(stdout);
}

/* ---- the soak -------------------------------------------------------------------------------- */

static bool has_agent;

static void begin(void)
{
	setenv("LSAN_OPTIONS", "detect_leaks=0", 1); /* the agent may not be traced */
	scratch__make();
	netns__enter();
	ck_assert_int_eq(unshare(CLONE_NEWNS), 0);
	ck_assert_int_eq(mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL), 0);
	ck_assert_int_eq(mkdir(scratch__path(SOAK_DISK), 0700), 0);
	ck_assert_int_eq(mount("disk", scratch__path(SOAK_DISK), "tmpfs", 0, "size=" DISK_BYTES),
			 0);
	object__write(&flood_object, scratch__path("flood.bpf.o"));
	open_journal();
	collector__start();
	load = mmap(NULL, sizeof(*load), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	ck_assert_ptr_ne(load, MAP_FAILED);
}

static void end(void)
{
	if (has_agent) /* after a failure */
		logged_agent__kill();
	umount2(scratch__path(SOAK_DISK), MNT_DETACH);
	scratch__remove();
}

static void choose_cpu(void)
{
	const char *wanted = getenv("SOAK_CPUS");
	char path[80];

	cpu = (uint32_t)sysconf(_SC_NPROCESSORS_CONF) - 1;
	snprintf(path, sizeof(path), "/sys/devices/system/cpu/cpu%u/online", cpu);
	if ((wanted && !strcmp(wanted, "no")) || access(path, W_OK))
		cpu = 0;
}

static void start_load(void)
{
	producer = process__start(produce, NULL);
	soaked_agent__set_producer(producer, EACH);
	soaked_agent__configure(variant);
	logged_agent__start();
	has_agent = true;
	load->is_started = true;
	runner = process__start(run_programs, NULL);
}

/* A ring whose CPU was off has an event more, of the CPU as it came back. */
static void switch_once(void)
{
	if (!cpu)
		return;
	switch_off();
	sleep(1);
	switch_on();
}

static void soak(uint64_t seconds)
{
	const uint64_t end_ns = monotonic_ns() + seconds * NS_PER_S;
	uint64_t check_ns = 0, calm_ns = monotonic_ns() + CALM_S / 4 * NS_PER_S, now_ns;

	while ((now_ns = monotonic_ns()) < end_ns) {
		logged_agent__check_alive();
		end_troubles(false);
		if (now_ns >= calm_ns) {
			be_calm();
			calm_ns = monotonic_ns() + CALM_S * NS_PER_S;
		} else if (now_ns >= check_ns) {
			check();
			check_ns = now_ns + CHECK_S * NS_PER_S;
		} else if (seen.calms && random() % 6 == 0) {
			begin_trouble(&troubles[(size_t)random() % TROUBLES]);
		}
		pause_us(TICK_US);
	}
}

/* All that was emitted has arrived somewhere, and is in the last ledger. */
static void finish(void)
{
	const uint64_t until_ns = monotonic_ns() + SETTLE_S * NS_PER_S;
	const char *status;
	uint64_t emitted;

	be_calm();
	load->is_ended = true;
	process__wait(producer);
	process__wait(runner);
	do {
		pause_us(500000);
		status = logged_agent__status();
	} while ((of_flood(status, "in_rings") || waits_for(status, "archive") ||
		  waits_for(status, "collector")) &&
		 monotonic_ns() < until_ns);
	check_balance(status);
	emitted = of_flood(status, "emitted");
	printf("%llu events: %llu lost, %llu dropped by the queue of the collector, %llu records "
	       "in "
	       "%llu requests\n",
	       (unsigned long long)emitted, (unsigned long long)of_flood(status, "lost"),
	       (unsigned long long)of_flow(status, "collector", "dropped"),
	       (unsigned long long)collector__records(), (unsigned long long)collector__requests());
	ck_assert_uint_le(emitted, load->calls * EACH);
	ck_assert_uint_ge(emitted, (load->calls - of_flood(status, "skipped")) * EACH);
	has_agent = false;
	logged_agent__stop();
}

static void check_archive(void)
{
	struct command zstd;

	if (!command__exists("zstd"))
		return;
	command__run(&zstd, ALL_CAPS,
		     ARGV("sh", "-c", "zstd -tq \"$0\"/events*", scratch__path(SOAK_DISK)));
	ck_assert_msg(!zstd.status, "%s", zstd.err_text);
	command__free(&zstd);
}

static void report(unsigned seed)
{
	for (size_t i = 0; i < TROUBLES; i++)
		if (troubles[i].count)
			printf("%u %s\n", troubles[i].count, troubles[i].name);
	printf("%u checks, %u calm moments; at most %u fds and %u of BPF objects at these\n",
	       seen.checks, seen.calms, seen.fds, seen.bpf_fds);
	printf("%llu KiB of memory, at most %llu, allowed are %llu\n",
	       (unsigned long long)seen.resident >> 10, (unsigned long long)seen.peak >> 10,
	       (unsigned long long)soaked_agent__most_bytes() >> 10);
	printf("%llu messages in the journal, %llu of them alerts; SOAK_SEED=%u\n",
	       (unsigned long long)messages, (unsigned long long)alerts, seed);
}

START_TEST(test_agent_survives)
{
	const unsigned seed = (unsigned)amount__of("SOAK_SEED", (uint64_t)time(NULL));

#ifndef HAVE_YAML
	skip("peat was built without libyaml");
#endif
	srandom(seed);
	printf("SOAK_SEED=%u\n", seed);
	fflush(stdout);
	choose_cpu();
	start_load();
	switch_once();
	soak(amount__of("SOAK_SECONDS", 3600));
	finish();
	check_archive();
	report(seed);
	ck_assert_uint_gt(alerts, 0);
}
END_TEST

static Suite *soak_suite(void)
{
	TCase *tests;
	Suite *suite =
		harness__suite("soak", (double)amount__of("SOAK_SECONDS", 3600) + 300, &tests);

	tcase_add_checked_fixture(tests, begin, end);
	tcase_add_test(tests, test_agent_survives);
	return suite;
}

int main(int argc, char **argv)
{
	static const suite_fn suites[] = { soak_suite };

	/*
	 * After 35 minutes, a test in a process of its own fails: libcheck 0.15.2 counts its
	 * microseconds as an int, and cannot send negative ones.
	 */
	setenv("CK_FORK", "no", 1);
	return harness__main(argc, argv, suites, 1);
}
