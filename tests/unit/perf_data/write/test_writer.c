// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_writer.c: recordings while they grow, closed, and cut anywhere, read back. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "record/attr_encode.h"
#include "record/encode.h"
#include "perf_data/note.h"
#include "perf_data/describe/features.h"
#include "perf_data/header.h"
#include "unit/fail_alloc.h"
#include "unit/perf_data/read/perf_tally.h"
#include "unit/perf_data/write/image.h"
#include "unit/suite.h"
#include "support/recording/written.h"

static long blocks;

static void setup(void)
{
	tzset(); /* the C library keeps memory for it */
	blocks = fail_alloc__blocks();
}

/* Each test frees its writers. */
static void teardown(void)
{
	ck_assert_int_eq(fail_alloc__blocks(), blocks);
}

/* Samples of raw and of exec, which stands in front of each tenth. */
static void check_samples(const struct tally *tally, unsigned long raw)
{
	ck_assert_int_eq(tally->ret, 0);
	ck_assert_uint_eq(tally->of[0], raw);
	ck_assert_uint_eq(tally->of[1], (raw + WRITTEN_EACH - 1) / WRITTEN_EACH);
	ck_assert_uint_eq(tally->nobodys, 0);
}

static uint64_t data_offset(const struct image *closed)
{
	uint64_t offset;

	memcpy(&offset, closed->bytes + 40, sizeof(offset));
	return offset;
}

/* ---- while it grows -------------------------------------------------------------------------- */

static void check_growing(bool compressed)
{
	int fd = new_file(), ours = dup(fd);
	struct written written;
	struct tally tally;
	struct image image;

	ck_assert_int_eq(written__begin(&written, fd, compressed), 0);
	for (unsigned i = 0; i < 5; i++) {
		image = take_image(ours);
		tally = read_bytes(image.bytes, image.count, true);
		check_samples(&tally, i * 130);
		check_end(&tally, PERF_END_WHOLE, image.count, NULL);
		ck_assert_uint_eq(tally.types[TOOL_HEADER_ATTR], 2);
		ck_assert_uint_eq(tally.types[TOOL_TRACING_DATA], 1);
		ck_assert_uint_ge(tally.types[TOOL_FEATURE], 9);
		free(image.bytes);
		ck_assert_int_eq(written__samples(&written, 130), 0);
		ck_assert_int_eq(perf_writer__flush(written.writer), 0);
	}
	ck_assert(!perf_writer__written(written.writer)->closed);
	written__free(&written);
	close(ours);
}

START_TEST(test_growing_file_is_readable)
{
	check_growing(false);
	check_growing(true);
}
END_TEST

/* Without a flush nothing is written until much has gathered, and then at once. */
START_TEST(test_few_writes)
{
	int fd = new_file(), ours = dup(fd);
	struct written written;
	struct image image;
	struct tally tally;

	ck_assert_int_eq(written__begin(&written, fd, false), 0);
	ck_assert_int_eq(written__samples(&written, 1000), 0);
	ck_assert_uint_eq(perf_writer__written(written.writer)->writes, 1);
	for (unsigned i = 1; i < 20; i++)
		ck_assert_int_eq(written__samples(&written, 1000), 0);
	ck_assert_uint_ge(perf_writer__written(written.writer)->writes, 4);
	ck_assert_uint_le(perf_writer__written(written.writer)->writes, 8);
	ck_assert_int_eq(perf_writer__flush(written.writer), 0);
	image = take_image(ours);
	ck_assert_uint_eq(image.count, perf_writer__written(written.writer)->bytes);
	tally = read_bytes(image.bytes, image.count, true);
	check_samples(&tally, 20000);
	free(image.bytes);
	written__free(&written);
	close(ours);
}
END_TEST

/* ---- closed ---------------------------------------------------------------------------------- */

static struct image write_closed(unsigned samples, bool compressed)
{
	int fd = new_file(), ours = dup(fd);
	struct written written;
	struct image image;

