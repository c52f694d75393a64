// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_blocks.c: blocks of a page, read again. */
#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>

#include "page/blocks.h"
#include "unit/page/page_reader.h"
#include "unit/suite.h"

/* The examples of RFC 4648. */
START_TEST(test_base64_of_rfc_4648)
{
	static const char *const pairs[][2] = { { "", "" },
						{ "f", "Zg==" },
						{ "fo", "Zm8=" },
						{ "foo", "Zm9v" },
						{ "foob", "Zm9vYg==" },
						{ "fooba", "Zm9vYmE=" },
						{ "foobar", "Zm9vYmFy" },
						{ "\xff\xfe\xfb", "//77" } };
	struct strbuf out = { 0 };

	for (size_t i = 0; i < sizeof(pairs) / sizeof(*pairs); i++) {
		strbuf__cut(&out, 0);
		page_blocks__base64(&out, pairs[i][0], strlen(pairs[i][0]));
		strbuf__char(&out, '\0');
		ck_assert_str_eq(out.bytes, pairs[i][1]);
	}
	strbuf__free(&out);
}
END_TEST

static void check_block(const char *page, unsigned int type, size_t count)
{
	struct page_block block = page_reader__block(page, "rows", type);

	ck_assert_ptr_nonnull(block.bytes);
	ck_assert_uint_eq(block.rows, 7);
	ck_assert_uint_eq(block.count, count);
	for (size_t i = 0; i < count; i++)
		ck_assert_uint_eq(block.bytes[i], (uint8_t)(i * i >> 3));
	free(block.bytes);
}

START_TEST(test_blocks_are_read_again)
{
	static const size_t sizes[] = { 0, 1, 2, 3, 100, 65536, 1 << 20 };
	int fd = memfd_create("page", MFD_CLOEXEC);
	struct strbuf bytes = { 0 };
	struct page_blocks blocks;
	char *page;

	ck_assert_int_eq(page_blocks__begin(&blocks, fd), 0);
	for (unsigned int i = 0; i < sizeof(sizes) / sizeof(*sizes); i++) {
		for (size_t j = 0; j < sizes[i]; j++)
			strbuf__char(&bytes, (char)(j * j >> 3));
		ck_assert_int_eq(page_blocks__write(&blocks, "rows", i, 7, &bytes), 0);
		ck_assert_uint_eq(bytes.count, 0);
	}
	page_blocks__end(&blocks);
	strbuf__free(&bytes);
	page = page_reader__text(fd);
	for (unsigned int i = 0; i < sizeof(sizes) / sizeof(*sizes); i++)
		check_block(page, i, sizes[i]);
	free(page);
	close(fd);
}
END_TEST

START_TEST(test_full_disk_fails)
{
	int fd = open("/dev/full", O_WRONLY | O_CLOEXEC);
	struct strbuf bytes = { 0 };
	struct page_blocks blocks;

	strbuf__text(&bytes, "text");
	ck_assert_int_eq(page_blocks__begin(&blocks, fd), 0);
	ck_assert_int_eq(page_blocks__write(&blocks, "rows", 0, 1, &bytes), -ENOSPC);
	bytes.failed = true;
	ck_assert_int_eq(page_blocks__write(&blocks, "rows", 0, 1, &bytes), -ENOMEM);
	page_blocks__end(&blocks);
	strbuf__free(&bytes);
	close(fd);
}
END_TEST

SUITE(20)
{
	tcase_add_test(tests, test_base64_of_rfc_4648);
	tcase_add_test(tests, test_blocks_are_read_again);
	tcase_add_test(tests, test_full_disk_fails);
}
