// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * test_stock_reads.c: recordings written by peat, read by stock perf: whole, growing, killed, cut.
 */
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "record/attr_encode.h"
#include "support/machine/command.h"
#include "record/encode.h"
#include "perf_data/write/feature_encode.h"
#include "support/machine/harness.h"
#include "perf_data/describe/features.h"
#include "perf_data/read/file.h"
#include "support/machine/process.h"
#include "support/perf/stock_perf.h"
#include "perf_data/write/tool_encode.h"
#include "support/recording/written.h"

#define SAMPLES 1000
#define EXECS	(SAMPLES / WRITTEN_EACH)

static int open_file(const char *path)
{
	int fd = open(path, O_CREAT | O_TRUNC | O_WRONLY | O_CLOEXEC, 0644);

	ck_assert_int_ge(fd, 0);
	return fd;
}

static void write_file(const char *path, bool compressed, bool closed)
{
	struct written written;

	ck_assert_int_eq(written__begin(&written, open_file(path), compressed), 0);
	ck_assert_int_eq(written__samples(&written, SAMPLES), 0);
	written__end(&written);
	ck_assert_int_eq(perf_writer__flush(written.writer), 0);
	if (closed)
		ck_assert_int_eq(perf_writer__close(written.writer), 0);
	written__free(&written);
}

static unsigned count_of(const char *text, const char *part)
{
	unsigned count = 0;

	while ((text = strstr(text, part))) {
		text += strlen(part);
		count++;
	}
	return count;
}

/* Checks the text of perf script: each sample, with its CPU, time and payload. */
static void check_script_text(const char *text, unsigned raw, unsigned execs)
{
	char part[120];

	ck_assert_uint_eq(count_of(text, " raw: "), raw);
	ck_assert_uint_eq(count_of(text, " peat:exec: "), execs);
	for (unsigned i = 0; i < raw; i += 111) {
		snprintf(part, sizeof(part), "proc-a   100 [%03u]     1.%06u:          1 ", i % 2,
			 i);
		stock_perf__check_has(text, part);
		snprintf(part, sizeof(part), "BPF string: \"sample %05u\"", i);
		stock_perf__check_has(text, part);
	}
	for (unsigned i = 0; i < execs; i += 11) {
		snprintf(part, sizeof(part), "1.%06u: peat:exec: ppid=%u filename=/bin/true\n",
			 i * WRITTEN_EACH, i * WRITTEN_EACH);
		stock_perf__check_has(text, part);
	}
}

static void check_script(const char *line)
{
	char *text = stock_perf__shell(line);

	check_script_text(text, SAMPLES, EXECS);
	free(text);
}

/* Checks that the command succeeds and prints nothing. */
static void check_quiet(const char *line)
{
	char *text = stock_perf__shell(line);

	ck_assert_str_eq(text, "");
	free(text);
}

/* ---- whole recordings ------------------------------------------------------------------------ */

START_TEST(test_perf_script_reads_files)
{
	need_perf();
	for (int compressed = 0; compressed < 2; compressed++) {
		write_file("closed", compressed, true);
		write_file("growing", compressed, false);
		check_script("perf script -i closed");
		check_script("perf script -i growing");
		check_script("cat growing | perf script -i -");
		check_quiet("perf script -i closed 2>&1 >/dev/null");
		check_quiet("perf script -i growing 2>&1 >/dev/null");
	}
}
END_TEST

static void check_header(const char *path)
{
	static const char *const lines[] = {
		"# hostname : ",
		"# os release : ",
		"# perf version : peat ",
		"# arch : ",
		"# nrcpus online : ",
		"# nrcpus avail : ",
		"# cpudesc : ",
		"# total memory : ",
		"# cmdline : peat record it\\'s ",
		"# clockid frequency: ",
		"# clockid: monotonic (1)",
		"# reference time: ",
	};
	char line[64], *text;

	snprintf(line, sizeof(line), "perf report --header-only -I -i %s 2>&1", path);
	text = stock_perf__shell(line);
	for (size_t i = 0; i < sizeof(lines) / sizeof(*lines); i++)
		stock_perf__check_has(text, lines[i]);
	ck_assert_ptr_null(strstr(text, "WARNING"));
	free(text);
}