	ck_assert_int_eq(written__begin(&written, fd, compressed), 0);
	ck_assert_int_eq(written__samples(&written, samples), 0);
	written__end(&written);
	ck_assert_int_eq(perf_writer__close(written.writer), 0);
	ck_assert_int_eq(perf_writer__close(written.writer), 0);
	image = take_image(ours);
	ck_assert(perf_writer__written(written.writer)->closed);
	ck_assert_uint_eq(perf_writer__written(written.writer)->bytes, image.count);
	ck_assert_uint_eq(perf_writer__written(written.writer)->lost_bytes, 0);
	written__free(&written);
	close(ours);
	return image;
}

static void check_note(const struct image *image)
{
	struct tool_record rec;
	struct perf_entry entry;
	struct perf_file *file;
	struct note note;
	const char *why;

	ck_assert_int_eq(perf_file__open_memory(&file, image->bytes, image->count, true, &why), 0);
	do
		ck_assert_int_eq(perf_file__next(file, &entry), 1);
	while (entry.type != TOOL_EVENT_TYPE);
	ck_assert_int_eq(tool_record__parse(entry.bytes, entry.size, false, &rec), 0);
	ck_assert(note__read(&rec, &note));
	ck_assert(note.kind == WRITTEN_NOTE && note.count == 6);
	ck_assert(!memcmp(note.bytes, "a note", 6));
	perf_file__close(file);
}

static void check_closed(unsigned samples, bool compressed)
{
	struct image image = write_closed(samples, compressed);
	struct tally tally = read_bytes(image.bytes, image.count, true);

	check_samples(&tally, samples);
	ck_assert_int_eq(tally.end.how, PERF_END_WHOLE);
	ck_assert_uint_eq(tally.types[TOOL_HEADER_ATTR], 0);
	ck_assert_uint_eq(tally.types[TOOL_FEATURE], 0);
	ck_assert_uint_eq(data_offset(&image) % 8, 0);
	check_note(&image);
	free(image.bytes);
}

START_TEST(test_closed_file_is_readable)
{
	check_closed(1, false);
	check_closed(1000, false);
	check_closed(1000, true);
}
END_TEST

/* Nothing happened: it is a file all the same, and says who recorded. */
START_TEST(test_closed_empty)
{
	int fd = new_file(), ours = dup(fd);
	struct written written;
	struct image image;
	struct tally tally;

	ck_assert_int_eq(written__begin(&written, fd, false), 0);
	perf_writer__out(written.writer)->count = 0;
	ck_assert_int_eq(perf_writer__close(written.writer), 0);
	image = take_image(ours);
	tally = read_bytes(image.bytes, image.count, true);
	ck_assert_int_eq(tally.end.how, PERF_END_WHOLE);
	ck_assert_uint_eq(tally.records, tally.types[TOOL_FINISHED_ROUND]);
	free(image.bytes);
	written__free(&written);
	close(ours);
}
END_TEST

static void check_events(struct perf_file *file)
{
	const struct perf_attrs *attrs = perf_file__attrs(file);

	ck_assert_uint_eq(attrs->count, 2);
	ck_assert(attrs->at[0]->type == 1 && attrs->at[1]->type == 2);
	ck_assert_uint_eq(attrs->at[1]->config, 40000);
	for (unsigned i = 0; i < 2; i++) {
		ck_assert_uint_eq(attrs->at[i]->ids_count, 1);
		ck_assert_uint_eq(attrs->at[i]->ids[0], 11 + i);
	}
}

static void check_tracing(const struct perf_feature *feature)
{
	struct strbuf wanted = { 0 };

	written__tracing_data(&wanted);
	ck_assert_uint_eq(feature->bytes_count, wanted.count);
	ck_assert_mem_eq(feature->bytes, wanted.bytes, wanted.count);
	strbuf__free(&wanted);
}

static const char *tell(const struct perf_feature *feature, struct strbuf *out)
{
	struct perf_features features = { 0 };
	struct emit emit = emit__lines(out);
	const char *why;

	out->count = 0;
	ck_assert_int_eq(features__emit(&features, feature->bit, feature->bytes,
					feature->bytes_count, &emit, &why),
			 0);
	strbuf__char(out, 0);
	return out->bytes;
}

