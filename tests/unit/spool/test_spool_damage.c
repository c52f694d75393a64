// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * test_spool_damage.c: after a cut at any length and damage of any byte, each batch that is whole
 * is delivered once, and no batch that is settled.
 *
 * PEAT_SPOOL_ROUNDS of the environment is the number of random rounds: `make check-spool`.
 */
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <peat/log.h>

#include "support/machine/amount.h"
#include "support/machine/scratch.h"
#include "unit/spool/stub_piece.h"

#define FILES	24
#define PIECES	64
#define NAME	256
#define SETTLED "settled.0"
#define ROUNDS	3000
#define SHAPES	200 /* rounds of one shape */
#define MOST	8192
#define NUMBERS 1024

/* ---- directories in memory ------------------------------------------------------------------- */

struct file {
	char name[NAME];
	size_t count;
	char bytes[MOST];
};

struct image {
	struct file at[FILES];
	size_t count;
};

static char directory[256];

static void path_of(char path[600], const char *name)
{
	snprintf(path, 600, "%s/%s", directory, name);
}

/* In the order of their names: the settled places are last. */
static void read_image(struct image *image)
{
	struct dirent **entries;
	int count = scandir(directory, &entries, NULL, alphasort);
	char path[600];

	image->count = 0;
	for (int i = 0; i < count; i++) {
		struct file *file = &image->at[image->count];
		ssize_t got;
		int fd;

		if (*entries[i]->d_name != '.') {
			snprintf(file->name, NAME, "%s", entries[i]->d_name);
			path_of(path, file->name);
			fd = open(path, O_RDONLY | O_CLOEXEC);
			got = read(fd, file->bytes, MOST);
			ck_assert(got >= 0 && got < MOST);
			close(fd);
			file->count = (size_t)got;
			image->count++;
			ck_assert_uint_lt(image->count, FILES);
		}
		free(entries[i]);
	}
	ck_assert_int_ge(count, 0);
	free(entries);
}

/* Replaces all files of the directory. */
static void write_image(const struct image *image)
{
	char path[600];
	DIR *listing = opendir(directory);
	struct dirent *entry;

	while (listing && (entry = readdir(listing)))
		if (*entry->d_name != '.')
			unlinkat(dirfd(listing), entry->d_name, 0);
	if (listing)
		closedir(listing);
	for (size_t i = 0; i < image->count; i++) {
		const struct file *file = &image->at[i];
		int fd;

		path_of(path, file->name);
		fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
		ck_assert_int_ge(fd, 0);
		ck_assert_int_eq(write(fd, file->bytes, file->count), (ssize_t)file->count);
		close(fd);
	}
}

static bool is_segment(const struct file *file)
{
	return *file->name == '0';
}

/* ---- a spool --------------------------------------------------------------------------------- */

static struct spool *spool;
static uint64_t segment_bytes;
static uint8_t seen[NUMBERS], is_settled[NUMBERS];

/* A spool of a process of this run. */
static void open_spool(uint64_t run)
{
	struct spool_opts opts = stub__opts(directory);

	opts.run = run;
	opts.limits.segment_bytes = segment_bytes;
	opts.limits.memory_bytes = 4000;
	stub_flow = (struct flow){ .offered = 0 };
	spool = spool__open(&opts);
	ck_assert_ptr_nonnull(spool);
}

static void see(const struct peat_batch *batch)
{
	struct peat_batch_cursor at = PEAT_BATCH_START;
	struct peat_event event;

	while (peat_batch__next(batch, &at, &event)) {
		uint64_t number = *(const uint64_t *)event.data;

		ck_assert_uint_lt(number, NUMBERS);
		seen[number]++;
	}
}

/* Settled batches are delivered to the end. */
static void settle(struct peat_batch *batch)
{
	struct peat_batch_cursor at = PEAT_BATCH_START;
	struct peat_event event;

	while (peat_batch__next(batch, &at, &event))
		is_settled[*(const uint64_t *)event.data] = 1;
	ck_assert(spool__settle(spool, batch, 0));
}

static void drain(void)
{
	struct peat_batch *batch;

	while ((batch = spool__next(spool))) {
		see(batch);
		ck_assert(spool__settle(spool, batch, 0));
	}
}