START_TEST(test_perf_report_reads_header)
{
	char *text;

	need_perf();
	write_file("closed", false, true);
	write_file("growing", false, false);
	check_header("closed");
	check_header("growing");
	text = stock_perf__shell("perf report --header-only -i closed");
	stock_perf__check_has(text, "# time of first sample : 1.000000");
	stock_perf__check_has(text, "# time of last sample : 1.000999");
	stock_perf__check_has(
		text, "# event : name = raw, , id = { 11 }, type = 1, size = 128, config = 0xa,");
	stock_perf__check_has(text,
			      "# event : name = peat:exec, , id = { 12 }, type = 2, size = 128, "
			      "config = 0x9c40,");
	free(text);
}
END_TEST

START_TEST(test_perf_evlist_reads_events)
{
	char *text;

	need_perf();
	write_file("closed", false, true);
	text = stock_perf__shell("perf evlist -v -i closed");
	stock_perf__check_has(
		text, "raw: type: 1, size: 128, config: 0xa, { sample_period, sample_freq }: 1, "
		      "sample_type: IP|TID|TIME|CPU|RAW|IDENTIFIER, sample_id_all: 1, "
		      "use_clockid: 1, clockid: 1\n");
	stock_perf__check_has(text, "peat:exec: type: 2, size: 128, config: 0x9c40, ");
	ck_assert_uint_eq(count_of(text, ": type: "), 2);
	free(text);
	text = stock_perf__shell("perf evlist --trace-fields -i closed");
	stock_perf__check_has(text, "peat:exec: trace_fields: ppid,filename\n");
	free(text);
	text = stock_perf__shell("perf report --stats -i closed");
	stock_perf__check_has(text, "raw stats:\n          SAMPLE events:       1000");
	stock_perf__check_has(text, "peat:exec stats:\n          SAMPLE events:        100");
	stock_perf__check_has(text, "COMM events:          1");
	free(text);
}
END_TEST

START_TEST(test_perf_reads_records)
{
	char *text;

	need_perf();
	write_file("closed", false, true);
	text = stock_perf__shell("perf report -D -i closed | grep -o 'PERF_RECORD_[A-Z0-9_]*'");
	ck_assert_uint_eq(count_of(text, "PERF_RECORD_SAMPLE\n"), SAMPLES + EXECS);
	ck_assert_uint_eq(count_of(text, "PERF_RECORD_COMM\n"), 1);
	ck_assert_uint_eq(count_of(text, "PERF_RECORD_FINISHED_ROUND\n"),
			  SAMPLES / WRITTEN_ROUND + 2);
	ck_assert_uint_eq(count_of(text, "PERF_RECORD_EVENT_TYPE\n"), 1); /* the note */
	free(text);
}
END_TEST

static void put(struct written *written, const struct peat_record *rec)
{
	ck_assert_int_eq(
		encode__record(perf_writer__out(written->writer), &written->raw.layout, rec), 0);
}

/* One record of each type: a task that begins, maps a file and ends; and losses. */
static void put_side_band(struct written *written)
{
	struct tool_id_entry entries[] = { { .id = 11, .cpu = -1, .tid = -1 },
					   { .id = 12, .index = 1, .cpu = -1, .tid = -1 } };
	struct peat_record rec = { .pid = 101, .tid = 101, .time_ns = 999000000 };
	struct strbuf *out = perf_writer__out(written->writer);

	ck_assert_int_eq(tool_encode__id_index(out, entries, 2), 0);
	rec.type = PEAT_RECORD_FORK;
	rec.task = (struct peat_task){ 101, 100, 101, 100, rec.time_ns };
	put(written, &rec);
	rec.type = PEAT_RECORD_MMAP2;
	rec.mmap = (struct peat_mmap){ .pid = 101,
				       .tid = 101,
				       .addr = 0x400000,
				       .len = 0x1000,
				       .prot = 5,
				       .flags = 2,
				       .filename = "/usr/bin/mapped" };
	put(written, &rec);
	rec.type = PEAT_RECORD_EXIT;
	rec.task = (struct peat_task){ 101, 100, 101, 100, rec.time_ns };
	put(written, &rec);
	rec.type = PEAT_RECORD_LOST;
	rec.lost = (struct peat_lost){ 11, 34 };
	put(written, &rec);
	rec.type = PEAT_RECORD_LOST_SAMPLES;
	rec.lost_samples.lost = 56;
	put(written, &rec);
	ck_assert_int_eq(tool_encode__mark(out, TOOL_FINISHED_INIT), 0);
}