START_TEST(test_features_of_closed)
{
	static const unsigned bits[] = { 1, 3, 4, 5, 6, 7, 8, 10, 11, 12, 21, 23, 29 };
	struct image image = write_closed(1000, false);
	struct perf_feature feature = { 0 };
	struct perf_file *file;
	struct strbuf out = { 0 };
	const char *why;

	ck_assert_int_eq(perf_file__open_memory(&file, image.bytes, image.count, true, &why), 0);
	ck_assert_int_eq(perf_file__info(file)->mode, PERF_FILE_SECTIONS);
	check_events(file);
	for (size_t i = 0; i < sizeof(bits) / sizeof(*bits); i++) {
		ck_assert_int_eq(perf_file__next_feature(file, &feature), 1);
		ck_assert_uint_eq(feature.bit, bits[i]);
		ck_assert_ptr_nonnull(feature.bytes);
		if (feature.bit == FEATURE_TRACING_DATA)
			check_tracing(&feature);
		else if (feature.bit == FEATURE_EVENT_DESC)
			ck_assert_ptr_nonnull(
				strstr(tell(&feature, &out), "name = peat:exec, , id = { 12 }"));
		else if (feature.bit == FEATURE_SAMPLE_TIME)
			ck_assert_ptr_nonnull(
				strstr(tell(&feature, &out), "last sample : 1.000999"));
		else
			ck_assert_ptr_nonnull(strstr(tell(&feature, &out), "# "));
	}
	ck_assert_int_eq(perf_file__next_feature(file, &feature), 0);
	perf_file__close(file);
	strbuf__free(&out);
	free(image.bytes);
}
END_TEST

/* What is too large for a record, and what is given again, stands behind the data. */
START_TEST(test_late_features)
{
	int fd = new_file(), ours = dup(fd);
	struct perf_feature feature = { 0 };
	char *large = calloc(1, 100000);
	struct perf_writer *writer = perf_writer__new(fd);
	struct perf_file *file;
	struct image image;
	const char *why;

	large[99999] = 'x';
	ck_assert_int_eq(perf_writer__feature(writer, FEATURE_BPF_BTF, large, 100000), 0);
	ck_assert_int_eq(perf_writer__feature(writer, 0, "", 0), -EINVAL);
	ck_assert_int_eq(perf_writer__feature(writer, FEATURE_PMU_CAPS + 1, "", 0), -EINVAL);
	ck_assert_int_eq(perf_writer__feature(writer, FEATURE_HOSTNAME, "first", 5), 0);
	ck_assert_int_eq(perf_writer__feature(writer, FEATURE_HOSTNAME, "second", 6), 0);
	ck_assert_int_eq(perf_writer__begin(writer), 0);
	ck_assert_int_eq(perf_writer__feature(writer, FEATURE_HOSTNAME, "third", 5), 0);
	ck_assert_int_eq(perf_writer__close(writer), 0);
	perf_writer__free(writer);
	image = take_image(ours);
	ck_assert_ptr_nonnull(memmem(image.bytes, image.count, "second", 6));
	ck_assert_ptr_null(memmem(image.bytes, image.count, "first", 5));
	ck_assert_int_eq(perf_file__open_memory(&file, image.bytes, image.count, true, &why), 0);
	ck_assert_int_eq(perf_file__next_feature(file, &feature), 1);
	ck_assert(feature.bit == FEATURE_HOSTNAME && feature.bytes_count == 5);
	ck_assert(!memcmp(feature.bytes, "third", 5));
	ck_assert_int_eq(perf_file__next_feature(file, &feature), 1);
	ck_assert(feature.bit == FEATURE_EVENT_DESC);
	ck_assert_int_eq(perf_file__next_feature(file, &feature), 1);
	ck_assert(feature.bit == FEATURE_BPF_BTF && feature.bytes_count == 100000);
	ck_assert(!memcmp(feature.bytes, large, 100000));
	perf_file__close(file);
	free(image.bytes);
	free(large);
	close(ours);
}
END_TEST

