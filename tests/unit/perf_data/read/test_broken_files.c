// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_broken_files.c: perf.data that is cut, damaged, or none. */
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "perf_tally.h"
#include "support/machine/amount.h"
#include "support/machine/process.h"
#include "unit/suite.h"

/* ---- what is missing ------------------------------------------------------------------------- */

static void check_refused(const void *bytes, size_t count, const char *wanted)
{
	struct perf_file *file;
	const char *why;

	ck_assert_int_eq(perf_file__open_memory(&file, bytes, count, true, &why), -EBADMSG);
	ck_assert_msg(strstr(why, wanted), "%s", why);
}

START_TEST(test_no_perf_data)
{
	struct perf_file *file;
	const char *why;

	check_refused("", 0, "empty");
	check_refused("PERF", 4, "no perf.data");
	check_refused("\177ELF\2\1\1\0\0\0\0\0\0\0\0\0", 16, "no perf.data");
	check_refused("\x28\xb5\x2f\xfd\4\0\0\0\0\0", 10, "compressed by zstd");
	check_refused("\x1f\x8b\10\0\0\0\0\0\0\0", 10, "compressed by gzip");
	check_refused("\xfd"
		      "7zXZ\0\0\4",
		      8, "compressed by xz");
	check_refused("BZh91AY&SY", 10, "compressed by bzip2");
	check_refused("BZ", 2, "no perf.data");
	check_refused("PERFILE2\3\0\0\0\0\0\0\0", 16, "no possible size");
	ck_assert_int_eq(perf_file__open(&file, "/no/such/file", &why), -ENOENT);
	ck_assert_ptr_null(why);
	ck_assert_int_eq(perf_file__open(&file, "/proc", &why), -EBADMSG);
	ck_assert_ptr_nonnull(strstr(why, "no file 'data'"));
	perf_file__close(NULL);
}
END_TEST

/* Lists of ids that lie over each other are as long as all of them. */
START_TEST(test_ids_again_and_again)
{
	static struct made_attr many[200];
	struct maker m = { 0 };
	size_t attrs;

	for (unsigned i = 0; i < 200; i++)
		many[i] = two[0];
	make_file(&m, many, 200);
	attrs = 104 + 200 * 16;
	make_zeroes(&m, 50000);
	for (unsigned i = 0; i < 200; i++)
		make_section(&m, attrs + i * 128 + 112, 104, 48000);
	check_refused(m.at, m.len, "more events or ids");
	free(m.at);
}
END_TEST

START_TEST(test_crashed_recording_is_cut)
{
	struct maker m = { 0 };
	struct perf_file *file;
	struct tally tally;
	size_t data;

	make_file(&m, two, 2);
	data = m.len;
	make_over(&m, AT_FEATURES, 0xfe, 8); /* of which none was written */
	make_samples(&m, 10);
	tally = read_made(&m);
	ck_assert_uint_eq(tally.records, 10);
	check_end(&tally, PERF_END_CUT, m.len, "did not finish");
	file = open_made(&m);
	ck_assert(perf_file__info(file)->crashed);
	ck_assert_uint_eq(perf_file__info(file)->features[0], 0);
	perf_file__close(file);
	tally = read_bytes(m.at, m.len - 5, true);
	ck_assert_uint_eq(tally.records, 9);
	check_end(&tally, PERF_END_CUT, data + 9 * 32, "ends inside a record");
	tally = read_bytes(m.at, data, true);
	ck_assert_uint_eq(tally.records, 0);
	check_end(&tally, PERF_END_CUT, data, "did not finish");
	free(m.at);
}
END_TEST

/* Of size 0 and no crash: nothing was recorded. */
START_TEST(test_no_data)
{
	struct maker m = { 0 };
	struct tally tally;
	size_t data;

	make_file(&m, two, 2);
	data = m.len;
	end_data(&m, data, 3);
	tally = read_made(&m);
	ck_assert_uint_eq(tally.records, 0);
	check_end(&tally, PERF_END_WHOLE, data, NULL);
	free(m.at);
}
END_TEST