static void check_flow(void)
{
	const struct flow_counts counts = flow__read(&stub_flow);

	ck_assert_uint_eq(counts.spooled, 0);
	ck_assert_uint_eq(counts.waiting, 0);
	ck_assert_uint_eq(counts.offered, counts.acknowledged + counts.dropped);
}

/* ---- expectations ---------------------------------------------------------------------------- */

/* The pieces of an image. */
struct piece {
	const struct file *file;
	size_t offset, count;
	uint64_t first, events;
};

struct pieces {
	struct piece at[PIECES];
	size_t count;
};

static void find_pieces(const struct image *image, struct pieces *pieces)
{
	pieces->count = 0;
	for (size_t i = 0; i < image->count; i++) {
		const struct file *file = &image->at[i];

		for (size_t at = 0; is_segment(file) && at < file->count;) {
			struct piece_info info;
			ssize_t count = stub__measure(file->bytes + at, file->count - at, &info);

			ck_assert_int_gt(count, 0);
			ck_assert_uint_lt(pieces->count, PIECES);
			pieces->at[pieces->count++] =
				(struct piece){ file, at, (size_t)count, info.first, info.events };
			at += (size_t)count;
		}
	}
}

static bool is_whole(const struct piece *piece, const struct image *changed)
{
	for (size_t i = 0; i < changed->count; i++) {
		const struct file *file = &changed->at[i];

		if (!strcmp(file->name, piece->file->name))
			return piece->offset + piece->count <= file->count &&
			       !memcmp(file->bytes + piece->offset,
				       piece->file->bytes + piece->offset, piece->count);
	}
	return false;
}

/* Whole pieces that were not settled: once.  Others: never. */
static void check_seen(const struct pieces *pieces, const struct image *changed)
{
	for (size_t i = 0; i < pieces->count; i++) {
		const struct piece *piece = &pieces->at[i];
		bool is_wanted = is_whole(piece, changed) && !is_settled[piece->first];

		for (uint64_t j = 0; j < piece->events; j++)
			ck_assert_msg(seen[piece->first + j] == is_wanted,
				      "event %llu: seen %u times, expected %d",
				      (unsigned long long)(piece->first + j),
				      seen[piece->first + j], is_wanted);
	}
}

/* The files of settled places are mostly zeroes. */
static size_t after(const struct file *file, size_t at)
{
	return at + (is_segment(file) || at < 200 ? amount__step(1, 3) : 97);
}

/* ---- all cuts, all bytes --------------------------------------------------------------------- */

static struct image base, changed;
static struct pieces pieces;

static void no_messages(enum peat_log_level level, const char *text)
{
	(void)level;
	(void)text;
}

static void begin(void)
{
	scratch__make();
	snprintf(directory, sizeof(directory), "%s", scratch__path("spool"));
	peat_set_print(no_messages);
}

/* Several segments, in which the first batches and some others are settled. */
static void make_base(unsigned count, unsigned given, unsigned seed)
{
	struct peat_batch *batches[PIECES];
	uint64_t first = 1;

	memset(is_settled, 0, sizeof(is_settled));
	base.count = 0;
	write_image(&base);
	open_spool(STUB_RUN);
	for (unsigned i = 0; i < count; i++) {
		uint32_t events = 1 + (uint32_t)(i * seed) % 4;

		ck_assert_int_eq(stub__put(spool, STUB_RUN, first, events), 0);
		first += events;
	}
	for (unsigned i = 0; i < given; i++)
		batches[i] = spool__next(spool);
	for (unsigned i = 0; i < given; i++)
		if ((i + seed) % 3)
			settle(batches[i]);
	read_image(&base); /* as if the process was killed */
	spool__close(spool);
	find_pieces(&base, &pieces);
}

/* Reads the changed image by another process. */
static void check_changed(void)
{
	write_image(&changed);
	memset(seen, 0, sizeof(seen));
	open_spool(STUB_RUN + 1);
	drain();
	check_flow();
	check_seen(&pieces, &changed);
	spool__close(spool);
}

START_TEST(test_cut_of_each_file_at_each_length)
{
	segment_bytes = 500;
	make_base(12, 6, 1);
	ck_assert_uint_ge(base.count, 4);
	for (size_t i = 0; i < base.count; i++)
		for (size_t length = 0; length < base.at[i].count;
		     length = after(&base.at[i], length)) {
			changed = base;
			changed.at[i].count = length;
			check_changed();
		}
}
END_TEST

