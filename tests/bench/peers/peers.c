// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * peers.c: peat beside readers in other languages and whole tools, with the load of peat bench.
 *
 * usage: peers [-j] [-q] [-k readers|tools|counts|records|flight] BUILD_DIR TMPFS_DIR DISK_DIR
 *
 * tests/bench/peers/run-peers makes the directories and removes them.
 */
#include <errno.h>
#include <getopt.h>
#include <poll.h>
#include <sched.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <unistd.h>
#include <bpf/libbpf.h>

#include <peat/peat.h>

#include "cli/cli.h"
#include "cli/base/messages.h"
#include "cli/base/json_text.h"
#include "process.h"
#include "peers.h"

struct peers peers;

/* ---- settings -------------------------------------------------------------------------------- */

uint64_t peers__run_ns(unsigned ms)
{
	return (peers.bench.quick && ms > 20 ? 20 : ms) * 1000000ULL;
}

uint32_t peers__rounds(uint32_t count)
{
	return peers.bench.quick ? 2 : count;
}

struct bench_transport *peers__add(struct bench_transports *transports,
				   const struct bench_transport *as, const char *setting)
{
	struct bench_transport *transport = &transports->all[transports->count++];
	char kept[sizeof(transport->setting)];

	snprintf(kept, sizeof(kept), "%s", setting);
	*transport = *as;
	memcpy(transport->setting, kept, sizeof(kept));
	return transport;
}

void peers__peat(struct bench_transports *transports)
{
	static const struct bench_transport unset[BENCH_WAYS];
	struct bench_transports all;

	transports->count = 0;
	bench_transports__all(&all, &peers.bench.sizes, unset);
	for (size_t i = 0; i < all.count; i++)
		if (all.all[i].way == BENCH_PEAT)
			peers__add(transports, &all.all[i], all.all[i].setting);
}

/* ---- transports that cannot be measured ------------------------------------------------------ */

/* The last two lines that the program wrote to stderr, or the text of the errno. */
static void find_reason(char *reason, size_t room, int err)
{
	FILE *file = fopen(peers.errors, "re");
	char lines[2][256] = { "", "" };
	unsigned now = 0;

	while (file && fgets(lines[now], sizeof(*lines), file)) {
		lines[now][strcspn(lines[now], "\n")] = '\0';
		if (*lines[now])
			now = !now;
	}
	if (file)
		fclose(file);
	if (!*lines[!now])
		snprintf(reason, room, "%s", strerror(-err));
	else
		snprintf(reason, room, "%.200s%s%.200s", lines[now], *lines[now] ? "; " : "",
			 lines[!now]);
}

static void skip(const char *workload, const struct bench_transport *transport, int err)
{
	struct peers_skip *skip = &peers.skips[peers.skip_count];

	if (peers.skip_count == PEERS_SKIPS_MAX)
		return;
	peers.skip_count++;
	snprintf(skip->workload, sizeof(skip->workload), "%s", workload);
	snprintf(skip->setting, sizeof(skip->setting), "%s", transport->setting);
	skip->transport = bench_rig__transport_name(transport);
	find_reason(skip->reason, sizeof(skip->reason), err);
}

/*
 * A run fails if a CPU goes offline meanwhile, as in peat's own tests.  It is repeated once the CPU
 * is online again.
 */
#define ATTEMPTS    6
#define CPU_WAIT_MS 10000

static bool is_online(uint32_t cpu)
{
	cpu_set_t before;
	bool online;

	if (sched_getaffinity(0, sizeof(before), &before))
		return false;
	online = !peer_process__pin(cpu);
	sched_setaffinity(0, sizeof(before), &before);
	return online;
}

static void await_cpus(void)
{
	const struct bench_cpus *cpus = &peers.bench.cpus;

	for (unsigned ms = 0; ms < CPU_WAIT_MS; ms += 10) {
		if (is_online(cpus->producers[0]) && is_online(cpus->reader))
			return;
		peer_process__sleep_ms(10);
	}
}

static int run_once(struct bench_rig *rig, const struct bench_load *load,
		    struct bench_result *result)
{
	int err;

	await_cpus();
	err = bench_run__load(rig, &peers.bench.cpus, load, result);
	if (!err && bench_rig__has_reader(rig) && !result->delivered)
		err = -ENODATA;
	return err;
}