/* ---- events that come late ------------------------------------------------------------------- */

START_TEST(test_late_event)
{
	struct perf_attr late = attr_encode__bpf_output(), tracepoint = attr_encode__tracepoint(1);
	int fd = new_file(), ours = dup(fd);
	uint64_t id = 13;
	struct written written;
	struct image image;
	struct tally tally;

	late.name = (char *)"late";
	late.ids = &id;
	late.ids_count = 1;
	ck_assert_int_eq(written__begin(&written, fd, false), 0);
	ck_assert_int_eq(written__samples(&written, 100), 0);
	ck_assert_int_eq(perf_writer__event(written.writer, &tracepoint), -ENOTSUP);
	ck_assert_int_eq(perf_writer__event(written.writer, &late), 0);
	written.raw_id = id;
	ck_assert_int_eq(written__samples(&written, 30), 0);
	ck_assert_int_eq(perf_writer__flush(written.writer), 0);
	image = take_image(ours);
	tally = read_bytes(image.bytes, image.count, true);
	ck_assert_int_eq(tally.end.how, PERF_END_WHOLE);
	ck_assert(tally.of[0] == 100 && tally.of[1] == 13 && tally.of[2] == 30);
	ck_assert_uint_eq(tally.types[TOOL_HEADER_ATTR], 3);
	free(image.bytes);

	/* It is in the header then, and nowhere else. */
	ck_assert_int_eq(perf_writer__close(written.writer), 0);
	image = take_image(ours);
	tally = read_bytes(image.bytes, image.count, true);
	ck_assert_int_eq(tally.end.how, PERF_END_WHOLE);
	ck_assert(tally.of[0] == 100 && tally.of[1] == 13 && tally.of[2] == 30);
	ck_assert_uint_eq(tally.types[TOOL_HEADER_ATTR], 0);
	ck_assert_uint_eq(tally.types[TOOL_EVENT_TYPE], 1);
	free(image.bytes);
	written__free(&written);
	close(ours);
}
END_TEST

/* More than the header has room for at one place: their attrs and names stand at the end. */
START_TEST(test_many_events)
{
	int fd = new_file(), ours = dup(fd);
	struct perf_writer *writer = perf_writer__new(fd);
	struct perf_attr attr = attr_encode__bpf_output();
	struct perf_feature feature = { 0 };
	struct perf_file *file;
	const char *why;

	for (uint64_t id = 1; id <= 1000; id++) {
		attr.name = (char *)"one of many";
		attr.ids = &id;
		attr.ids_count = 1;
		attr.config1 = id;
		ck_assert_int_eq(perf_writer__event(writer, &attr), 0);
	}
	ck_assert_int_eq(perf_writer__begin(writer), 0);
	ck_assert_int_eq(perf_writer__close(writer), 0);
	perf_writer__free(writer);
	ck_assert_int_eq(perf_file__open_fd(&file, ours, &why), 0);
	ck_assert_uint_eq(perf_file__attrs(file)->count, 1000);
	for (uint32_t i = 0; i < 1000; i++) {
		ck_assert_uint_eq(perf_file__attrs(file)->at[i]->config1, i + 1);
		ck_assert_uint_eq(perf_file__attrs(file)->at[i]->ids[0], i + 1);
	}
	ck_assert_int_eq(perf_file__next_feature(file, &feature), 1);
	ck_assert(feature.bit == FEATURE_EVENT_DESC && feature.bytes_count > 65536);
	perf_file__close(file);
	close(ours);
}
END_TEST

/* ---- into what is no file -------------------------------------------------------------------- */

/* No more than a pipe holds. */
static struct image write_pipe(unsigned samples, bool compressed)
{
	struct image image = { malloc(1 << 16), 0 };
	struct written written;
	ssize_t got;
	int ends[2];