START_TEST(test_trailing_text)
{
	static const char text[] = "[ perf record: Woken up 1 times to write data ]\n";
	struct maker m = { 0 };
	struct tally tally;
	size_t end;

	make_pipe(&m);
	end = m.len;
	make_bytes(&m, text, sizeof(text) - 1);
	tally = read_made(&m);
	check_end(&tally, PERF_END_WHOLE, end, "text follows");
	tally = read_bytes(m.at, end + 4, false);
	check_end(&tally, PERF_END_WHOLE, end, "text follows");
	make_bytes(&m, "\1", 1);
	tally = read_made(&m);
	check_end(&tally, PERF_END_DAMAGED, end, "no record");
	free(m.at);
}
END_TEST

/* How many of the records end at `len` or before. */
static unsigned whole_records(const struct maker *m, size_t data, size_t len)
{
	unsigned whole = 0;
	uint16_t size;

	for (size_t at = data; at + 8 <= len; at += size) {
		size = (uint16_t)(m->at[at + 6] | m->at[at + 7] << 8);
		if (m->swapped != MAKER_BIG_ENDIAN)
			size = __builtin_bswap16(size);
		if (at + size > len || whole == 7)
			break;
		whole++;
	}
	return whole;
}

/* At each byte: all whole records, and it is told where the file ends. */
static void check_cuts(bool swapped, bool seekable)
{
	struct maker m = { .swapped = swapped };
	size_t data;

	make_usual(&m);
	data = data_of_usual(&m);
	for (size_t len = 8; len < m.len; len++) {
		struct tally tally = read_bytes(m.at, len, seekable);
		unsigned whole = whole_records(&m, data, len);

		ck_assert_int_eq(tally.ret, 0);
		ck_assert_msg(tally.records == whole, "%lu of %u at %zu", tally.records, whole,
			      len);
		ck_assert_int_eq(tally.end.how,
				 len < data + USUAL_DATA_BYTES ? PERF_END_CUT : PERF_END_WHOLE);
		if (len >= data && tally.end.how == PERF_END_CUT)
			ck_assert_uint_le(tally.end.offset, len);
	}
	free(m.at);
}

START_TEST(test_cut_anywhere)
{
	check_cuts(false, true);
	check_cuts(true, true);
	check_cuts(false, false);
}
END_TEST

/* A pipe cannot know of what never came; but it never ends whole inside a record. */
START_TEST(test_pipe_cut_anywhere)
{
	struct maker m = { 0 };
	unsigned long before = 0;

	make_pipe(&m);
	for (size_t len = 8; len<m.len; len += len> 1000 && len < m.len - 200 ? 97 : 1) {
		struct tally tally = read_bytes(m.at, len, false);
		struct tally same = read_bytes(m.at, len, true);

		ck_assert_int_eq(tally.ret, 0);
		ck_assert_uint_ge(tally.records, before);
		ck_assert_uint_eq(tally.records, same.records);
		ck_assert_int_eq(tally.end.how, same.end.how);
		ck_assert_int_ne(tally.end.how, PERF_END_DAMAGED);
		ck_assert(tally.end.how == PERF_END_CUT || tally.end.offset == len);
		before = tally.records;
	}
	free(m.at);
}
END_TEST

/* ---- a file of several windows, cut every 4 KiB ---------------------------------------------- */

static int fd_of(const struct maker *m)
{
	int fd = memfd_create("perf.data", MFD_CLOEXEC);

	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(write(fd, m->at, m->len), (ssize_t)m->len);
	return fd;
}

/* Another description of the file, which begins at its start. */
static int reopen(int fd)
{
	char path[32];
	int again;

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	again = open(path, O_RDONLY | O_CLOEXEC);
	ck_assert_int_ge(again, 0);
	return again;
}

struct feeding {
	const struct maker *m;
	size_t len;
	int ends[2];
};

/* In pieces of no particular size. */
static int feed(void *arg)
{
	struct feeding *feeding = arg;
	size_t at = 0;

	close(feeding->ends[0]);
	while (at < feeding->len) {
		size_t bytes = 1 + (at * 7919) % 5000;

		bytes = bytes < feeding->len - at ? bytes : feeding->len - at;
		if (write(feeding->ends[1], feeding->m->at + at, bytes) != (ssize_t)bytes)
			return 1;
		at += bytes;
	}
	return 0;
}