static int run(struct bench_rig *rig, const struct bench_load *load, struct bench_result *result)
{
	int err = run_once(rig, load, result);

	for (unsigned attempt = 1; err && attempt < ATTEMPTS; attempt++) {
		peer_process__sleep_ms(attempt * 200);
		err = run_once(rig, load, result);
	}
	return err;
}

static struct bench_events events_of(const struct peers_plan *plan)
{
	return (struct bench_events){ .bytes = plan->event_bytes ? plan->event_bytes : 16 };
}

static int try_once(const struct bench_transport *transport, const struct peers_plan *plan)
{
	const struct bench_events events = events_of(plan);
	struct bench_load trial = plan->load;
	struct bench_result result;
	struct bench_rig rig;
	int err;

	remove(peers.errors);
	trial.run_ns = peers__run_ns(20);
	await_cpus();
	err = bench_rig__open(&rig, transport, &events);
	if (!err)
		err = run_once(&rig, &trial, &result);
	bench_rig__close(&rig);
	return err;
}

static int try(const struct bench_transport *transport, const struct peers_plan *plan)
{
	int err = try_once(transport, plan);

	for (unsigned attempt = 1; err && attempt < ATTEMPTS; attempt++) {
		peer_process__sleep_ms(attempt * 200);
		err = try_once(transport, plan);
	}
	return err;
}

void peers__keep_working(const struct peers_plan *plan, struct bench_transports *transports)
{
	struct bench_transports all = *transports;

	transports->count = 0;
	for (size_t i = 0; i < all.count; i++) {
		int err = try(&all.all[i], plan);

		if (!err)
			peers__add(transports, &all.all[i], all.all[i].setting);
		else
			skip(plan->workload, &all.all[i], err);
	}
}

/* ---- measuring ------------------------------------------------------------------------------- */

static int run_round(struct bench_rigs *rigs, const struct bench_load *load, bool backwards)
{
	int err = 0;

	for (size_t n = 0; !err && n < rigs->count; n++) {
		size_t i = backwards ? rigs->count - 1 - n : n;

		err = run(&rigs->all[i], load, &rigs->results[i]);
	}
	return err;
}

static void add_round_rows(const struct peers_plan *plan, const struct bench_rigs *rigs)
{
	for (size_t i = 0; i < rigs->count; i++) {
		const struct bench_transport *transport = rigs->all[i].transport;
		struct bench_place place = { plan->workload, bench_rig__transport_name(transport),
					     transport->setting };

		plan->add_rows(&peers.bench, &place, rigs, i);
	}
}

/*
 * On a busy machine starting the tools takes most of the time.  Fewer rounds then keep the total
 * below five minutes.
 */
#define ROUNDS_MIN	3
#define WORKLOAD_MAX_NS 20000000000ULL

static int run_rounds(const struct peers_plan *plan, struct bench_rigs *rigs)
{
	uint64_t start_ns = bench_rig__now_ns();
	int err = plan->warm_up ? run_round(rigs, &plan->load, false) : 0;

	/* Alternate the direction, so that drift affects all transports equally. */
	for (uint32_t round = 0; !err && round < plan->rounds; round++) {
		err = run_round(rigs, &plan->load, round % 2);
		if (!err)
			add_round_rows(plan, rigs);
		if (round + 1 >= ROUNDS_MIN && bench_rig__now_ns() - start_ns > WORKLOAD_MAX_NS)
			break;
	}
	return err;
}

static int open_rigs(struct bench_rigs *rigs, const struct peers_plan *plan,
		     const struct bench_transports *transports)
{
	const struct bench_events events = events_of(plan);
	int err = -ENODEV;

	for (unsigned attempt = 0; err && attempt < ATTEMPTS; attempt++) {
		peer_process__sleep_ms(attempt * 200);
		await_cpus();
		err = bench_measure__open_rigs(rigs, transports->all, transports->count, &events);
	}
	return err;
}

int peers__measure(const struct peers_plan *plan, const struct bench_transports *transports)
{
	static const struct bench_transport all = { .name = "all", .setting = "remaining" };
	struct bench_rigs rigs;
	int err = open_rigs(&rigs, plan, transports);

	if (!err) {
		err = run_rounds(plan, &rigs);
		bench_measure__close_rigs(&rigs);
	}
	if (err) {
		remove(peers.errors); /* it may be of another program than the one that failed */
		skip(plan->workload, &all, err);
	}
	return err;
}

