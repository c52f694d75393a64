// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * growth.c: recordings with many records of each kind, read and followed by the library.  The time
 * of a record has to be the same in a recording that is four times as long.
 *
 * Records are in the order of time, or each is older than the one before.  Names, pids and
 * addresses are all different, as a user would choose them who wants to slow a reader down.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <peat/reader.h>
#include <peat/symbols.h>

#include "base/monotonic.h"
#include "parts.h"
#include "perf_data/tool_record.h"
#include "perf_data/write/tool_encode.h"
#include "perf_data/write/writer.h"
#include "record/attr_encode.h"
#include "record/encode.h"

#define RECORDS	    250000u
#define TIMES	    4 /* the second size */
#define ROUNDS	    1
#define SAMPLE_EACH 16
#define FIRST_NS    1000000000u
#define STEP_NS	    1000u
#define PID	    4000u
#define PAGE	    4096u

/* Sets what the record is about.  `i`: its number. */
typedef void (*fill_fn)(struct peat_record *rec, uint32_t i);

/* Appends such a record that the library does not encode as one of the kernel. */
typedef void (*put_fn)(struct strbuf *out, uint32_t i);

static void fill_mmap(struct peat_record *rec, uint32_t i)
{
	rec->mmap = (struct peat_mmap){ .pid = PID,
					.tid = PID,
					.addr = (uint64_t)(i + 1) * PAGE,
					.len = PAGE / 2,
					.filename = "//anon" };
}

/* A wide mapping replaces or lies below all others, every other time. */
static void fill_wide_mmap(struct peat_record *rec, uint32_t i)
{
	fill_mmap(rec, i);
	if (i % 2) {
		rec->mmap.addr = PAGE;
		rec->mmap.len = (uint64_t)RECORDS * TIMES * PAGE;
	}
}

static void fill_fork(struct peat_record *rec, uint32_t i)
{
	rec->task = (struct peat_task){
		.pid = PID + 1 + i, .ppid = PID + i / 2, .tid = PID + 1 + i, .ptid = PID + i / 2
	};
}

static void fill_exit(struct peat_record *rec, uint32_t i)
{
	fill_fork(rec, i / 2);
	rec->type = i % 2 ? PEAT_RECORD_EXIT : PEAT_RECORD_FORK;
}

/* Children of a process that goes on to map files. */
static void fill_fork_and_mmap(struct peat_record *rec, uint32_t i)
{
	if (i % 2) {
		rec->type = PEAT_RECORD_MMAP2;
		fill_mmap(rec, i);
		rec->mmap.pid = i % 4 == 1 ? PID : PID + i;
		return;
	}
	rec->task = (struct peat_task){
		.pid = PID + 1 + i, .ppid = PID, .tid = PID + 1 + i, .ptid = PID
	};
}

/* The FORK of one child, and its exec, again and again. */
static void fill_same_fork(struct peat_record *rec, uint32_t i)
{
	if (i % 4 < 2) {
		rec->type = PEAT_RECORD_MMAP2;
		fill_mmap(rec, i);
		rec->mmap.pid = PID + i % 2;
	} else if (i % 4 == 2) {
		rec->task = (struct peat_task){
			.pid = PID + 1, .ppid = PID, .tid = PID + 1, .ptid = PID
		};
	} else {
		rec->type = PEAT_RECORD_COMM;
		rec->misc |= PEAT_MISC_COMM_EXEC;
		rec->comm = (struct peat_comm){ .pid = PID + 1, .tid = PID + 1, .comm = "new" };
	}
}

static void fill_comm(struct peat_record *rec, uint32_t i)
{
	static char name[16];

	snprintf(name, sizeof(name), "task%u", i);
	rec->comm = (struct peat_comm){ .pid = PID + i, .tid = PID + i, .comm = name };
}

static void fill_exec(struct peat_record *rec, uint32_t i)
{
	fill_comm(rec, 0);
	(void)i;
	rec->misc |= PEAT_MISC_COMM_EXEC;
}

static void fill_ksymbol(struct peat_record *rec, uint32_t i)
{
	static char name[32];

	snprintf(name, sizeof(name), "bpf_prog_%u", i);
	rec->ksymbol = (struct peat_ksymbol){ .addr = 0xffff800000000000 + (uint64_t)i * PAGE,
					      .len = 100,
					      .ksym_type = PEAT_KSYMBOL_TYPE_BPF,
					      .name = name };
}

static void fill_bpf(struct peat_record *rec, uint32_t i)
{
	static const uint8_t tag[8] = "1234567";

	rec->bpf = (struct peat_bpf){ .event = 1, .id = i, .tag = tag };
}

