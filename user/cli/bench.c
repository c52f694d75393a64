// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* bench.c: peat bench: this machine's transports from BPF programs to user space, side by side. */
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>
#include <bpf/libbpf.h>

#include <peat/peat.h>

#include "bench.h"
#include "cli.h"
#include "json_text.h"
#include "options.h"

/* ---- what is compared, and where ------------------------------------------------------------- */

static double load_of_machine(void)
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
	printf("peat " PEAT_VERSION " and libbpf %u.%u's readers, on Linux %s %s.\n"
	       "The same BPF program on getpgid(2) emits the same events into each.  Perf rings "
	       "have %zu KiB a CPU, BPF\nring buffers %zu KiB in all.  Producers on CPU ",
	       libbpf_major_version(), libbpf_minor_version(), host.release, host.machine,
	       bench->sizes.cpu_bytes / 1024, bench->sizes.all_bytes / 1024);
	print_list(&bench->cpus, ", ");
	printf(" in this order, the reader on CPU %u.\n"
	       "A cell is the median of interleaved rounds, the quartiles, and the ratio to the "
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

/* All, if none is named. */
static bool is_wanted(const struct options *options, const char *name)
{
	for (size_t i = 0; i < options->name_count; i++)
		if (!strcmp(options->names[i], name))
			return true;
	return !options->name_count;
}

static bool is_workload(const char *name)
{
	const struct bench_workload *workload;

	for (size_t i = 0; (workload = bench_workload__at(i)); i++)
		if (!strcmp(workload->name, name))
			return true;
	return false;
}

static int check_names(const struct options *options)
{
	for (size_t i = 0; i < options->name_count; i++) {
		if (is_workload(options->names[i]))
			continue;
		cli__complain("there is no workload '%s'; peat bench --help lists them",
			      options->names[i]);
		return EXIT_USAGE;
	}
	return 0;
}

/* Before the peers' best settings are known, which are no part of what can be asked for then. */
static int check_transport(struct bench *bench)
{
	bench->sizes = bench_transports__sizes();
	for (int way = 0; way < BENCH_WAYS; way++)
		bench->best[way].way = (enum bench_way)way;
	bench_choose(bench);
	if (bench->transports.count)
		return 0;
	cli__complain("no transport has '%s' in its name and setting, such as 'peat time, ids'",
		      bench->only);
	return EXIT_USAGE;
}

/* The first one finds the peers' best settings, which the others need. */
static int run_wanted(struct bench *bench, const struct options *options)
{
	const struct bench_workload *workload;
	int err = 0;

	for (size_t i = 0; !err && (workload = bench_workload__at(i)); i++) {
		if (i && !is_wanted(options, workload->name))
			continue;
		err = workload->run(bench);
		if (!err && bench->json)
			bench->table.shown = bench->table.count;
		else if (!err)
			bench_table__print(&bench->table, workload->title);
	}
	return err;
}

static int print_warnings(enum libbpf_print_level level, const char *format, va_list args)
{
	return level == LIBBPF_WARN ? vfprintf(stderr, format, args) : 0;
}

static int begin(struct bench *bench)
{
	int err = bench_cpus__read(&bench->cpus);

	if (err)
		return err;
	bench->load = load_of_machine();
	bench_run__prepare();
	libbpf_set_print(print_warnings);
	if (!bench->quick && bench->load > 0.5 * bench->cpus.count)
		cli__complain("this machine is busy (load average %.2f): the numbers are what is "
			      "left of it",
			      bench->load);
	return 0;
}

static const char doc[] =
	"Compares what carries events from BPF programs to user space on this machine: peat's "
	"channels, libbpf's perf_buffer and ring_buffer.  For an idle machine; takes two to three "
	"minutes.\v"
	"WORKLOAD: settings (of the peers that are compared; always), cost, saturated, rates, "
	"latency, producers, "
	"idle or memory; without one, all of them.";

int bench_main(int argc, char **argv)
{
	struct options options;
	struct bench bench = { 0 };
	int err;

	options__parse(&options, VERB_BENCH, "[WORKLOAD...]", doc, argc, argv);
	bench.json = options.json;
	bench.quick = options.quick;
	bench.only = options.transport;
	if (check_names(&options) || check_transport(&bench))
		return EXIT_USAGE;
	cli__show_messages(0);
	err = begin(&bench);
	if (!err && !bench.json)
		print_head(&bench);
	if (!err)
		err = run_wanted(&bench, &options);
	if (!err && bench.json)
		print_json(&bench);
	bench_table__free(&bench.table);
	if (fflush(stdout) || ferror(stdout)) {
		cli__complain("cannot write to stdout: %m");
		return EXIT_FAILED;
	}
	return err ? EXIT_FAILED : 0;
}