	ck_assert_int_eq(pipe(ends), 0);
	ck_assert_int_eq(written__begin(&written, ends[1], compressed), 0);
	ck_assert_int_eq(written__samples(&written, samples), 0);
	written__end(&written);
	ck_assert_int_eq(perf_writer__close(written.writer), 0);
	ck_assert(!perf_writer__written(written.writer)->closed);
	while ((got = read(ends[0], image.bytes + image.count, (1 << 16) - image.count)) > 0)
		image.count += (size_t)got;
	ck_assert_uint_eq(perf_writer__written(written.writer)->bytes, image.count);
	written__free(&written);
	close(ends[0]);
	return image;
}

static void check_pipe(bool compressed)
{
	struct image image = write_pipe(500, compressed);
	struct tally tally = read_bytes(image.bytes, image.count, false);

	check_samples(&tally, 500);
	check_end(&tally, PERF_END_WHOLE, image.count, NULL);
	ck_assert_uint_eq(tally.types[TOOL_FINISHED_ROUND], 5);
	free(image.bytes);
}

START_TEST(test_pipe_is_readable)
{
	check_pipe(false);
	check_pipe(true);
}
END_TEST

/* What stands in front is somebody else's, and so is the place at its start. */
START_TEST(test_appended_file_stays_a_pipe)
{
	char path[] = "/tmp/peat-appended-XXXXXX";
	int ours = mkstemp(path), fd;
	struct written written;
	struct image image;
	struct tally tally;

	ck_assert_int_eq(write(ours, "prefix__", 8), 8);
	fd = open(path, O_WRONLY | O_APPEND | O_CLOEXEC);
	ck_assert_int_eq(written__begin(&written, fd, false), 0);
	ck_assert_int_eq(written__samples(&written, 50), 0);
	ck_assert_int_eq(perf_writer__close(written.writer), 0);
	ck_assert(!perf_writer__written(written.writer)->closed);
	image = take_image(ours);
	ck_assert(!memcmp(image.bytes, "prefix__PERFILE2", 16));
	tally = read_bytes(image.bytes + 8, image.count - 8, true);
	check_samples(&tally, 50);
	check_end(&tally, PERF_END_WHOLE, image.count - 8, NULL);
	free(image.bytes);
	written__free(&written);
	close(ours);
	unlink(path);
}
END_TEST

START_TEST(test_refused_fds)
{
	int ends[2];

	ck_assert_int_eq(pipe(ends), 0);
	ck_assert_ptr_null(perf_writer__new(ends[0]));
	ck_assert_int_eq(errno, EBADF);
	ck_assert_int_eq(fcntl(ends[0], F_GETFD), -1);
	ck_assert_ptr_null(perf_writer__new(ends[0]));
	ck_assert_int_eq(errno, EBADF);
	perf_writer__free(NULL);
	close(ends[1]);
}
END_TEST

START_TEST(test_broken_pipe)
{
	struct written written;
	int ends[2];

	signal(SIGPIPE, SIG_IGN);
	ck_assert_int_eq(pipe(ends), 0);
	ck_assert_int_eq(written__begin(&written, ends[1], false), 0);
	close(ends[0]);
	ck_assert_int_eq(written__samples(&written, 10), 0);
	ck_assert_int_eq(perf_writer__flush(written.writer), -EPIPE);
	ck_assert_uint_eq(perf_writer__written(written.writer)->lost_samples, 11);
	ck_assert_uint_gt(perf_writer__written(written.writer)->lost_bytes, 11 * 50);
	ck_assert_uint_lt(perf_writer__written(written.writer)->lost_bytes, 11 * 200);
	ck_assert_int_eq(written__samples(&written, 20), -EPIPE);
	ck_assert_uint_eq(perf_writer__written(written.writer)->lost_samples, 33);
	ck_assert_int_eq(perf_writer__close(written.writer), -EPIPE);
	written__free(&written);
}
END_TEST

/* ---- cut anywhere ---------------------------------------------------------------------------- */

/* A growing file as it is on disk. */
static struct image write_growing(unsigned samples, bool compressed)
{
	int fd = new_file(), ours = dup(fd);
	struct written written;
	struct image image;

