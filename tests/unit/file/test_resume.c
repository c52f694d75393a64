// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_resume.c: files that have content before the first line. */
#include <errno.h>
#include <unistd.h>

#include "file/zstd_frames.h"
#include "file/resume.h"
#include "support/machine/scratch.h"
#include "unit/suite.h"

static struct strbuf before;

/* Prepares a file with these bytes.  Its size then is in `left`. */
static int resume(const void *bytes, size_t count, bool is_compressed, uint64_t *left)
{
	int fd, err;
	struct current_file file;

	unlink(scratch__path("a"));
	fd = scratch__file("a", "");
	ck_assert_int_eq(write(fd, bytes, count), count);
	close(fd);
	ck_assert_int_eq(current_file__open(&file, scratch__path("a"), 0600), 0);
	before.count = 0;
	err = resume__after(&file, is_compressed, &before);
	*left = file.bytes;
	ck_assert(current_file__is_whole(&file));
	current_file__close(&file);
	return err;
}

START_TEST(test_resumes_lines)
{
	uint64_t left;

	ck_assert_int_eq(resume("", 0, false, &left), 0);
	ck_assert_uint_eq(before.count, 0);
	ck_assert_int_eq(resume("{}\n", 3, false, &left), 0);
	ck_assert_uint_eq(before.count, 0);
	ck_assert_int_eq(resume("{}\n{\"ty", 7, false, &left), 0);
	ck_assert(before.count == 1 && *before.bytes == '\n');
	ck_assert_int_eq(resume("root:x:0:0", 10, false, &left), -EBADMSG);
	ck_assert_uint_eq(left, 10);
	strbuf__free(&before);
}
END_TEST

START_TEST(test_resumes_frames)
{
	struct zstd_frames *frames = zstd_frames__new(1);
	struct strbuf out = { 0 };
	uint64_t left;

	zstd_frames__begin(frames);
	ck_assert_int_eq(zstd_frames__add(frames, "{}\n", 3, &out), 0);
	ck_assert_int_eq(resume(out.bytes, out.count, true, &left), 0);
	ck_assert(before.count == FRAME_END_BYTES && left == out.count);
	ck_assert_int_eq(resume(out.bytes, out.count - 1, true, &left), 0);
	ck_assert(before.count == FRAME_END_BYTES && left < out.count - 1);
	strbuf__bytes(&out, FRAME_END, FRAME_END_BYTES);
	ck_assert_int_eq(resume(out.bytes, out.count, true, &left), 0);
	ck_assert_uint_eq(before.count, 0);
	strbuf__text(&out, "garbage");
	ck_assert_int_eq(resume(out.bytes, out.count, true, &left), -EUCLEAN);
	ck_assert_uint_eq(left, out.count);
	ck_assert_int_eq(resume("{}\n", 3, true, &left), -EBADMSG);
	ck_assert_int_eq(resume("plain text", 10, true, &left), -EBADMSG);
	ck_assert_int_eq(resume(out.bytes, out.count, false, &left), -EBADMSG);
	zstd_frames__free(frames);
	strbuf__free(&out);
	strbuf__free(&before);
}
END_TEST

SUITE(10)
{
	tcase_add_checked_fixture(tests, scratch__make, scratch__remove);
	tcase_add_test(tests, test_resumes_lines);
	tcase_add_test(tests, test_resumes_frames);
}