static void check_side_band(const char *path)
{
	char line[128], *text;

	snprintf(line, sizeof(line),
		 "perf script --show-task-events --show-mmap-events --show-lost-events -i %s 2>&1",
		 path);
	text = stock_perf__shell(line);
	stock_perf__check_has(
		text, "proc-a   101 [000]     0.999000: PERF_RECORD_FORK(101:101):(100:100)");
	stock_perf__check_has(text,
			      "PERF_RECORD_MMAP2 101/101: [0x400000(0x1000) @ 0 00:00 0 0]: r-xp "
			      "/usr/bin/mapped");
	stock_perf__check_has(text, "PERF_RECORD_EXIT(101:101):(100:100)");
	stock_perf__check_has(text, "PERF_RECORD_LOST lost 34");
	stock_perf__check_has(text, "Processed 67 samples and lost 83.58%!"); /* 56 of them */
	free(text);
	snprintf(line, sizeof(line), "perf report -D -i %s", path);
	text = stock_perf__shell(line);
	stock_perf__check_has(text,
			      "PERF_RECORD_ID_INDEX nr: 2\n ... id: 11  idx: 0  cpu: -1  tid: -1");
	stock_perf__check_has(text, "PERF_RECORD_FINISHED_INIT");
	free(text);
}

START_TEST(test_side_band)
{
	struct written written;

	need_perf();
	ck_assert_int_eq(written__begin(&written, open_file("closed"), false), 0);
	put_side_band(&written);
	ck_assert_int_eq(written__samples(&written, 10), 0);
	ck_assert_int_eq(perf_writer__flush(written.writer), 0);
	free(stock_perf__shell("cp closed growing"));
	check_side_band("growing");
	ck_assert_int_eq(perf_writer__close(written.writer), 0);
	check_side_band("closed");
	written__free(&written);
}
END_TEST

static void put_switches(struct written *written, struct peat_record *rec)
{
	rec->type = PEAT_RECORD_SWITCH;
	put(written, rec);
	rec->misc = PEAT_MISC_SWITCH_OUT | PEAT_MISC_SWITCH_OUT_PREEMPT;
	put(written, rec);
	rec->type = PEAT_RECORD_SWITCH_CPU_WIDE;
	rec->context_switch.next_prev_pid = 77;
	rec->context_switch.next_prev_tid = 78;
	put(written, rec);
	rec->misc = 0;
}

/* Code that is loaded, announced and changed. */
static void put_code(struct written *written, struct peat_record *rec)
{
	static const uint8_t before[] = { 1, 2, 3, 4, 5 }, after[] = { 0xa1, 0xa2, 0xa3 };

	rec->type = PEAT_RECORD_KSYMBOL;
	rec->ksymbol = (struct peat_ksymbol){ 0xffffffffc0001000, 256, PEAT_KSYMBOL_TYPE_BPF, 0,
					      "bpf_prog_0123456789abcdef_probe" };
	put(written, rec);
	rec->type = PEAT_RECORD_BPF_EVENT;
	rec->bpf = (struct peat_bpf){ PEAT_BPF_PROG_LOAD, 0, 12345, (const uint8_t *)"abcdefgh" };
	put(written, rec);
	rec->type = PEAT_RECORD_TEXT_POKE;
	rec->text_poke = (struct peat_text_poke){ 0xffffffff81000010, 5, 3, before, after };
	put(written, rec);
}