static void fill_cgroup(struct peat_record *rec, uint32_t i)
{
	static char path[32];

	snprintf(path, sizeof(path), "/group%u", i);
	rec->cgroup = (struct peat_cgroup){ .id = i, .path = path };
}

static void fill_lost(struct peat_record *rec, uint32_t i)
{
	(void)i;
	rec->lost = (struct peat_lost){ .id = 1, .lost = 1 };
}

/* A payload of a sample is its number. */
static void fill_sample(struct peat_record *rec, uint32_t i)
{
	static uint64_t number;

	number = i;
	rec->pid = rec->tid = PID + i % 1000;
	rec->sample.ip = (uint64_t)(i + 1) * PAGE + 8;
	rec->sample.raw = &number;
	rec->sample.raw_bytes = sizeof(number);
}

static void fill_text_poke(struct peat_record *rec, uint32_t i)
{
	static const uint8_t text[5] = "code";

	rec->text_poke = (struct peat_text_poke){ .addr = 0xffff800000000000 + (uint64_t)i * PAGE,
						  .old_bytes = sizeof(text),
						  .new_bytes = sizeof(text),
						  .old_text = text,
						  .new_text = text };
}

static void fill_namespaces(struct peat_record *rec, uint32_t i)
{
	rec->namespaces = (struct peat_namespaces){ .pid = PID + i, .tid = PID + i };
}

static void fill_nothing(struct peat_record *rec, uint32_t i)
{
	(void)rec;
	(void)i;
}

/* perf's own records, which have no time.  Each has another file, or gives the event another name.
 */
static void put_build_id(struct strbuf *out, uint32_t i)
{
	size_t start = encode__begin(out, TOOL_BUILD_ID, 0);
	const uint32_t pid = PID;
	char name[32] = "";

	snprintf(name, sizeof(name), "/file%u", i);
	strbuf__bytes(out, &pid, sizeof(pid));
	strbuf__bytes(out, &i, sizeof(i));
	strbuf__fill(out, 1, 20);
	strbuf__bytes(out, name, sizeof(name));
	encode__end(out, start);
}

static void put_name(struct strbuf *out, uint32_t i)
{
	char name[32];

	snprintf(name, sizeof(name), "name%u", i);
	tool_encode__name(out, 1, name);
}

static const struct {
	const char *name;
	uint32_t type;
	fill_fn fill;
	put_fn put;
} kinds[] = {
	{ "MMAP2", PEAT_RECORD_MMAP2, .fill = fill_mmap },
	{ "MMAP", PEAT_RECORD_MMAP, .fill = fill_mmap },
	{ "MMAP2, each other wide", PEAT_RECORD_MMAP2, .fill = fill_wide_mmap },
	{ "FORK", PEAT_RECORD_FORK, .fill = fill_fork },
	{ "FORK, EXIT", PEAT_RECORD_FORK, .fill = fill_exit },
	{ "FORK, MMAP2", PEAT_RECORD_FORK, .fill = fill_fork_and_mmap },
	{ "FORK, exec of one child", PEAT_RECORD_FORK, .fill = fill_same_fork },
	{ "COMM", PEAT_RECORD_COMM, .fill = fill_comm },
	{ "COMM, exec", PEAT_RECORD_COMM, .fill = fill_exec },
	{ "KSYMBOL", PEAT_RECORD_KSYMBOL, .fill = fill_ksymbol },
	{ "BPF_EVENT", PEAT_RECORD_BPF_EVENT, .fill = fill_bpf },
	{ "CGROUP", PEAT_RECORD_CGROUP, .fill = fill_cgroup },
	{ "TEXT_POKE", PEAT_RECORD_TEXT_POKE, .fill = fill_text_poke },
	{ "NAMESPACES", PEAT_RECORD_NAMESPACES, .fill = fill_namespaces },
	{ "LOST", PEAT_RECORD_LOST, .fill = fill_lost },
	{ "LOST_SAMPLES", PEAT_RECORD_LOST_SAMPLES, .fill = fill_nothing },
	{ "THROTTLE", PEAT_RECORD_THROTTLE, .fill = fill_nothing },
	{ "UNTHROTTLE", PEAT_RECORD_UNTHROTTLE, .fill = fill_nothing },
	{ "SWITCH", PEAT_RECORD_SWITCH, .fill = fill_nothing },
	{ "ITRACE_START", PEAT_RECORD_ITRACE_START, .fill = fill_nothing },
	{ "AUX", PEAT_RECORD_AUX, .fill = fill_nothing },
	{ "SAMPLE", PEAT_RECORD_SAMPLE, .fill = fill_sample },
	{ "BUILD_ID", TOOL_BUILD_ID, .put = put_build_id },
	{ "EVENT_UPDATE", TOOL_EVENT_UPDATE, .put = put_name },
};

