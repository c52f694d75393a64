// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * spool.c: a spool of an agent's output beside dd: bytes written to the disk, and read back from
 * it.  Both remove what they have read.
 *
 * PEAT_SPOOL_GIB of the environment is the amount, PEAT_SPOOL_ROUNDS how often each is measured,
 * PEAT_SPOOL_DIR the directory; 1, 3 and the present one otherwise.
 */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/monotonic.h"
#include "parts.h"
#include "spool/spool.h"

#define GIB	    (1ull << 30)
#define BATCH_BYTES (256u << 10)
#define SOURCE	    "source"

static const struct peat_origin origin = { .run = 1, .number = 1, .first = 1 };

static struct {
	char path[256], dd_path[260], in_path[260];
	uint64_t bytes;
	struct strbuf piece;
	struct peat_batch *batch;
	struct flow flow;
} bench;

static uint64_t from_environment(const char *name, uint64_t otherwise)
{
	const char *text = getenv(name);

	return text ? strtoull(text, NULL, 10) : otherwise;
}

/* A batch that does not compress. */
static void make_piece(void)
{
	const struct peat_batch_opts opts = { .sz = sizeof(opts), .source = SOURCE };
	struct piece_encoder *encoder = piece_encoder__new("host", 1);
	uint64_t state = 88172645463325252u, data[64];
	struct peat_event event = { .map = "events", .data = data, .size = sizeof(data) };

	bench.batch = peat_batch__new(&opts);
	if (!bench.batch || !encoder)
		parts__fail("no memory");
	do {
		for (size_t i = 0; i < sizeof(data) / sizeof(*data); i++) {
			state ^= state << 13;
			state ^= state >> 7;
			state ^= state << 17;
			data[i] = state;
		}
	} while (!peat_batch__add(bench.batch, &event));
	if (piece__encode(encoder, bench.batch, &origin, &bench.piece))
		parts__fail("cannot encode a batch");
	piece_encoder__free(encoder);
}

/* What dd writes: the same batches, since a virtual disk may keep zeros without writing them. */
static void write_input(void)
{
	FILE *file = fopen(bench.in_path, "we");
	bool is_written = file;

	for (int i = 0; is_written && i < 256; i++)
		is_written = fwrite(bench.piece.bytes, bench.piece.count, 1, file) == 1;
	if (!is_written || fclose(file))
		parts__fail("cannot write %s: %m", bench.in_path);
}

/* Only the bytes are measured, not the making of events. */
static struct peat_batch *no_decode(const void *bytes, size_t count, uint64_t most,
				    struct piece_info *info)
{
	(void)bytes;
	(void)count;
	(void)most;
	(void)info;
	return peat_batch__ref(bench.batch);
}

static struct flow *find_flow(void *arg, const char *source, bool makes)
{
	(void)arg;
	(void)makes;
	(void)source;
	return &bench.flow;
}

static struct spool *open_spool(bool decodes)
{
	const struct spool_opts opts = { .directory = bench.path,
					 .limits = { .most_bytes = 2 * bench.bytes,
						     .segment_bytes = 16u << 20,
						     .sync = SPOOL_SYNC_ROTATE },
					 .run = decodes ? 3 : 2,
					 .measure = piece__measure,
					 .decode = decodes ? piece__decode : no_decode,
					 .find_flow = find_flow };
	struct spool *spool = spool__open(&opts);

	if (!spool)
		parts__fail("cannot open the spool %s: %m", bench.path);
	return spool;
}

/* Ends the benchmark, also as a handler of signals: nobody has to find gigabytes afterwards. */
static void remove_files(int signal)
{
	(void)signal;
	execl("/bin/sh", "sh", "-c", "rm -rf \"$@\"; exit 1", "sh", bench.path, bench.dd_path,
	      bench.in_path, (char *)NULL);
	_exit(1);
}

/* system() ignores the SIGINT that ends the command. */
static void run(const char *format)
{
	char command[1024];

	snprintf(command, sizeof(command), format, bench.path,
		 (unsigned long long)(bench.bytes >> 20));
	if (system(command)) {
		fprintf(stderr, "%s failed\n", command);
		remove_files(0);
	}
}

static void drop_cache(void)
{
	int fd;

	sync();
	fd = open("/proc/sys/vm/drop_caches", O_WRONLY | O_CLOEXEC);
	if (fd < 0 || write(fd, "1", 1) != 1)
		parts__fail("cannot drop the page cache: %m");
	close(fd);
}

/* The spool syncs its own files, also the last one, as dd does. */
static void write_spool(void)
{
	struct spool *spool = open_spool(false);
	struct spool_piece piece = { .batch = bench.batch,
				     .flow = &bench.flow,
				     .origin = origin,
				     .bytes = bench.piece.bytes,
				     .count = bench.piece.count };

	for (uint64_t done = 0; done < bench.bytes; done += piece.count)
		if (spool__put(spool, &piece))
			parts__fail("cannot write to the spool: %m");
	spool__close(spool);
}

static void read_spool(bool decodes)
{
	struct spool *spool = open_spool(decodes);
	struct spool_counts counts;
	struct peat_batch *batch;

	while ((batch = spool__next(spool)))
		spool__settle(spool, batch, 0);
	spool__read_counts(spool, &counts);
	if (!counts.is_empty || counts.damaged_bytes)
		parts__fail("the spool has not been read to its end");
	spool__close(spool);
}

static double since(uint64_t start_ns)
{
	return (double)bench.bytes / (double)GIB / ((double)(monotonic_ns() - start_ns) / 1e9);
}

static void add(struct bench_table *table, const char *workload, const char *name,
		uint64_t start_ns)
{
	const struct bench_place place = { workload, name, "" };

	bench_table__add(table, &place, workload, "GiB/s", since(start_ns));
}

static void measure_round(struct bench_table *table)
{
	uint64_t start_ns = monotonic_ns();

	run("while cat %1$s.in; do :; done | "
	    "dd iflag=fullblock of=%1$s.dd bs=1M count=%2$llu conv=fsync status=none");
	add(table, "write", "dd", start_ns);
	start_ns = monotonic_ns();
	write_spool();
	add(table, "write", "spool", start_ns);
	drop_cache();
	start_ns = monotonic_ns();
	run("dd if=%1$s.dd of=/dev/null bs=1M count=%2$llu status=none && rm %1$s.dd");
	add(table, "read", "dd, rm", start_ns);
	start_ns = monotonic_ns();
	read_spool(false);
	add(table, "read", "spool", start_ns);
	write_spool();
	drop_cache();
	start_ns = monotonic_ns();
	read_spool(true);
	add(table, "read", "spool, decoded", start_ns);
	run("rm -rf %1$s");
}

void parts_spool__measure(struct bench_table *table)
{
	uint64_t rounds = from_environment("PEAT_SPOOL_ROUNDS", 3);
	const char *directory = getenv("PEAT_SPOOL_DIR");

	snprintf(bench.path, sizeof(bench.path), "%s/bench-spool.%d", directory ?: ".",
		 (int)getpid());
	snprintf(bench.dd_path, sizeof(bench.dd_path), "%s.dd", bench.path);
	snprintf(bench.in_path, sizeof(bench.in_path), "%s.in", bench.path);
	signal(SIGINT, remove_files);
	signal(SIGTERM, remove_files);
	bench.bytes = from_environment("PEAT_SPOOL_GIB", 1) * GIB;
	make_piece();
	write_input();
	for (uint64_t i = 0; i < rounds; i++)
		measure_round(table);
	unlink(bench.in_path);
	peat_batch__unref(bench.batch);
	strbuf__free(&bench.piece);
}