static double median_delivered(const char *workload, const struct bench_transport *transport)
{
	const struct bench_table *table = &peers.bench.table;

	for (size_t i = 0; i < table->count; i++) {
		const struct bench_row *row = &table->rows[i];

		if (!strcmp(row->workload, workload) && !strcmp(row->metric, "delivered") &&
		    !strcmp(row->transport, bench_rig__transport_name(transport)) &&
		    !strcmp(row->setting, transport->setting))
			return bench_table__spread(row->rounds, row->count).median;
	}
	return 0;
}

const struct bench_transport *peers__most_delivered(const char *workload,
						    const struct bench_transports *transports)
{
	const struct bench_transport *best = transports->all;

	for (size_t i = 1; i < transports->count; i++)
		if (median_delivered(workload, &transports->all[i]) >
		    median_delivered(workload, best))
			best = &transports->all[i];
	return best;
}

/*
 * A peer that reads a perf event array may leave events below its watermark in the ring.  They are
 * not lost, so for those peers the program's own count is used.
 */
double peers__lost_percent(const struct bench_rigs *rigs, size_t i)
{
	const struct bench_transport *transport = rigs->all[i].transport;
	const struct bench_result *result = &rigs->results[i];
	uint64_t lost = result->refused;

	if (transport->way != BENCH_PERF_BUFFER || !transport->reader)
		lost = result->emitted > result->delivered ? result->emitted - result->delivered
							   : 0;
	return result->emitted ? 100.0 * (double)lost / (double)result->emitted : 0;
}

int peers__wait(struct bench_rig *rig)
{
	(void)rig;
	poll(NULL, 0, 100); /* until the signal that ends the run, or so */
	return 0;
}

void peers__name_sets(struct peers_sets *sets, unsigned per_call, uint32_t event_bytes)
{
	snprintf(sets->bytes, sizeof(sets->bytes), "bench_setup.bytes=%u", event_bytes);
	snprintf(sets->pid, sizeof(sets->pid), "bench_setup.pid=%d", (int)getpid());
	snprintf(sets->syscall, sizeof(sets->syscall), "bench_setup.syscall=%d", SYS_getpgid);
	snprintf(sets->per_call, sizeof(sets->per_call), "bench_control.per_call=%u", per_call);
}

/* ---- results --------------------------------------------------------------------------------- */

static void print_row(const struct bench_row *row)
{
	struct bench_spread spread = bench_table__spread(row->rounds, row->count);
	double ratio;

	printf("%-20s %-13s %-26s %-16s %-9s %9.4g %9.4g %9.4g", row->workload, row->transport,
	       row->setting, row->metric, row->unit, spread.median, spread.p25, spread.p75);
	if (bench_table__ratio(&peers.bench.table, row, &ratio))
		printf(" %9.3g\n", ratio);
	else
		printf(" %9s\n", "-");
}

static void print_new_rows(void)
{
	struct bench_table *table = &peers.bench.table;

	for (; table->shown < table->count; table->shown++)
		print_row(&table->rows[table->shown]);
	fflush(stdout);
}

static void print_head(const struct utsname *host)
{
	printf("Events of 16 bytes, emitted on CPU %u and read on CPU %u; Linux %s %s; load "
	       "average "
	       "%.2f.\nReaders have rings of %zu KiB per CPU.  Each round runs all transports in "
	       "turn; "
	       "the ratio is to the first\ntransport with that metric, round by round.\n\n",
	       peers.bench.cpus.producers[0], peers.bench.cpus.reader, host->release, host->machine,
	       peers.bench.load, peers.bench.sizes.cpu_bytes / 1024);
	printf("%-20s %-13s %-26s %-16s %-9s %9s %9s %9s %9s\n", "workload", "transport", "setting",
	       "metric", "unit", "median", "p25", "p75", "ratio");
	fflush(stdout);
}

static void print_skips(void)
{
	for (size_t i = 0; i < peers.skip_count; i++) {
		const struct peers_skip *skip = &peers.skips[i];

		printf("%-20s %-13s %-26s skipped: %s\n", skip->workload, skip->transport,
		       skip->setting, skip->reason);
	}
}