struct growth {
	uint32_t type;
	fill_fn fill;
	put_fn put;
	bool descending;
};

/* ---- writing --------------------------------------------------------------------------------- */

static void put(struct perf_writer *writer, const struct perf_attr *attr, const struct growth *of,
		uint32_t i, uint32_t count)
{
	const bool is_sample = i % SAMPLE_EACH == 0;
	struct strbuf *out = perf_writer__out(writer);
	struct peat_record rec = {
		.type = is_sample ? PEAT_RECORD_SAMPLE : of->type, .id = 1, .pid = PID, .tid = PID
	};
	int err = 0;

	rec.time_ns = FIRST_NS + (uint64_t)(of->descending ? count - i : i) * STEP_NS;
	if (of->put && !is_sample) {
		of->put(out, i);
	} else {
		(is_sample ? fill_sample : of->fill)(&rec, i);
		err = encode__record(out, &attr->layout, &rec);
	}
	if (err || perf_writer__commit(writer))
		parts__fail("cannot write a record of type %u", of->type);
}

/* Returns a file descriptor of the recording, and its path. */
static int write_recording(const struct growth *of, uint32_t count, char path[32])
{
	struct perf_attr attr = attr_encode__bpf_output();
	int fd = memfd_create("growth", MFD_CLOEXEC);
	struct perf_writer *writer;
	uint64_t id = 1;

	snprintf(path, 32, "/proc/self/fd/%d", fd);
	attr.name = (char *)"raw";
	attr.ids = &id;
	attr.ids_count = 1;
	writer = fd < 0 ? NULL : perf_writer__new(dup(fd));
	if (!writer || perf_writer__event(writer, &attr) || perf_writer__begin(writer))
		parts__fail("cannot begin a recording: %m");
	for (uint32_t i = 0; i < count; i++)
		put(writer, &attr, of, i, count);
	if (perf_writer__close(writer))
		parts__fail("cannot write a recording: %m");
	perf_writer__free(writer);
	return fd;
}

/* ---- reading --------------------------------------------------------------------------------- */

static void read_events(struct peat_reader *reader, struct peat_symbols *symbols)
{
	const struct peat_stack_frame *frames;
	const struct peat_event *event;

	while (peat_reader__wait(reader, -1) >= 0)
		while (peat_reader__next(reader, &event) > 0) {
			peat_symbols__follow(symbols, event);
			if (event->kind == PEAT_EVENT_DATA)
				peat_symbols__stack(symbols, event, &frames);
		}
}

static void read_recording(const char *path, bool ordered)
{
	struct peat_symbols_opts opts = PEAT_SYMBOLS_OPTS_INIT;
	struct peat_replay_opts replay = PEAT_REPLAY_OPTS_INIT;
	struct peat_symbols *symbols;
	struct peat_reader *reader;

	opts.recorded = true;
	replay.side_band = (PEAT_SIDE_BAND_TOOL << 1) - 1;
	replay.ordered = ordered;
	symbols = peat_symbols__new(&opts);
	reader = peat_reader__open(path, &replay);
	if (!symbols || !reader)
		parts__fail("cannot read a recording: %m");
	read_events(reader, symbols);
	peat_reader__free(reader);
	peat_symbols__free(symbols);
}

static double measure(const struct growth *of, uint32_t count)
{
	uint64_t start_ns, passed_ns;
	char path[32];
	int fd = write_recording(of, count, path);

	start_ns = monotonic_ns();
	/* In the order of the file: the records come as they are. */
	read_recording(path, false);
	read_recording(path, true);
	passed_ns = monotonic_ns() - start_ns;
	close(fd);
	return (double)passed_ns / count / 2;
}

static void add_rows(struct bench_table *table, const char *name, const struct growth *of)
{
	struct bench_place small = { "", "peat", "250,000 records" };
	struct bench_place large = { "", "peat", "1,000,000 records" };
	char workload[32];

	snprintf(workload, sizeof(workload), "%s%s", name, of->descending ? ", back" : "");
	small.workload = large.workload = workload;
	for (int round = 0; round < ROUNDS; round++) {
		bench_table__add(table, &small, "time", "ns/record", measure(of, RECORDS));
		bench_table__add(table, &large, "time", "ns/record", measure(of, TIMES * RECORDS));
	}
}

void parts_growth__measure(struct bench_table *table)
{
	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++) {
		struct growth of = { kinds[i].type, kinds[i].fill, kinds[i].put, false };

		add_rows(table, kinds[i].name, &of);
		of.descending = true;
		add_rows(table, kinds[i].name, &of);
	}
}