/* Kinds that peat record can request, and kinds that only other events have. */
static void put_other_kinds(struct written *written)
{
	const uint64_t links[] = { 4, 0xf0000001, 4, 0xf0000002 };
	struct peat_record rec = { .pid = 100, .tid = 100, .time_ns = 999000000 };

	put_switches(written, &rec);
	rec.type = PEAT_RECORD_NAMESPACES;
	rec.namespaces = (struct peat_namespaces){ 100, 100, 2, { links, 4, false } };
	put(written, &rec);
	rec.type = PEAT_RECORD_CGROUP;
	rec.cgroup = (struct peat_cgroup){ 4242, "/a.slice/b.service" };
	put(written, &rec);
	put_code(written, &rec);
	rec.type = PEAT_RECORD_THROTTLE;
	rec.throttle = (struct peat_throttle){ 999000000, 11, 11 };
	put(written, &rec);
	rec.type = PEAT_RECORD_UNTHROTTLE;
	put(written, &rec);
	rec.type = PEAT_RECORD_AUX;
	rec.aux = (struct peat_aux){ 16, 32, 0 };
	put(written, &rec);
	rec.type = PEAT_RECORD_ITRACE_START;
	rec.itrace_start = (struct peat_itrace_start){ 100, 101 };
	put(written, &rec);
}

static void check_lines(const char *line, const char *path, const char *const *lines, size_t count)
{
	char full[200], *text;

	snprintf(full, sizeof(full), "%s -i %s 2>&1", line, path);
	text = stock_perf__shell(full);
	for (size_t i = 0; i < count; i++)
		stock_perf__check_has(text, lines[i]);
	free(text);
}

static void check_other_kinds(const char *path)
{
	static const char *const shown[] = {
		"proc-a   100 [000]     0.999000: PERF_RECORD_SWITCH IN ",
		"PERF_RECORD_SWITCH OUT preempt\n",
		"PERF_RECORD_SWITCH_CPU_WIDE OUT preempt  next pid/tid:    77/78 ",
		"PERF_RECORD_NAMESPACES 100/100 - nr_namespaces: 2\n"
		"\t\t[0/net: 4/0xf0000001, 1/uts: 4/0xf0000002]\n",
		"PERF_RECORD_CGROUP cgroup: 4242 /a.slice/b.service\n",
		"PERF_RECORD_KSYMBOL addr ffffffffc0001000 len 256 type 1 flags 0x0 "
		"name bpf_prog_0123456789abcdef_probe\n",
		"PERF_RECORD_BPF_EVENT type 1, flags 0, id 12345\n",
		"PERF_RECORD_TEXT_POKE ffffffff81000010  old len 5 new len 3\n"
		"            Old bytes: 01 02 03 04 05\n            New bytes: a1 a2 a3\n",
	};
	static const char *const dumped[] = {
		"[0x40]: PERF_RECORD_THROTTLE",
		"[0x40]: PERF_RECORD_UNTHROTTLE",
		"[0x40]: PERF_RECORD_AUX offset: 0x10 size: 0x20 flags: 0 []\n",
		"[0x30]: PERF_RECORD_ITRACE_START pid: 100 tid: 101\n",
	};

	check_lines("perf script --show-switch-events --show-namespace-events --show-cgroup-events "
		    "--show-bpf-events --show-text-poke-events",
		    path, shown, sizeof(shown) / sizeof(*shown));
	check_lines("perf report -D", path, dumped, sizeof(dumped) / sizeof(*dumped));
}

START_TEST(test_other_kinds)
{
	struct written written;

	need_perf();
	ck_assert_int_eq(written__begin(&written, open_file("closed"), false), 0);
	put_other_kinds(&written);
	ck_assert_int_eq(written__samples(&written, 10), 0);
	ck_assert_int_eq(perf_writer__flush(written.writer), 0);
	free(stock_perf__shell("cp closed growing"));
	check_other_kinds("growing");
	ck_assert_int_eq(perf_writer__close(written.writer), 0);
	check_other_kinds("closed");
	written__free(&written);
}
END_TEST

