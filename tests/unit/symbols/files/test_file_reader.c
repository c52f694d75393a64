// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_file_reader.c: files read here and by a namer: the results are the same. */
#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "unit/symbols/separated.h"
#include "support/machine/process.h"
#include "symbols/debug/debug_file.h"
#include "symbols/files/file_reader.h"
#include "symbols/namer/namer.h"
#include "unit/suite.h"

static struct separated separated;
static const char *dirs[] = { separated.debug_dir, NULL };
static struct file_reader here = { .places = { .dirs = dirs } };
static struct file_reader namer = { .places = { .dirs = dirs } };

static void setup(void)
{
	separated__make(&separated);
	namer.namer = namer__new("/proc/self/exe");
	ck_assert_ptr_nonnull(namer.namer);
}

static void teardown(void)
{
	namer__free(namer.namer);
	separated__remove(&separated);
}

static struct opened_file open_file(const char *path)
{
	struct opened_file file = { .fd = open(path, O_RDONLY | O_CLOEXEC), .path = path };

	ck_assert_int_ge(file.fd, 0);
	ck_assert_int_eq(fstat(file.fd, &file.status), 0);
	return file;
}

static void check_symbols(const struct file_symbols *a, const struct file_symbols *b)
{
	ck_assert_uint_eq(a->is_stripped, b->is_stripped);
	ck_assert_uint_eq(a->loads_count, b->loads_count);
	ck_assert_uint_eq(a->symbols.count, b->symbols.count);
	for (uint32_t i = 0; i < a->symbols.count; i++) {
		ck_assert_uint_eq(a->symbols.list[i].begin, b->symbols.list[i].begin);
		ck_assert_uint_eq(a->symbols.list[i].end, b->symbols.list[i].end);
		ck_assert_str_eq(a->symbols.list[i].raw_name, b->symbols.list[i].raw_name);
	}
}

/* Reads a file in both ways.  Returns the number of its symbols. */
static uint32_t read_symbols(const char *path)
{
	struct opened_file file = open_file(path);
	unsigned fds = process__count_fds();
	struct file_symbols one, other;
	uint32_t count;

	ck_assert_int_eq(file_reader__symbols(&here, &file, &one), 0);
	ck_assert_uint_eq(process__count_fds(), fds);
	ck_assert_int_eq(file_reader__symbols(&namer, &file, &other), 0);
	check_symbols(&one, &other);
	count = one.symbols.count;
	file_symbols__free(&one);
	file_symbols__free(&other);
	close(file.fd);
	return count;
}

START_TEST(test_reads_symbols)
{
	ck_assert_uint_gt(read_symbols("/proc/self/exe"), 1000);
	ck_assert_uint_gt(read_symbols("/bin/bash"), 100);
}
END_TEST

/* By the namer, with the build-id.  Returns the number of symbols. */
static uint32_t read_identified(const char *path)
{
	struct opened_file file = open_file(path);
	struct file_symbols read;
	uint32_t count;

	ck_assert_int_eq(file_reader__build_id(&namer, &file), 0);
	ck_assert_int_eq(file_reader__symbols(&namer, &file, &read), 0);
	close(file.fd);
	count = read.symbols.count;
	file_symbols__free(&read);
	return count;
}

/* The symbols of a separate debug file: by its name, by the build-id, and none of another build. */
START_TEST(test_debug_file)
{
	uint32_t all = read_symbols(separated.program);

	ck_assert_uint_gt(all, 1000);
	ck_assert_int_eq(rename(separated.debug, separated.by_id), 0);
	ck_assert_uint_eq(read_symbols(separated.program), all);
	separated__run(ARGV("cp", "/bin/true", separated.by_id));
	ck_assert_uint_lt(read_symbols(separated.program), all / 2);
}
END_TEST