	ck_assert_int_eq(written__begin(&written, fd, compressed), 0);
	for (unsigned i = 0; i < samples; i += 10) {
		ck_assert_int_eq(written__samples(&written, 10), 0);
		ck_assert_int_eq(perf_writer__flush(written.writer), 0);
	}
	image = take_image(ours);
	written__free(&written);
	close(ours);
	return image;
}

/* Each record but those that came out of others: where it ends, and how many samples there are. */
struct mark {
	size_t end;
	unsigned long samples, nested;
};

static unsigned take_marks(const struct image *image, struct mark *marks, unsigned most)
{
	struct mark mark = { PERF_HEADER_PIPE_BYTES, 0, 0 };
	struct perf_entry entry;
	struct perf_file *file;
	const char *why;
	unsigned count = 0;

	ck_assert_int_eq(perf_file__open_memory(&file, image->bytes, image->count, true, &why), 0);
	marks[count++] = mark;
	while (perf_file__next(file, &entry) > 0) {
		mark.samples += entry.type == PEAT_RECORD_SAMPLE;
		mark.end =
			entry.inflated ? mark.end : entry.offset + entry.size + entry.payload_bytes;
		if (entry.inflated)
			count--;
		ck_assert_uint_lt(count, most);
		marks[count++] = mark;
	}
	perf_file__close(file);
	return count;
}

/* Up to each byte: exactly the samples of the records that are whole. */
static void check_cuts(const struct image *image)
{
	struct mark marks[1000];
	unsigned count = take_marks(image, marks, 1000), at = 0;

	ck_assert_uint_eq(marks[count - 1].end, image->count);
	for (size_t cut = PERF_HEADER_PIPE_BYTES; cut <= image->count; cut++) {
		struct tally tally = read_bytes(image->bytes, cut, true);

		while (at + 1 < count && marks[at + 1].end <= cut)
			at++;
		ck_assert_int_eq(tally.ret, 0);
		ck_assert_uint_eq(tally.types[PEAT_RECORD_SAMPLE], marks[at].samples);
		ck_assert_uint_eq(tally.nobodys, 0);
		ck_assert_msg((tally.end.how == PERF_END_WHOLE) == (marks[at].end == cut),
			      "cut at %zu of %zu: %d", cut, image->count, tally.end.how);
		ck_assert_int_ne(tally.end.how, PERF_END_DAMAGED);
	}
}

START_TEST(test_cut_file_is_readable)
{
	struct image image = write_growing(60, false);

	check_cuts(&image);
	free(image.bytes);
	image = write_growing(100, true);
	check_cuts(&image);
	free(image.bytes);
}
END_TEST

/* What closes it was appended, all of it or a part, and then its writer died. */
START_TEST(test_cut_while_closing)
{
	struct image image = write_closed(100, false), growing = write_growing(100, false);
	struct tally tally;

	memcpy(image.bytes, growing.bytes, PERF_HEADER_BYTES);
	for (size_t cut = growing.count; cut <= image.count; cut++) {
		tally = read_bytes(image.bytes, cut, true);
		check_samples(&tally, 100);
	}
	free(image.bytes);
	free(growing.bytes);
}
END_TEST

/* ---- a full disk ----------------------------------------------------------------------------- */

static void limit_file(uint64_t bytes)
{
	struct rlimit limit;

	ck_assert_int_eq(getrlimit(RLIMIT_FSIZE, &limit), 0);
	limit.rlim_cur = bytes;
	ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
}

#define MANY  10000
#define SPARE 384 /* bytes that are left for what closes it */

/* What is in a file that was cut because it was full: so many samples, and nothing else is wrong.
 */
