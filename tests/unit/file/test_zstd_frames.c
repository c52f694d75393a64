// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_zstd_frames.c: frames of zstd, and the end of a file that was cut in one. */
#include <errno.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>
#include <zstd.h>

#include "file/zstd_frames.h"
#include "unit/suite.h"

static int fd;
static uint64_t end;
static bool is_open;

static int find(const void *bytes, size_t count)
{
	int err;

	fd = memfd_create("frames", 0);
	ck_assert_int_eq(write(fd, bytes, count), count);
	err = zstd_frames__find_end(fd, &end, &is_open);
	close(fd);
	return err;
}

/* Two frames, the second one of two blocks, not ended.  `ends`: of each block. */
static void make_frames(struct strbuf *out, size_t ends[3])
{
	struct zstd_frames *frames = zstd_frames__new(3);

	ck_assert_ptr_nonnull(frames);
	zstd_frames__begin(frames);
	ck_assert_int_eq(zstd_frames__add(frames, "first\n", 6, out), 0);
	strbuf__bytes(out, FRAME_END, FRAME_END_BYTES);
	ends[0] = out->count;
	zstd_frames__begin(frames);
	ck_assert_int_eq(zstd_frames__add(frames, "second\n", 7, out), 0);
	ends[1] = out->count;
	ck_assert_int_eq(zstd_frames__add(frames, "third\n", 6, out), 0);
	ends[2] = out->count;
	zstd_frames__free(frames);
}

/* Cuts the file at every byte: what is left, and ended if it has to be, can be decompressed. */
START_TEST(test_cut_everywhere)
{
	static const char *const texts[] = { "first\n", "first\nsecond\n",
					     "first\nsecond\nthird\n" };
	struct strbuf out = { 0 };
	size_t ends[3];

	make_frames(&out, ends);
	for (size_t cut = ends[0]; cut <= ends[2]; cut++) {
		struct strbuf whole = { 0 };
		const char *text = texts[(cut >= ends[1]) + (cut >= ends[2])];
		char plain[64];
		size_t got;

		ck_assert_int_eq(find(out.bytes, cut), 0);
		ck_assert_uint_le(end, cut);
		strbuf__bytes(&whole, out.bytes, end);
		if (is_open)
			strbuf__bytes(&whole, FRAME_END, FRAME_END_BYTES);
		ck_assert_int_eq(find(whole.bytes, whole.count), 0);
		ck_assert(!is_open && end == whole.count);
		got = ZSTD_decompress(plain, sizeof(plain), whole.bytes, whole.count);
		ck_assert_msg(!ZSTD_isError(got), "cut at %zu: %s", cut, ZSTD_getErrorName(got));
		ck_assert_uint_eq(got, strlen(text));
		ck_assert_int_eq(memcmp(plain, text, got), 0);
		strbuf__free(&whole);
	}
	strbuf__free(&out);
}
END_TEST

START_TEST(test_large_blocks)
{
	struct strbuf out = { 0 };
	struct zstd_frames *frames = zstd_frames__new(1);
	size_t count = 1 << 20;
	uint32_t *noise = malloc(count * 2), random = 1;

	for (size_t i = 0; i < count / sizeof(*noise); i++)
		noise[i] = random = random * 1664525 + 1013904223;
	memset(noise + count / sizeof(*noise), 0, count); /* blocks of one byte, repeated */
	zstd_frames__begin(frames);
	ck_assert_int_eq(zstd_frames__add(frames, noise, count * 2, &out), 0);
	ck_assert_int_eq(find(out.bytes, out.count), 0);
	ck_assert(is_open && end == out.count);
	ck_assert_int_eq(find(out.bytes, 500000), 0);
	ck_assert(is_open && end < 500000 && end > 300000);
	zstd_frames__free(frames);
	strbuf__free(&out);
	free(noise);
}
END_TEST

START_TEST(test_other_files)
{
	char foreign[256];
	size_t bytes = ZSTD_compress(foreign, sizeof(foreign), "some text", 9, 3);

	ck_assert_int_eq(find("{\"type\":1}", 10), -EBADMSG);
	ck_assert_uint_eq(end, 0);
	ck_assert_int_eq(find("abc", 3), 0);
	ck_assert_uint_eq(end, 0);
	ck_assert_int_eq(find(foreign, bytes), 0);
	ck_assert(!is_open && end == bytes);
	ck_assert_int_eq(find(foreign, bytes - 1), -EBADMSG); /* has the size of its content */
	memcpy(foreign + bytes, "garbage", 7);
	ck_assert_int_eq(find(foreign, bytes + 7), -EBADMSG);
	ck_assert_uint_eq(end, bytes);
	memcpy(foreign, "\x51\x2a\x4d\x18\x02\0\0\0ab", 10); /* to be skipped */
	ck_assert_int_eq(find(foreign, 10), 0);
	ck_assert(!is_open && end == 10);
}
END_TEST

SUITE(10)
{
	tcase_add_test(tests, test_cut_everywhere);
	tcase_add_test(tests, test_large_blocks);
	tcase_add_test(tests, test_other_files);
}
