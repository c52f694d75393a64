// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * fuzz_replay.c: replaying any bytes as a recording.
 *
 * Input: a byte of flags, then the perf.data, which is read as a file or from a pipe.  Every event
 * is written to both sinks; with the first flag, events have to be in order.
 *
 * The corpus is written by this file itself, compiled as a program of its own:
 *
 *	cc -D_GNU_SOURCE -DWRITE_CORPUS -Iinclude -Iuser/lib -Itests/unit -Itests/support
 *		tests/fuzz/fuzz_replay.c build/libpeat.a -o seeds $(pkg-config --libs check libbpf
 *		libdw libelf libzstd zlib)
 *	./seeds tests/fuzz/corpus/replay
 *
 * except `restored`: events of a struct of each shape, recorded by peat with their BTF.
 */
#define FLAG_ORDERED  1
#define FLAG_NAMES    2 /* the recording is also rewritten, with the samples that match */
#define FLAG_KINDS    4
#define FLAG_CPUS     8
#define FLAG_PIPE     16
#define FLAG_LITTLE   32  /* a small limit of held events */
#define FLAG_PROMPTLY 64  /* the schemas are requested before the records */
#define FLAG_AS	      128 /* plain bytes get a type, and the recording is also rewritten */

#ifndef WRITE_CORPUS

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <bpf/btf.h>

#include <peat/peat.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define PIPE_BYTES 65536
#define ROUNDS	   4 /* a few bytes can inflate to millions of records */
#define KINDS	   ((1U << 11) - 1)

static struct peat_sink *text, *json;
static uint64_t events, last_ns, late;
static bool is_ordered, has_types, has_several;

static void require(bool holds)
{
	if (!holds)
		abort();
}

static void say_nothing(enum peat_log_level level, const char *line)
{
	(void)level;
	require(*line);
}

static void check(const struct peat_event *event)
{
	require((uintptr_t)event->data % 8 == 0);
	require(event->recorded);
	require(!event->size || event->data);
	require(event->kind != PEAT_EVENT_DATA || (event->schema && event->record));
	require(event->kind != PEAT_EVENT_LOST || !event->schema);
	events += event->kind == PEAT_EVENT_DATA;
	if (!is_ordered)
		return;
	if (!event->time_ns || !(event->record->has & PEAT_SAMPLE_TIME)) {
		require(!event->late);
		return;
	}
	if (has_several && !event->late && event->time_ns < last_ns)
		last_ns = 0; /* the next recording */
	require(event->late == (event->time_ns < last_ns));
	late += event->late;
	if (event->time_ns > last_ns)
		last_ns = event->time_ns;
}

static void use(const struct peat_event *event)
{
	check(event);
	peat_sink__write(text, event);
	peat_sink__write(json, event);
}

static void ask(struct peat_reader *reader)
{
	const struct peat_schema *schema;
	int64_t offset_ns;

	for (uint32_t i = 0; (schema = peat_reader__type(reader, i)); i++)
		require(*peat_schema__name(schema));
	peat_reader__wall_clock(reader, &offset_ns);
}

static void replay(struct peat_reader *reader, bool promptly)
{
	struct peat_reader_stats stats = { .sz = sizeof(stats) };
	const struct peat_event *event;
	int ret = 0;

	events = last_ns = late = 0;
	if (promptly)
		ask(reader);
	for (int round = 0; round < ROUNDS && (ret = peat_reader__wait(reader, -1)) > 0; round++)
		while ((ret = peat_reader__next(reader, &event)) > 0)
			use(event);
	require(ret == 0 || ret == -ENODATA || ret == -EBADMSG || has_types);
	ask(reader);
	require(!peat_reader__stats(reader, &stats));
	require(stats.events == events && stats.late == late);
}

/* A file in memory, reused for all inputs. */
static int write_file(const uint8_t *data, size_t size)
{
	static int fd = -1;

	if (fd < 0)
		fd = memfd_create("replay", MFD_CLOEXEC);
	require(fd >= 0 && !ftruncate(fd, 0));
	require(pwrite(fd, data, size, 0) == (ssize_t)size);
	return fd;
}

static int write_pipe(const uint8_t *data, size_t size)
{
	int fds[2];

	require(!pipe2(fds, O_CLOEXEC));
	require(write(fds[1], data, size) == (ssize_t)size);
	close(fds[1]);
	return fds[0];
}

/* struct made { unsigned int number; char name[4]; }, in a file; its path. */
static const char *write_types(void)
{
	static char path[64];
	struct btf *btf = *path ? NULL : btf__new_empty();
	int number, letter, name, fd;
	const void *bytes;
	uint32_t count;

	if (*path)
		return path;
	number = btf__add_int(btf, "unsigned int", 4, 0);
	letter = btf__add_int(btf, "char", 1, BTF_INT_CHAR);
	name = btf__add_array(btf, number, letter, 4);
	require(btf__add_struct(btf, "made", 8) > 0);
	require(!btf__add_field(btf, "number", number, 0, 0));
	require(!btf__add_field(btf, "name", name, 32, 0));
	bytes = btf__raw_data(btf, &count);
	fd = memfd_create("types", MFD_CLOEXEC);
	require(fd >= 0 && write(fd, bytes, count) == (ssize_t)count);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	btf__free(btf);
	return path;
}

