// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* bench.c: peat bench: this machine's transports from BPF programs to user space, side by side. */
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>
#include <bpf/libbpf.h>

#include <peat/peat.h>

#include "bench.h"
#include "cli/cli.h"
#include "cli/base/messages.h"
#include "cli/base/progress.h"
#include "cli/base/terminal.h"
#include "cli/base/json_text.h"
#include "cli/options/options.h"

/* ---- heading and JSON ------------------------------------------------------------------------ */

static double load_average(void)
{
	FILE *file = fopen("/proc/loadavg", "re");
	double load = 0;

	if (file && fscanf(file, "%lf", &load) != 1)
		load = 0;
	if (file)
		fclose(file);
	return load;
}

static void print_list(const struct bench_cpus *cpus, const char *comma)
{
	for (uint32_t i = 0; i < cpus->count; i++)
		printf("%s%u", i ? comma : "", cpus->producers[i]);
}

static void print_head(const struct bench *bench)
{
	struct utsname host = { 0 };

	uname(&host);
	printf("peat " PEAT_VERSION " and the readers of libbpf %u.%u, on Linux %s %s.\n"
	       "The same BPF program on getpgid(2) emits the same events into each.  Perf rings "
	       "have %zu KiB per CPU, BPF\nring buffers %zu KiB in total.  Producers on CPU ",
	       libbpf_major_version(), libbpf_minor_version(), host.release, host.machine,
	       bench->sizes.cpu_bytes / 1024, bench->sizes.all_bytes / 1024);
	print_list(&bench->cpus, ", ");
	printf(" in this order, the reader on CPU %u.\n"
	       "A cell has the median of interleaved rounds, the quartiles, and the ratio to the "
	       "first transport with that\nmetric, round by round.\n",
	       bench->cpus.reader);
	fflush(stdout);
}

static void print_json(const struct bench *bench)
{
	struct utsname host = { 0 };

	uname(&host);
	json_text__member("{", "peat", PEAT_VERSION);
	printf(",\"libbpf\":\"%u.%u\"", libbpf_major_version(), libbpf_minor_version());
	json_text__member(",", "kernel", host.release);
	json_text__member(",", "machine", host.machine);
	printf(",\"load_average\":%.6g,\"quick\":%s,\"producer_cpus\":[", bench->load,
	       bench->quick ? "true" : "false");
	print_list(&bench->cpus, ",");
	printf("],\"reader_cpu\":%u,\"ring_bytes_a_cpu\":%zu,\"ringbuf_bytes\":%zu,\n\"rows\":",
	       bench->cpus.reader, bench->sizes.cpu_bytes, bench->sizes.all_bytes);
	bench_table__print_json(&bench->table);
	puts("}");
}

/* ---- the verb -------------------------------------------------------------------------------- */

/* All, if none is given. */
static bool is_wanted_workload(const struct options *options, const char *name)
{
	for (size_t i = 0; i < options->sources.name_count; i++)
		if (!strcmp(options->sources.names[i], name))
			return true;
	return !options->sources.name_count;
}

static bool is_workload(const char *name)
{
	const struct bench_workload *workload;

	for (size_t i = 0; (workload = bench_workloads__at(i)); i++)
		if (!strcmp(workload->name, name))
			return true;
	return false;
}

static int check_names(const struct options *options)
{
	for (size_t i = 0; i < options->sources.name_count; i++) {
		if (is_workload(options->sources.names[i]))
			continue;
		messages__print("unknown workload '%s': peat bench --help lists the workloads",
				options->sources.names[i]);
		return EXIT_USAGE;
	}
	return 0;
}

/* Called before the peers' best settings are measured, so --transport cannot match those. */
static int check_transport(struct bench *bench)
{
	bench->sizes = bench_transports__sizes();
	for (int way = 0; way < BENCH_WAYS; way++)
		bench->best[way].way = (enum bench_way)way;
	bench_workloads__choose_transports(bench);
	if (bench->transports.count || bench_select__has(bench->only))
		return 0;
	messages__print("no transport matches '%s': give part of its name and setting, such as "
			"'peat time, ids'",
			bench->only);
	return EXIT_USAGE;
}

/* The i-th workload; NULL: there are no more, or it is not wanted. */
static const struct bench_workload *wanted_workload(const struct options *options, size_t i)
{
	const struct bench_workload *workload = bench_workloads__at(i);

	/* The first always runs: it finds the peers' best settings, which the others need. */
	return workload && (!i || is_wanted_workload(options, workload->name)) ? workload : NULL;
}

static int run_workload(struct bench *bench, const struct bench_workload *workload)
{
	int err;

	bench->progress.name = workload->name;
	err = workload->run(bench);
	bench->progress.done++;
	progress__erase();
	if (!err && bench->json)
		bench->table.shown = bench->table.count;
	else if (!err)
		bench_table__print(&bench->table, workload->title);
	return err;
}

static int run_wanted(struct bench *bench, const struct options *options)
{
	const struct bench_workload *workload;
	int err = 0;

	bench->progress = (struct progress){ .verb = "measuring", .unit = PROGRESS_STEPS };
	for (size_t i = 0; bench_workloads__at(i); i++)
		bench->progress.all += wanted_workload(options, i) != NULL;
	progress__begin(options->output.quiet || terminal__is_pipe(STDOUT_FILENO));
	for (size_t i = 0; !err && bench_workloads__at(i); i++) {
		workload = wanted_workload(options, i);
		if (workload)
			err = run_workload(bench, workload);
	}
	progress__end();
	return err;
}

static int print_warnings(enum libbpf_print_level level, const char *format, va_list args)
{
	progress__erase();
	return level == LIBBPF_WARN ? vfprintf(stderr, format, args) : 0;
}

static int begin_bench(struct bench *bench)
{
	int err = bench_run__read_cpus(&bench->cpus);

	if (err)
		return err;
	bench->load = load_average();
	bench_run__prepare();
	libbpf_set_print(print_warnings);
	if (!bench->quick && bench->load > 0.5 * bench->cpus.count)
		messages__print("this machine is busy (load average %.2f): the results are worse "
				"than on an idle one",
				bench->load);
	return 0;
}

static const char doc[] =
	"Measures the transports from BPF programs to user space on this machine, side by side: "
	"peat's channels, libbpf's perf_buffer and ring_buffer.  Run it on an idle machine; it "
	"takes about four minutes.\v"
	"WORKLOAD: settings (finds the best settings of the peers; always runs), cost, saturated, "
	"rates, latency, producers, idle, memory or select.  Default: all of them.";

int bench_main(int argc, char **argv)
{
	struct options options;
	struct bench bench = { 0 };
	int err;

	options__parse(&options, VERB_BENCH, "[WORKLOAD...]", doc, argc, argv);
	bench.json = options.output.json;
	bench.quick = options.bench.quick;
	bench.only = options.bench.transport;
	if (check_names(&options) || check_transport(&bench))
		return EXIT_USAGE;
	messages__set_verbosity(0);
	err = begin_bench(&bench);
	if (!err && !bench.json)
		print_head(&bench);
	if (!err)
		err = run_wanted(&bench, &options);
	if (!err && bench.json)
		print_json(&bench);
	bench_table__free(&bench.table);
	return cli__flush_stdout() || err ? EXIT_FAILED : 0;
}