/* BTF is large, and known only at the end of a recording. */
START_TEST(test_perf_reads_btf)
{
	char *bytes = calloc(1, 200000), *text;
	struct feature_btf btfs[] = { { 7, 200000, bytes }, { 8, 3, "abc" } };
	struct written written;
	struct strbuf out = { 0 };

	need_perf();
	ck_assert_int_eq(written__begin(&written, open_file("closed"), false), 0);
	ck_assert_int_eq(written__samples(&written, SAMPLES), 0);
	feature_encode__bpf_btf(&out, btfs, 2);
	ck_assert_int_eq(
		perf_writer__feature(written.writer, FEATURE_BPF_BTF, out.bytes, out.count), 0);
	ck_assert_int_eq(perf_writer__close(written.writer), 0);
	check_script("perf script -i closed");
	text = stock_perf__shell("perf report --header-only -I -i closed");
	stock_perf__check_has(text, "# btf info of id 7\n");
	stock_perf__check_has(text, "# btf info of id 8\n");
	free(text);
	written__free(&written);
	strbuf__free(&out);
	free(bytes);
}
END_TEST

/*
 * perf 6.12 crashes if it sorts by a field of a tracepoint and another event is none: with its own
 * recordings, too.
 */
static bool crashes_at_fields(void)
{
	char *status = stock_perf__shell(
		"perf record -q --no-bpf-event -a -e cpu-clock -e sched:sched_process_exec -o own "
		"true; perf report --stdio -s sched:sched_process_exec.filename -i own "
		">/dev/null 2>&1 && echo 0 || echo $?");
	bool crashes = !strcmp(status, "139\n");

	ck_assert_msg(crashes || !strcmp(status, "0\n"), "status %s", status);
	free(status);
	return crashes;
}

START_TEST(test_perf_report_reads_fields)
{
	bool by_field;
	char *text;

	need_perf();
	write_file("closed", false, true);
	by_field = !crashes_at_fields();
	if (!by_field)
		printf("# perf report crashes at fields of an event if others have none\n");
	text = stock_perf__shellf("perf report --stdio -s comm%s -i closed 2>&1",
				  by_field ? ",peat:exec.filename" : ",trace");
	stock_perf__check_has(text, "# Samples: 1000 of event 'raw'");
	stock_perf__check_has(text, "# Samples: 100 of event 'peat:exec'");
	stock_perf__check_has(text, by_field ? "100.00% proc-a /bin/true"
					     : "1.00% proc-a ppid=10 filename=/bin/true");
	free(text);
}
END_TEST

START_TEST(test_perf_inject_keeps_recording)
{
	need_perf();
	for (int compressed = 0; compressed < 2; compressed++) {
		write_file("closed", compressed, true);
		free(stock_perf__shell("perf inject -b -i closed -o injected"));
		check_script("perf script -i injected");
	}
}
END_TEST

START_TEST(test_late_event)
{
	struct perf_attr late = attr_encode__bpf_output();
	uint64_t id = 13;
	struct written written;
	char *text;

	need_perf();
	late.name = (char *)"late";
	late.ids = &id;
	late.ids_count = 1;
	ck_assert_int_eq(written__begin(&written, open_file("closed"), false), 0);
	ck_assert_int_eq(written__samples(&written, 500), 0);
	ck_assert_int_eq(perf_writer__event(written.writer, &late), 0);
	written.raw_id = id;
	ck_assert_int_eq(written__samples(&written, 50), 0);
	ck_assert_int_eq(perf_writer__flush(written.writer), 0);
	free(stock_perf__shell("cp closed growing"));
	ck_assert_int_eq(perf_writer__close(written.writer), 0);
	written__free(&written);

	text = stock_perf__shell("perf script -i growing 2>&1");
	ck_assert(count_of(text, " raw: ") == 500 && count_of(text, " late: ") == 50);
	free(text);
	text = stock_perf__shell("perf script -i closed 2>&1");
	ck_assert(count_of(text, " raw: ") == 500 && count_of(text, " late: ") == 50);
	free(text);
	text = stock_perf__shell("perf evlist -v -i closed");
	ck_assert_uint_eq(count_of(text, ": type: "), 3);
	free(text);
}
END_TEST