static struct tally read_fd(int fd)
{
	struct perf_file *file;
	struct tally tally;
	const char *why;

	ck_assert_int_eq(perf_file__open_fd(&file, fd, &why), 0);
	tally = read_file(file);
	touch_features(file);
	perf_file__close(file);
	close(fd);
	return tally;
}

static struct tally read_through_pipe(const struct maker *m, size_t len)
{
	struct feeding feeding = { m, len, { 0 } };
	struct tally tally;
	pid_t pid;

	ck_assert_int_eq(pipe2(feeding.ends, O_CLOEXEC), 0);
	pid = process__start(feed, &feeding);
	close(feeding.ends[1]);
	tally = read_fd(feeding.ends[0]);
	ck_assert_int_eq(process__wait(pid), 0);
	return tally;
}

#define LARGE_SAMPLES 20000

START_TEST(test_large_cut)
{
	struct maker m = { 0 };
	struct tally tally;
	size_t data;
	int fd;

	make_file(&m, two, 2);
	data = m.len;
	make_samples(&m, LARGE_SAMPLES);
	end_data(&m, data, 2);
	fd = fd_of(&m);
	for (size_t len = (m.len - 1) & ~(size_t)4095; len; len -= 4096) {
		unsigned long whole = (len - data) / 32;

		whole = whole < LARGE_SAMPLES ? whole : LARGE_SAMPLES;
		ck_assert_int_eq(ftruncate(fd, (off_t)len), 0);
		tally = read_fd(reopen(fd));
		ck_assert_uint_eq(tally.records, whole);
		ck_assert_int_eq(tally.end.how,
				 whole < LARGE_SAMPLES ? PERF_END_CUT : PERF_END_WHOLE);
		if (len % 65536)
			continue;
		tally = read_through_pipe(&m, len);
		ck_assert_uint_eq(tally.records, whole);
	}
	tally = read_through_pipe(&m, m.len);
	ck_assert_uint_eq(tally.records, LARGE_SAMPLES);
	ck_assert_int_eq(tally.end.how, PERF_END_WHOLE);
	close(fd);
	free(m.at);
}
END_TEST

/* Cut while it is read: no signal, but an end. */
START_TEST(test_truncated_meanwhile)
{
	struct maker m = { 0 };
	struct perf_entry entry;
	struct perf_file *file;
	unsigned long records = 0;
	const char *why;
	size_t data;
	int fd;

	make_file(&m, two, 2);
	data = m.len;
	make_samples(&m, LARGE_SAMPLES);
	end_data(&m, data, 0);
	fd = fd_of(&m);
	ck_assert_int_eq(perf_file__open_fd(&file, fd, &why), 0);
	while (perf_file__next(file, &entry) > 0) {
		touch(&entry);
		if (++records == 100)
			ck_assert_int_eq(ftruncate(fd, 5000), 0);
	}
	ck_assert(records >= 100 && records < LARGE_SAMPLES);
	ck_assert_int_eq(perf_file__end(file)->how, PERF_END_CUT);
	perf_file__close(file);
	close(fd);
	free(m.at);
}
END_TEST

/* ---- what is wrong --------------------------------------------------------------------------- */

/* Each `step`-th bit. */
static void flip_all(const struct maker *m, size_t step, unsigned long most)
{
	uint8_t *copy = memcpy(malloc(m->len), m->at, m->len);

	for (size_t bit = 0; bit < m->len * 8; bit += step) {
		copy[bit / 8] ^= (uint8_t)(1 << bit % 8);
		for (int seekable = 0; seekable < 2; seekable++)
			ck_assert_uint_le(read_bytes(copy, m->len, seekable).records, most);
		copy[bit / 8] ^= (uint8_t)(1 << bit % 8);
	}
	free(copy);
}

