/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* replay_maker.h: recordings of tracepoints, with times and CPUs, for what replays them. */
#ifndef TESTS_UNIT_REPLAY_REPLAY_MAKER_H
#define TESTS_UNIT_REPLAY_REPLAY_MAKER_H

#include "unit/perf_data/read/perf_maker.h"
#include "unit/tracing_data/tracing_bytes.h"

#define MADE_TIMED                                                                                 \
	(PEAT_SAMPLE_IDENTIFIER | PEAT_SAMPLE_TID | PEAT_SAMPLE_TIME | PEAT_SAMPLE_CPU |           \
	 PEAT_SAMPLE_RAW)
#define MADE_ID_ALL (1ULL << 18)
#define MADE_PID    42

/* Tracepoints 301 and 302, whose samples have the ids 100 and 200, and 101 and 201. */
static const struct made_attr made_points[] = { { 2, 112, 301, MADE_TIMED, MADE_ID_ALL },
						{ 2, 112, 302, MADE_TIMED, MADE_ID_ALL } };

/* A moment: where a record was written, and by whom. */
struct made_at {
	uint64_t time;
	uint32_t cpu, tid;
};

/* A number and padding are what it carries: 56 bytes. */
static inline void make_event(struct maker *m, uint64_t id, struct made_at at, uint64_t number)
{
	make_header(m, 9, 1, 56);
	make(m, id, 8);
	make(m, MADE_PID, 4);
	make(m, at.tid, 4);
	make(m, at.time, 8);
	make(m, at.cpu, 4);
	make(m, 0, 4);
	make(m, 12, 4);
	make(m, number, 8);
	make(m, 0, 4);
}

/* The fields at the end of records that are not samples (sample_id_all). */
static inline void make_trailer(struct maker *m, struct made_at at, uint64_t id)
{
	make(m, MADE_PID, 4);
	make(m, at.tid, 4);
	make(m, at.time, 8);
	make(m, at.cpu, 4);
	make(m, 0, 4);
	make(m, id, 8);
}

static inline void make_name(struct maker *m, struct made_at at, const char *name)
{
	size_t start = make_header(m, 3, 0, 0);
	char padded[16] = { 0 };

	strncpy(padded, name, sizeof(padded) - 1);
	make(m, MADE_PID, 4);
	make(m, at.tid, 4);
	make_bytes(m, padded, sizeof(padded));
	make_trailer(m, at, 100);
	end_made(m, start);
}

static inline void make_fork(struct maker *m, struct made_at at, uint32_t child)
{
	size_t start = make_header(m, 7, 0, 0);

	make(m, MADE_PID, 4);
	make(m, MADE_PID, 4);
	make(m, child, 4);
	make(m, at.tid, 4);
	make(m, at.time, 8);
	make_trailer(m, at, 100);
	end_made(m, start);
}

/* MMAP2 of a page of "file". */
static inline void make_mapping(struct maker *m, struct made_at at)
{
	size_t start = make_header(m, 10, 0, 0);

	make(m, MADE_PID, 4);
	make(m, at.tid, 4);
	make(m, 0x1000, 8);
	make(m, 4096, 8);
	for (int i = 0; i < 4; i++)
		make(m, 0, 8); /* where in which file */
	make(m, 5, 4);
	make(m, 2, 4);
	make_bytes(m, "file\0\0\0", 8);
	make_trailer(m, at, 100);
	end_made(m, start);
}

static inline void make_lost(struct maker *m, struct made_at at, uint64_t lost)
{
	size_t start = make_header(m, 2, 0, 0);

	make(m, 100, 8);
	make(m, lost, 8);
	make_trailer(m, at, 100);
	end_made(m, start);
}

static inline void make_lost_samples(struct maker *m, struct made_at at, uint64_t lost)
{
	size_t start = make_header(m, 13, 0, 0);

	make(m, lost, 8);
	make_trailer(m, at, 100);
	end_made(m, start);
}

static inline void make_round(struct maker *m)
{
	make_header(m, 68, 0, 8);
}

static inline void make_feature(struct maker *m, uint64_t feature, const void *bytes, size_t count)
{
	size_t start = make_header(m, 80, 0, 0);

	make(m, feature, 8);
	make_bytes(m, bytes, count);
	end_made(m, start);
}

/* ---- formats --------------------------------------------------------------------------------- */

#define MADE_FIELD "\tfield:u64 number;\toffset:0;\tsize:8;\tsigned:0;\n"

static inline void put_format(struct bytes *b, const char *name, uint32_t id, const char *field)
{
	char text[512];

	snprintf(text, sizeof(text), "name: %s\nID: %u\nformat:\n%s\nprint fmt: \"\"\n", name, id,
		 field);
	put_text(b, text, 8);
}

static inline void end_tracing(struct bytes *b)
{
	put_u32(b, 0); /* of kallsyms */
	put_u32(b, 0); /* of printk */
	put(b, 0, 8);  /* of the tasks' names */
}

/* made:first is tracepoint 301, and made:second 302. */
static inline void put_made_formats(struct bytes *b, bool swapped)
{
	begin_tracing(b, "0.6", 8, swapped);
	put_u32(b, 0);
	put_u32(b, 1);
	begin_system(b, "made", 2);
	put_format(b, "first", 301, MADE_FIELD);
	put_format(b, "second", 302, MADE_FIELD);
	end_tracing(b);
}

static inline void make_tracing_record(struct maker *m, const struct bytes *b)
{
	make_header(m, 66, 0, 12);
	make(m, (b->len + 7) / 8 * 8, 4);
	make_bytes(m, b->at, b->len);
	make_zeroes(m, -b->len % 8);
}

/* ---- whole recordings ------------------------------------------------------------------------ */

/* Up to the first record of the kernel's. */
static inline void begin_made_pipe(struct maker *m)
{
	struct bytes formats;

	make_pipe_header(m);
	make_pipe_attr(m, &made_points[0], 100);
	make_pipe_attr(m, &made_points[1], 200);
	put_made_formats(&formats, m->swapped);
	make_tracing_record(m, &formats);
}

static inline size_t begin_made_file(struct maker *m)
{
	make_file(m, made_points, 2);
	return m->len;
}

/* With the formats as its only feature. */
static inline void end_made_file(struct maker *m, size_t data)
{
	struct bytes formats;
	size_t table = m->len;

	put_made_formats(&formats, m->swapped);
	make_section(m, AT_DATA, data, m->len - data);
	make_over(m, AT_FEATURES, 1 << 1, 8);
	make_zeroes(m, 16);
	make_section(m, table, m->len, formats.len);
	make_bytes(m, formats.at, formats.len);
}

#endif /* TESTS_UNIT_REPLAY_REPLAY_MAKER_H */