/* ---- cut recordings -------------------------------------------------------------------------- */

/* The number of samples that perf shows of a file.  perf may only complain that it ends early. */
static unsigned count_shown(const char *path, int status)
{
	struct command command;
	unsigned count;

	command__run(&command, ALL_CAPS, ARGV("perf", "script", "-F", "event,time", "-i", path));
	ck_assert_msg(command.status == status, "%s: %s", path, command.err_text);
	count = count_of(command.out_text, " raw:") + count_of(command.out_text, " peat:exec:");
	command__free(&command);
	return count;
}

/* The number of samples that peat reads. */
static unsigned count_read(const char *path)
{
	struct perf_entry entry;
	struct perf_file *file;
	const char *why;
	unsigned count = 0;
	int more;

	ck_assert_int_eq(perf_file__open(&file, path, &why), 0);
	while ((more = perf_file__next(file, &entry)) > 0)
		count += entry.type == PEAT_RECORD_SAMPLE;
	ck_assert_int_eq(more, 0);
	perf_file__close(file);
	return count;
}

/* Finds where the records of a growing file end.  Returns their number. */
static unsigned take_ends(const char *path, uint64_t *ends, unsigned most)
{
	struct perf_entry entry;
	struct perf_file *file;
	const char *why;
	unsigned count = 0;

	ck_assert_int_eq(perf_file__open(&file, path, &why), 0);
	while (perf_file__next(file, &entry) > 0) {
		ck_assert_uint_lt(count, most);
		if (!entry.inflated)
			ends[count++] = entry.offset + entry.size + entry.payload_bytes;
	}
	perf_file__close(file);
	return count;
}

static void check_cut(uint64_t bytes)
{
	char line[80];

	snprintf(line, sizeof(line), "head -c %llu growing >cut", (unsigned long long)bytes);
	free(stock_perf__shell(line));
	ck_assert_uint_eq(count_shown("cut", 0), count_read("cut"));
}

/* Cuts at the ends of records and inside of them, from the last record of the header on. */
static void check_cuts(bool compressed)
{
	uint64_t ends[2000];
	unsigned count, step;

	write_file("growing", compressed, false);
	count = take_ends("growing", ends, 2000);
	step = count > 30 ? count / 20 : 1;
	for (unsigned i = 25; i < count; i += step) {
		check_cut(ends[i]);
		check_cut(ends[i] - 1);
		check_cut(ends[i] - 9);
	}
	ck_assert_uint_eq(count_shown("growing", 0), SAMPLES + EXECS);
}

START_TEST(test_perf_reads_cut_recording)
{
	need_perf();
	check_cuts(false);
	check_cuts(true);
}
END_TEST

/*
 * The sections after the data are written, but the header does not have their place yet: perf
 * complains that they are not records, after it has shown all records.
 */
START_TEST(test_killed_while_closing)
{
	struct command command;

	need_perf();
	write_file("growing", false, false);
	write_file("closed", false, true);
	free(stock_perf__shell("dd if=growing of=closed bs=104 count=1 conv=notrunc 2>&1"));
	command__run(&command, ALL_CAPS, ARGV("perf", "script", "-i", "closed"));
	check_script_text(command.out_text, SAMPLES, EXECS);
	command__free(&command);
}
END_TEST

static int write_for_ever(void *fd)
{
	struct written written;

	if (written__begin(&written, *(int *)fd, false))
		return 1;
	while (!written__samples(&written, 1000))
		;
	return 1;
}