static const char *const as[] = { "made", NULL };

/* The rewritten file is a recording without new errors. */
static void rewrite(const char *path, const struct peat_rewrite_opts *opts)
{
	static const struct peat_rewrite_opts plain = { .sz = sizeof(plain) };
	static int result = -1;
	char to[64];

	if (result < 0)
		result = memfd_create("rewritten", MFD_CLOEXEC);
	snprintf(to, sizeof(to), "/proc/self/fd/%d", result);
	if (!peat_recording__rewrite(path, to, opts))
		require(!peat_recording__rewrite(to, "/dev/null", &plain));
}

static void rewrite_with_types(const char *path)
{
	const struct peat_rewrite_opts opts = { .sz = sizeof(opts),
						.as = as,
						.btf = write_types() };

	rewrite(path, &opts);
}

/* Keeps the samples that match: names of tasks, fields, and numbers that the kernel sampled. */
static void rewrite_chosen(const char *path, uint8_t flags)
{
	static const char *const expressions[] = { "comm == before", "number > 3 || comm ~ \"a*\"",
						   "tid != 43 && cpu < 2", "period == 1 || ip" };
	uint64_t kept, left_out;
	struct peat_where *where = peat_where__parse(expressions[flags / FLAG_KINDS % 4]);
	const struct peat_rewrite_opts opts = {
		.sz = sizeof(opts), .where = where, .kept = &kept, .left_out = &left_out
	};

	require(where);
	rewrite(path, &opts);
	peat_where__free(where);
}

/* Recordings can follow each other in a stream: each has its own order, and a header. */
static bool has_several_headers(const uint8_t *data, size_t size)
{
	int headers = 0;

	for (size_t at = 0; at + 8 <= size; at++)
		headers += !memcmp(data + at, "PERFILE2", 8) || !memcmp(data + at, "2ELIFREP", 8);
	return headers > 1;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	uint8_t flags = size ? data[0] : 0;
	bool is_pipe = flags & FLAG_PIPE && size <= PIPE_BYTES;
	struct peat_replay_opts opts = PEAT_REPLAY_OPTS_INIT;
	struct peat_reader *reader;
	char path[64];
	int fd, null;

	if (!size)
		return 0;
	peat_set_print(say_nothing);
	opts.ordered = is_ordered = flags & FLAG_ORDERED;
	has_several = has_several_headers(data + 1, size - 1);
	has_types = flags & FLAG_AS;
	opts.names = flags & FLAG_NAMES;
	opts.side_band = flags & FLAG_KINDS ? KINDS : 0;
	opts.cpus = flags & FLAG_CPUS ? "0-2,42" : NULL;
	opts.memory_bytes = flags & FLAG_LITTLE ? 256 : 0;
	fd = is_pipe ? write_pipe(data + 1, size - 1) : write_file(data + 1, size - 1);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	if (flags & FLAG_AS && !is_pipe)
		rewrite_with_types(path);
	if (flags & FLAG_NAMES && !is_pipe)
		rewrite_chosen(path, flags);
	if (flags & FLAG_AS) {
		opts.as = as;
		opts.btf = write_types();
	}
	null = open("/dev/null", O_WRONLY | O_CLOEXEC);
	text = peat_sink__new_text(null, NULL);
	json = peat_sink__new_json(null, NULL);
	reader = peat_reader__open(path, &opts);
	require(reader || errno == EBADMSG || errno == ESPIPE || flags & FLAG_AS);
	if (reader)
		replay(reader, flags & FLAG_PROMPTLY);
	peat_sink__free(text);
	peat_sink__free(json);
	peat_reader__free(reader);
	close(null);
	if (is_pipe)
		close(fd);
	return 0;
}

#else /* WRITE_CORPUS */

#include "unit/perf_data/read/perf_tally.h"
#include "unit/replay/deferred_maker.h"

static int write_seed(const char *dir, const char *name, int flags, const struct maker *m)
{
	size_t count = m->len < 4000 ? m->len : 4000;
	char path[4096];
	FILE *f;

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	f = fopen(path, "wb");
	if (!f || fputc(flags, f) < 0 || fwrite(m->at, count, 1, f) != 1) {
		perror(path);
		return 1;
	}
	return fclose(f);
}