/* As many records as the bytes can hold at most, and no crash. */
START_TEST(test_flipped_bits)
{
	struct maker sections = { 0 }, packed = { 0 }, pipe = { .swapped = true };

	make_usual(&sections);
	flip_all(&sections, 1, sections.len / 8);
	make_compressed(&packed, TOOL_COMPRESSED);
	flip_all(&packed, amount__step(1, 7), 100000); /* most of the bytes only concern zstd */
	make_pipe_header(&pipe);
	make_pipe_attr(&pipe, &two[0], 100);
	make_samples(&pipe, 10);
	flip_all(&pipe, 1, pipe.len / 8);
	free(sections.at);
	free(packed.at);
	free(pipe.at);
}
END_TEST

static void check_damaged(void (*spoil)(struct maker *m), const char *why)
{
	struct maker m = { 0 };
	struct tally tally;
	size_t data, at;

	make_file(&m, two, 2);
	data = m.len;
	make_samples(&m, 2);
	at = m.len;
	spoil(&m);
	end_data(&m, data, 1);
	tally = read_made(&m);
	ck_assert_uint_eq(tally.types[PEAT_RECORD_SAMPLE], 2);
	check_end(&tally, PERF_END_DAMAGED, at, why);
	free(m.at);
}

static void size_of_0(struct maker *m)
{
	make_header(m, 9, 0, 0);
	make_zeroes(m, 24);
}

static void longer_than_data(struct maker *m)
{
	make_header(m, 9, 0, 40);
	make_zeroes(m, 24);
}

static void less_than_a_header(struct maker *m)
{
	make_bytes(m, "\11\0\0", 4);
}

static void no_type(struct maker *m)
{
	make_header(m, 0x12345678, 0, 16);
	make_zeroes(m, 8);
}

static void payload_beyond(struct maker *m)
{
	make_header(m, TOOL_AUXTRACE, 0, 48);
	make(m, UINT64_MAX - 40, 8);
	make_zeroes(m, 32);
}

static void short_auxtrace(struct maker *m)
{
	make_header(m, TOOL_AUXTRACE, 0, 8);
}

static void short_compressed(struct maker *m)
{
	make_header(m, TOOL_COMPRESSED2, 0, 16);
	make(m, 1, 8);
}

START_TEST(test_damaged_records_are_described)
{
	check_damaged(size_of_0, "shorter than its header");
	check_damaged(longer_than_data, "the data end inside");
	check_damaged(less_than_a_header, "the data end inside");
	check_damaged(no_type, "no record");
	check_damaged(payload_beyond, "larger than the data");
	check_damaged(short_auxtrace, "too short");
	check_damaged(short_compressed, "shorter than what is in it");
}
END_TEST

static void check_bad_header(size_t at, uint64_t value, const char *wanted)
{
	struct maker m = { 0 };

	make_usual(&m);
	make_over(&m, at, value, 8);
	check_refused(m.at, m.len, wanted);
	free(m.at);
}

START_TEST(test_bad_header)
{
	check_bad_header(8, 8, "no possible size");
	check_bad_header(AT_ATTR_SIZE, 8, "events are of no possible size");
	check_bad_header(AT_ATTR_SIZE, 1ULL << 40, "events are of no possible size");
	check_bad_header(AT_ATTRS + 8, UINT64_MAX, "more events");
	check_bad_header(AT_DATA, 16, "inside its header");
	check_bad_header(AT_DATA + 8, UINT64_MAX, "data are of no possible size");
}
END_TEST

SUITE(120)
{
	tcase_add_test(tests, test_no_perf_data);
	tcase_add_test(tests, test_ids_again_and_again);
	tcase_add_test(tests, test_crashed_recording_is_cut);
	tcase_add_test(tests, test_no_data);
	tcase_add_test(tests, test_trailing_text);
	tcase_add_test(tests, test_cut_anywhere);
	tcase_add_test(tests, test_pipe_cut_anywhere);
	tcase_add_test(tests, test_large_cut);
	tcase_add_test(tests, test_truncated_meanwhile);
	tcase_add_test(tests, test_flipped_bits);
	tcase_add_test(tests, test_damaged_records_are_described);
	tcase_add_test(tests, test_bad_header);
}