static void check_saved(int fd, struct written *written, unsigned long samples)
{
	const struct perf_written *so = perf_writer__written(written->writer);
	struct image image = take_image(fd);
	struct tally tally = read_bytes(image.bytes, image.count, true);

	ck_assert_int_eq(tally.ret, 0);
	ck_assert_int_eq(tally.end.how, PERF_END_WHOLE);
	ck_assert_uint_eq(image.count, so->bytes);
	ck_assert_uint_eq(tally.types[PEAT_RECORD_SAMPLE], samples);
	ck_assert_uint_eq(tally.types[PEAT_RECORD_SAMPLE] + so->lost_samples,
			  written->count + (written->count + WRITTEN_EACH - 1) / WRITTEN_EACH);
	ck_assert_uint_eq(tally.types[TOOL_HEADER_ATTR], so->closed ? 0 : 2);
	free(image.bytes);
}

/* There is room for `room` bytes.  What was put is in the file, or counted as lost. */
static void check_full(uint64_t room, unsigned long samples)
{
	int fd = new_file(), ours = dup(fd), err;
	struct written written;

	limit_file(room);
	ck_assert_int_eq(written__begin(&written, fd, false), 0);
	err = written__samples(&written, MANY);
	err = err ? err : perf_writer__flush(written.writer);
	ck_assert_int_eq(err, -EFBIG);
	ck_assert(!perf_writer__written(written.writer)->closed);
	check_saved(ours, &written, samples);
	ck_assert_int_eq(perf_writer__commit(written.writer), -EFBIG);
	ck_assert_int_eq(perf_writer__close(written.writer), -EFBIG);
	ck_assert(perf_writer__written(written.writer)->closed);
	limit_file(RLIM_INFINITY);
	check_saved(ours, &written, samples);
	written__free(&written);
	close(ours);
}

START_TEST(test_full_disk_keeps_samples)
{
	struct image image = write_growing(100, false);
	struct mark marks[1000];
	unsigned count = take_marks(&image, marks, 1000), at = 0;

	signal(SIGXFSZ, SIG_IGN);
	for (size_t room = image.count - 200; room < image.count; room++) {
		while (at + 1 < count && marks[at + 1].end <= room - SPARE)
			at++;
		check_full(room, marks[at].samples);
	}
	free(image.bytes);
}
END_TEST

/* A whole record of this size is worth more than a closed file; with room again it is closed. */
static void check_full_of_large(size_t spare, bool room_again)
{
	int fd = new_file(), ours = dup(fd);
	struct written written;
	struct peat_record rec = { .type = PEAT_RECORD_SAMPLE, .id = 11 };
	struct image image;
	struct tally tally;
	uint64_t begun;

	ck_assert_int_eq(written__begin(&written, fd, false), 0);
	begun = perf_writer__written(written.writer)->bytes;
	perf_writer__out(written.writer)->count = 0;
	rec.sample.raw = memset(malloc(3000), 1, 3000);
	rec.sample.raw_bytes = 3000 - 52;
	for (unsigned i = 0; i < 10; i++)
		encode__record(perf_writer__out(written.writer), &written.raw.layout, &rec);
	limit_file(begun + 5 * 3000 + spare);
	ck_assert_int_eq(perf_writer__flush(written.writer), -EFBIG);
	ck_assert_uint_eq(perf_writer__written(written.writer)->bytes, begun + 5 * 3000);
	ck_assert_uint_eq(perf_writer__written(written.writer)->lost_samples, 5);
	ck_assert_uint_eq(perf_writer__written(written.writer)->lost_bytes, 5 * 3000);
	if (room_again)
		limit_file(RLIM_INFINITY);
	ck_assert_int_eq(perf_writer__close(written.writer), -EFBIG);
	limit_file(RLIM_INFINITY);
	ck_assert_int_eq(perf_writer__written(written.writer)->closed, room_again || spare > 300);
	image = take_image(ours);
	tally = read_bytes(image.bytes, image.count, true);
	ck_assert_int_eq(tally.end.how, PERF_END_WHOLE);
	ck_assert_uint_eq(tally.of[0], 5);
	free(image.bytes);
	free((void *)rec.sample.raw);
	written__free(&written);
	close(ours);
}