/* Two CPUs, two rounds and a late event. */
static void make_rounds(struct maker *m)
{
	make_name(m, (struct made_at){ 5, 0, 43 }, "before");
	for (uint64_t i = 0; i < 8; i++)
		make_event(m, i % 3 ? 100 : 200, (struct made_at){ 10 + 7 * (i % 4), i % 2, 43 },
			   i);
	make_round(m);
	make_fork(m, (struct made_at){ 40, 1, 43 }, 44);
	make_name(m, (struct made_at){ 60, 1, 44 }, "after");
	make_event(m, 100, (struct made_at){ 50, 1, 44 }, 8);
	make_lost(m, (struct made_at){ 55, 0, 43 }, 3);
	make_round(m);
	make_round(m);
	make_event(m, 200, (struct made_at){ 1, 0, 44 }, 9);
	make_lost_samples(m, (struct made_at){ 70, 0, 43 }, 4);
}

static void make_header_records(struct maker *m)
{
	struct maker groups = { .swapped = m->swapped };

	make(&groups, 1, 4);
	make(&groups, 4, 4);
	make_bytes(&groups, "two", 4);
	make(&groups, 0, 4);
	make(&groups, 2, 4);
	make_feature(m, 17, groups.at, groups.len);
	groups.len = 0;
	make(&groups, 7, 4);
	make_bytes(&groups, "x86_64", 7);
	make_feature(m, 6, groups.at, groups.len);
	groups.len = 0;
	make(&groups, 1, 4);
	make(&groups, 1, 4);
	make(&groups, 1711586729335160123, 8);
	make(&groups, 12799249383892, 8);
	make_feature(m, 29, groups.at, groups.len);
	free(groups.at);
}

/* Plain bytes of bpf-output, and a tracepoint. */
static void make_plain(struct maker *m)
{
	static const struct made_attr plain = { 1, 112, 10, MADE_TIMED, MADE_ID_ALL };
	struct bytes formats;

	make_pipe_header(m);
	make_pipe_attr(m, &made_points[0], 100);
	make_pipe_attr(m, &plain, 200);
	put_made_formats(&formats, m->swapped);
	make_tracing_record(m, &formats);
	make_rounds(m);
}

/* Samples whose user callchains follow: shared, on another CPU, twice and never. */
static void make_deferred(struct maker *m)
{
	make_pipe_header(m);
	make_pipe_attr(m, &made_deferred[0], 100);
	make_pipe_attr(m, &made_deferred[1], 200);
	make_deferred_sample(m, (struct made_at){ 10, 0, 43 }, 0x1000, 7);
	make_deferred_sample(m, (struct made_at){ 11, 0, 43 }, 0x1000, 7);
	make_deferred_sample(m, (struct made_at){ 12, 0, 44 }, 0x2000, 8);
	make_deferred_part(m, (struct made_at){ 13, 1, 43 }, 7, 0x400000, 3);
	make_deferred_part(m, (struct made_at){ 13, 0, 43 }, 7, 0x400000, 3);
	make_round(m);
	make_deferred_sample(m, (struct made_at){ 14, 1, 43 }, 0x3000, 9);
	make_deferred_part(m, (struct made_at){ 15, 1, 43 }, 9, 0x500000, 0);
	make_round(m);
}

int main(int argc, char **argv)
{
	const char *dir = argc > 1 ? argv[1] : ".";
	struct maker file = { 0 }, swapped = { .swapped = true }, pipe = { 0 }, usual = { 0 };
	struct maker packed = { 0 }, plain = { 0 }, deferred = { 0 };
	size_t data;

	data = begin_made_file(&file);
	make_rounds(&file);
	end_made_file(&file, data);
	data = begin_made_file(&swapped);
	make_rounds(&swapped);
	end_made_file(&swapped, data);
	begin_made_pipe(&pipe);
	make_header_records(&pipe);
	make_rounds(&pipe);
	make_usual(&usual);
	make_compressed(&packed, TOOL_COMPRESSED);
	packed.len = 1200;
	make_plain(&plain);
	make_deferred(&deferred);
	return write_seed(dir, "rounds", 7, &file) ||
	       write_seed(dir, "rounds-swapped", 7, &swapped) ||
	       write_seed(dir, "rounds-little", 1 | 2 | 32, &file) ||
	       write_seed(dir, "pipe", 1 | 2 | 4 | 16, &pipe) ||
	       write_seed(dir, "pipe-unordered", 2 | 8, &pipe) ||
	       write_seed(dir, "usual", 7 | 64, &usual) ||
	       write_seed(dir, "compressed", 3, &packed) ||
	       write_seed(dir, "deferred", 7, &deferred) ||
	       write_seed(dir, "deferred-little", 1 | 32, &deferred) ||
	       write_seed(dir, "deferred-pipe", 1 | 16, &deferred) ||
	       write_seed(dir, "plain", 7 | 128, &plain) ||
	       write_seed(dir, "plain-pipe", 1 | 16 | 128, &plain);
}

#endif /* WRITE_CORPUS */