START_TEST(test_perf_reads_killed_recording)
{
	need_perf();
	for (useconds_t i = 0; i < 5; i++) {
		int fd = open_file("killed"), ours = dup(fd);
		struct stat status = { 0 };
		unsigned count;
		pid_t child = process__start(write_for_ever, &fd);

		for (int tries = 0; status.st_size < (3 << 20) && tries < 10000; tries++) {
			usleep(1000 + i * 77);
			ck_assert_int_eq(fstat(ours, &status), 0);
		}
		ck_assert_int_eq(kill(child, SIGKILL), 0);
		ck_assert(WIFSIGNALED(process__wait(child)));
		count = count_read("killed");
		ck_assert_uint_ge(count, 30000);
		ck_assert_uint_eq(count_shown("killed", 0), count);
		close(ours);
		close(fd);
	}
}
END_TEST

/* ---- a full disk ----------------------------------------------------------------------------- */

#define DISK "disk"

static void mount_disk(const char *options)
{
	static int alone;

	if (!alone++) {
		ck_assert_int_eq(unshare(CLONE_NEWNS), 0);
		ck_assert_int_eq(mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL), 0);
		ck_assert_int_eq(mkdir(DISK, 0755), 0);
	}
	ck_assert_msg(!mount("none", DISK, "tmpfs", 0, options), "mounting tmpfs: %s",
		      strerror(errno));
}

/* Every sample was either written to the file or counted as lost, and perf reads the file. */
static void check_full(void)
{
	struct written written;
	unsigned put, saved;
	int err;

	ck_assert_int_eq(written__begin(&written, open_file(DISK "/full"), false), 0);
	do
		err = written__samples(&written, 1000);
	while (!err && written.count < 1000000);
	ck_assert_int_eq(err, -ENOSPC);
	put = written.count + (written.count + WRITTEN_EACH - 1) / WRITTEN_EACH;
	saved = count_read(DISK "/full");
	ck_assert_uint_eq(saved + perf_writer__written(written.writer)->lost_samples, put);
	ck_assert_uint_eq(count_shown(DISK "/full", 0), saved);
	ck_assert_int_eq(perf_writer__close(written.writer), -ENOSPC);
	ck_assert(perf_writer__written(written.writer)->closed);
	ck_assert_uint_eq(count_read(DISK "/full"), saved);
	ck_assert_uint_eq(count_shown(DISK "/full", 0), saved);
	written__free(&written);
	ck_assert_int_eq(unlink(DISK "/full"), 0);
}

START_TEST(test_perf_reads_file_on_full_disk)
{
	static const char *const sizes[] = { "size=64k", "size=308k", "size=512k", "size=2m" };

	need_perf();
	for (size_t i = 0; i < sizeof(sizes) / sizeof(*sizes); i++) {
		mount_disk(sizes[i]);
		check_full();
		ck_assert_int_eq(umount(DISK), 0);
	}
}
END_TEST

static Suite *stock_reads_suite(void)
{
	TCase *tests;
	Suite *suite = harness__suite("stock_reads", 120, &tests);

	tcase_add_checked_fixture(tests, stock_perf__setup, stock_perf__teardown);
	tcase_add_test(tests, test_perf_script_reads_files);
	tcase_add_test(tests, test_perf_report_reads_header);
	tcase_add_test(tests, test_perf_evlist_reads_events);
	tcase_add_test(tests, test_perf_reads_records);
	tcase_add_test(tests, test_side_band);
	tcase_add_test(tests, test_other_kinds);
	tcase_add_test(tests, test_perf_reads_btf);
	tcase_add_test(tests, test_perf_report_reads_fields);
	tcase_add_test(tests, test_perf_inject_keeps_recording);
	tcase_add_test(tests, test_late_event);
	tcase_add_test(tests, test_perf_reads_cut_recording);
	tcase_add_test(tests, test_killed_while_closing);
	tcase_add_test(tests, test_perf_reads_killed_recording);
	tcase_add_test(tests, test_perf_reads_file_on_full_disk);
	return suite;
}

int main(int argc, char **argv)
{
	static const suite_fn suites[] = { stock_reads_suite };

	return harness__main(argc, argv, suites, 1);
}