/* Files of a known build-id are sent with their likely debug files, Debian's name among them. */
START_TEST(test_likely_debug_file)
{
	struct opened_file file = open_file(separated.program);
	char debian[SEPARATED_PATH], link[SEPARATED_PATH + 32], id[BUILD_ID_TEXT];
	uint32_t all = read_symbols(separated.program);

	ck_assert_int_eq(file_reader__build_id(&here, &file), 0);
	close(file.fd);
	build_id__text(&file.build_id, id);
	snprintf(debian, sizeof(debian), "%s/%s.debug", separated.dir, id + 2);
	snprintf(link, sizeof(link), "--add-gnu-debuglink=%s", debian);
	ck_assert_int_eq(rename(separated.debug, debian), 0);
	separated__run(ARGV("objcopy", "--remove-section=.gnu_debuglink", separated.program));
	separated__run(ARGV("objcopy", link, separated.program));
	ck_assert_uint_eq(read_identified(separated.program), all);
	ck_assert_int_eq(rename(debian, separated.by_id), 0);
	ck_assert_uint_eq(read_identified(separated.program), all);
	unlink(separated.by_id);
	ck_assert_uint_lt(read_identified(separated.program), all / 2);
}
END_TEST

static void check_sections(const struct cfi_section *a, const struct cfi_section *b)
{
	ck_assert_uint_eq(a->count, b->count);
	ck_assert_uint_eq(a->index_count, b->index_count);
	ck_assert(!a->count || !memcmp(a->bytes, b->bytes, a->count));
}

typedef int (*read_fn)(const struct file_reader *reader, const struct opened_file *file,
		       struct call_frames *frames);

/* 0, or the error of both ways. */
static int read_frames(read_fn read, const char *path)
{
	struct opened_file file = open_file(path);
	struct call_frames one, other;
	int err = read(&here, &file, &one);

	ck_assert_int_eq(read(&namer, &file, &other), err);
	close(file.fd);
	if (err)
		return err;
	ck_assert_uint_eq(one.machine, other.machine);
	check_sections(&one.eh_frame, &other.eh_frame);
	check_sections(&one.debug_frame, &other.debug_frame);
	call_frames__free(&one);
	call_frames__free(&other);
	return 0;
}

/* Many bytes stay in the memory file of the namer: a copy would need the memory twice. */
START_TEST(test_large_frames)
{
	struct opened_file file = open_file("/proc/self/exe");
	const struct mallinfo2 before = mallinfo2();
	struct call_frames frames;
	struct mallinfo2 after;

	ck_assert_int_eq(file_reader__frames(&namer, &file, &frames), 0);
	after = mallinfo2();
	ck_assert_uint_gt(frames.eh_frame.count, 256 << 10);
	ck_assert_uint_ge(call_frames__bytes(&frames), frames.eh_frame.count);
	ck_assert_uint_lt(after.uordblks + after.hblkhd, before.uordblks + before.hblkhd + 10000);
	call_frames__free(&frames);
	close(file.fd);
}
END_TEST

START_TEST(test_reads_frames)
{
	ck_assert_int_eq(read_frames(file_reader__frames, "/proc/self/exe"), 0);
	ck_assert_int_eq(read_frames(file_reader__frames, "/etc/passwd"), -ENOEXEC);
	ck_assert_int_eq(read_frames(file_reader__debug_frame, separated.program), 0);
	unlink(separated.debug);
	ck_assert_int_eq(read_frames(file_reader__debug_frame, separated.program), -ENOENT);
}
END_TEST

START_TEST(test_build_id)
{
	struct opened_file one = open_file("/proc/self/exe"), other = one;
	struct opened_file text = open_file("/etc/passwd");

	ck_assert_int_eq(file_reader__build_id(&here, &one), 0);
	ck_assert_int_eq(file_reader__build_id(&namer, &other), 0);
	ck_assert(build_id__equal(&one.build_id, &other.build_id));
	close(one.fd);
	ck_assert_int_eq(file_reader__build_id(&here, &one), 0); /* not read again */
	ck_assert_int_eq(file_reader__build_id(&here, &text), -ENOEXEC);
	ck_assert_int_eq(file_reader__build_id(&namer, &text), -ENOEXEC);
	close(text.fd);
}
END_TEST

SUITE(60)
{
	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_add_test(tests, test_reads_symbols);
	tcase_add_test(tests, test_debug_file);
	tcase_add_test(tests, test_likely_debug_file);
	tcase_add_test(tests, test_reads_frames);
	tcase_add_test(tests, test_large_frames);
	tcase_add_test(tests, test_build_id);
}