START_TEST(test_full_of_large)
{
	signal(SIGXFSZ, SIG_IGN);
	for (size_t spare = 0; spare < 200; spare += 7) {
		check_full_of_large(spare, false);
		check_full_of_large(spare, true);
	}
	check_full_of_large(400, false);
}
END_TEST

/* Not even the header is whole: there is nothing to close. */
static void check_full_in_header(uint64_t room)
{
	int fd = new_file(), ours = dup(fd);
	struct written written;
	struct image image;

	limit_file(room);
	ck_assert_int_eq(written__begin(&written, fd, false), -EFBIG);
	limit_file(RLIM_INFINITY);
	ck_assert_int_eq(perf_writer__close(written.writer), -EFBIG);
	ck_assert(!perf_writer__written(written.writer)->closed);
	image = take_image(ours);
	ck_assert_uint_le(image.count, room);
	ck_assert_uint_eq(image.count, perf_writer__written(written.writer)->bytes);
	ck_assert_int_eq(image.count >= PERF_HEADER_PIPE_BYTES, room >= PERF_HEADER_PIPE_BYTES);
	ck_assert_uint_gt(perf_writer__written(written.writer)->lost_bytes, 0);
	if (image.count)
		ck_assert_int_eq(read_bytes(image.bytes, image.count, true).end.how,
				 PERF_END_WHOLE);
	free(image.bytes);
	written__free(&written);
	close(ours);
}

START_TEST(test_full_in_header)
{
	signal(SIGXFSZ, SIG_IGN);
	for (uint64_t room = 0; room < 500; room += 1 + room / 16)
		check_full_in_header(room);
}
END_TEST

static void check_full_at_its_end(size_t room, bool closes)
{
	int fd = new_file(), ours = dup(fd);
	struct written written;
	struct image before, after;

	ck_assert_int_eq(written__begin(&written, fd, false), 0);
	ck_assert_int_eq(written__samples(&written, 50), 0);
	ck_assert_int_eq(perf_writer__flush(written.writer), 0);
	before = take_image(ours);
	limit_file(before.count + room);
	ck_assert_int_eq(perf_writer__close(written.writer), closes ? 0 : -EFBIG);
	limit_file(RLIM_INFINITY);
	after = take_image(ours);
	if (!closes) {
		ck_assert_uint_eq(after.count, before.count);
		ck_assert(!memcmp(after.bytes, before.bytes, before.count));
	}
	ck_assert_int_eq(perf_writer__written(written.writer)->closed, closes);
	ck_assert_uint_eq(perf_writer__written(written.writer)->bytes, after.count);
	ck_assert_uint_eq(perf_writer__written(written.writer)->lost_bytes, 0);
	free(before.bytes);
	free(after.bytes);
	written__free(&written);
	close(ours);
}

/* What does not fit is the end: the file stays as it was.  It takes but little. */
START_TEST(test_full_at_its_end)
{
	signal(SIGXFSZ, SIG_IGN);
	for (size_t room = 0; room < 100; room += 9)
		check_full_at_its_end(room, false);
	check_full_at_its_end(256, true);
}
END_TEST

SUITE(60)
{
	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_add_test(tests, test_growing_file_is_readable);
	tcase_add_test(tests, test_few_writes);
	tcase_add_test(tests, test_closed_file_is_readable);
	tcase_add_test(tests, test_closed_empty);
	tcase_add_test(tests, test_features_of_closed);
	tcase_add_test(tests, test_late_features);
	tcase_add_test(tests, test_late_event);
	tcase_add_test(tests, test_many_events);
	tcase_add_test(tests, test_pipe_is_readable);
	tcase_add_test(tests, test_appended_file_stays_a_pipe);
	tcase_add_test(tests, test_refused_fds);
	tcase_add_test(tests, test_broken_pipe);
	tcase_add_test(tests, test_cut_file_is_readable);
	tcase_add_test(tests, test_cut_while_closing);
	tcase_add_test(tests, test_full_disk_keeps_samples);
	tcase_add_test(tests, test_full_of_large);
	tcase_add_test(tests, test_full_in_header);
	tcase_add_test(tests, test_full_at_its_end);
}