static void print_json_skips(void)
{
	for (size_t i = 0; i < peers.skip_count; i++) {
		const struct peers_skip *skip = &peers.skips[i];

		json_text__member(i ? ",\n {" : "{", "workload", skip->workload);
		json_text__member(",", "transport", skip->transport);
		json_text__member(",", "setting", skip->setting);
		json_text__member(",", "reason", skip->reason);
		putchar('}');
	}
}

static void print_json(const struct utsname *host)
{
	json_text__member("{", "peat", PEAT_VERSION);
	json_text__member(",", "kernel", host->release);
	json_text__member(",", "machine", host->machine);
	printf(",\"load_average\":%.6g,\"quick\":%s,\"producer_cpu\":%u,\"reader_cpu\":%u,"
	       "\"ring_bytes_a_cpu\":%zu,\n\"rows\":",
	       peers.bench.load, peers.bench.quick ? "true" : "false",
	       peers.bench.cpus.producers[0], peers.bench.cpus.reader, peers.bench.sizes.cpu_bytes);
	bench_table__print_json(&peers.bench.table);
	printf(",\n\"skipped\":[");
	print_json_skips();
	puts("]}");
}

/* ---- main ------------------------------------------------------------------------------------ */

/* One kind of peers, or all of them. */
static int measure(const char *kind)
{
	static const struct {
		const char *name;
		int (*measure)(void);
	} kinds[] = { { "readers", peer_readers__measure },
		      { "tools", peer_tools__measure },
		      { "counts", peer_kernel_counts__measure },
		      { "records", peer_records__measure },
		      { "flight", peer_flight__measure } };
	int err = 0, now;

	/* A failure of one kind does not affect the others. */
	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++) {
		if (kind && strcmp(kind, kinds[i].name) != 0)
			continue;
		now = kinds[i].measure();
		err = err ? err : now;
		if (!peers.bench.json)
			print_new_rows();
	}
	return err;
}

/* Waits if all CPUs but one are offline for a moment. */
static int find_cpus(struct bench_cpus *cpus)
{
	int err = 0;

	for (unsigned ms = 0; ms < CPU_WAIT_MS; ms += 100) {
		err = bench_run__read_cpus(cpus);
		if (err || cpus->count > 1 || sysconf(_SC_NPROCESSORS_CONF) == 1)
			return err;
		peer_process__sleep_ms(100);
	}
	return err;
}

static int begin(char **directories)
{
	struct bench *bench = &peers.bench;
	int err = find_cpus(&bench->cpus);

	if (err)
		return err;
	if (bench->cpus.producers[0] == bench->cpus.reader)
		messages__print("only CPU %u is available: the reader shares it with the producer",
				bench->cpus.reader);
	peers.build = directories[0];
	peers.tmpfs = directories[1];
	peers.disk = directories[2];
	snprintf(peers.peat, sizeof(peers.peat), "%s/peat", peers.build);
	snprintf(peers.channel, sizeof(peers.channel), "%s/user/bench/bpf/channel.bpf.o",
		 peers.build);
	snprintf(peers.errors, sizeof(peers.errors), "%s/errors", peers.tmpfs);
	bench->sizes = bench_transports__sizes();
	if (getloadavg(&bench->load, 1) != 1)
		bench->load = 0;
	bench_run__prepare();
	return 0;
}

static int print_warnings(enum libbpf_print_level level, const char *format, va_list args)
{
	return level == LIBBPF_WARN ? vfprintf(stderr, format, args) : 0;
}

int main(int argc, char **argv)
{
	struct utsname host;
	const char *kind = NULL;
	int option, err;

	while ((option = getopt(argc, argv, "jk:q")) != -1) {
		if (option == 'k')
			kind = optarg;
		peers.bench.json |= option == 'j';
		peers.bench.quick |= option == 'q';
		if (option == '?')
			return EXIT_USAGE;
	}
	if (argc - optind != 3) {
		fprintf(stderr, "usage: %s [-j] [-q] [-k KIND] BUILD_DIR TMPFS_DIR DISK_DIR\n",
			argv[0]);
		return EXIT_USAGE;
	}
	uname(&host);
	messages__set_verbosity(0);
	libbpf_set_print(print_warnings);
	err = begin(argv + optind);
	if (!err && !peers.bench.json)
		print_head(&host);
	if (!err)
		err = measure(kind);
	if (peers.bench.json)
		print_json(&host);
	else
		print_skips();
	bench_table__free(&peers.bench.table);
	return err || fflush(stdout) || ferror(stdout) ? EXIT_FAILED : 0;
}