START_TEST(test_damage_of_each_byte_of_each_file)
{
	segment_bytes = 500;
	make_base(12, 6, 2);
	for (size_t i = 0; i < base.count; i++)
		for (size_t at = 0; at < base.at[i].count; at = after(&base.at[i], at)) {
			changed = base;
			changed.at[i].bytes[at] = (char)(changed.at[i].bytes[at] ^ 0x11);
			check_changed();
		}
}
END_TEST

/* Numbers of the batches around a damaged one show how many events it had. */
START_TEST(test_damaged_events_are_counted)
{
	struct spool_counts counts;
	const struct piece *piece;

	segment_bytes = 500;
	make_base(12, 0, 1);
	piece = &pieces.at[5];
	changed = base;
	changed.at[piece->file - base.at].bytes[piece->offset + piece->count - 1] ^= 1;
	write_image(&changed);
	open_spool(STUB_RUN + 1);
	memset(seen, 0, sizeof(seen));
	drain();
	spool__read_counts(spool, &counts);
	ck_assert_uint_eq(counts.lost, piece->events);
	ck_assert_uint_eq(stub_flow.dropped, piece->events);
	ck_assert_uint_eq(counts.damaged_bytes, piece->count);
	check_flow();
	spool__close(spool);
}
END_TEST

/* ---- random rounds --------------------------------------------------------------------------- */

static uint64_t random_state = 88172645463325252u;

static unsigned below(unsigned limit)
{
	random_state ^= random_state << 13;
	random_state ^= random_state >> 7;
	random_state ^= random_state << 17;
	return (unsigned)(random_state % limit);
}

/* Cuts and damages segments, and one of the two files of settled places. */
static void change(void)
{
	const unsigned spared = below(2);

	changed = base;
	for (unsigned n = 1 + below(3); n; n--) {
		struct file *file = &changed.at[below((unsigned)changed.count)];
		unsigned limit;

		if (!is_segment(file) && file->name[sizeof(SETTLED) - 2] == (char)('0' + spared))
			continue;
		limit = (unsigned)(is_segment(file) || file->count < 200 ? file->count : 200);
		if (!limit)
			continue;
		if (below(2))
			file->count = below(limit);
		else
			file->bytes[below(limit)] ^= (char)(1 + below(255));
	}
}

/* A process reads some batches, adds one, and is killed: the next one delivers the rest. */
static void check_second_kill(void)
{
	static struct image second;
	struct peat_batch *batch;
	const uint64_t added = NUMBERS - 1;

	write_image(&changed);
	memset(seen, 0, sizeof(seen));
	open_spool(STUB_RUN + 1);
	ck_assert_int_eq(stub__put(spool, STUB_RUN + 1, added, 1), 0);
	for (unsigned n = below(8); n && (batch = spool__next(spool)); n--) {
		if (!below(4))
			spool__forget(spool);
		see(batch);
		if (below(3))
			ck_assert(spool__settle(spool, batch, 0));
		else
			for (uint64_t i = 0; i < peat_batch__events(batch); i++)
				seen[stub__first(batch) + i] = 0; /* sent again */
	}
	read_image(&second);
	spool__close(spool);
	write_image(&second);
	open_spool(STUB_RUN + 2);
	drain();
	check_flow();
	check_seen(&pieces, &changed);
	ck_assert_uint_eq(seen[added], 1);
	spool__close(spool);
}

START_TEST(test_random_cuts_and_damages)
{
	const char *text = getenv("PEAT_SPOOL_ROUNDS");
	const unsigned long rounds = text ? strtoul(text, NULL, 10) : ROUNDS;

	for (unsigned long i = 0; i < rounds; i++) {
		if (i % SHAPES == 0) {
			unsigned count = 1 + below(20);

			segment_bytes = 100 + below(1000);
			make_base(count, below(count + 1), 1 + below(100));
		}
		change();
		check_changed();
		if (i % 4 == 0)
			check_second_kill();
	}
	printf("spool: %lu random rounds\n", rounds);
}
END_TEST

FORKED_SUITE(36000)
{
	tcase_add_checked_fixture(tests, begin, scratch__remove);
	tcase_add_test(tests, test_cut_of_each_file_at_each_length);
	tcase_add_test(tests, test_damage_of_each_byte_of_each_file);
	tcase_add_test(tests, test_damaged_events_are_counted);
	tcase_add_test(tests, test_random_cuts_and_damages);
}
