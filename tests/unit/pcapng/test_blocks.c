// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_blocks.c: blocks of pcapng, byte by byte: the same on every machine. */
#include <stdlib.h>
#include <string.h>

#include "pcapng/blocks.h"
#include "support/recording/pcapng_read.h"
#include "unit/fail_alloc.h"
#include "unit/suite.h"

static struct strbuf out;

static void begin(void)
{
	strbuf__free(&out);
	blocks__begin(&out);
}

static void check(const char *wanted, size_t count)
{
	ck_assert(!out.failed);
	ck_assert_uint_eq(out.count, count);
	ck_assert_mem_eq(out.bytes, wanted, count);
	strbuf__free(&out);
}

#define CHECK(wanted) check(wanted, sizeof(wanted) - 1)

START_TEST(test_section_block_bytes)
{
	begin();
	blocks__section(&out,
			&(struct block_section){ .hardware = "s390x", .application = "peat" });
	CHECK("\x0a\x0d\x0d\x0a"
	      "\x34\0\0\0"
	      "\x4d\x3c\x2b\x1a"
	      "\1\0\0\0"
	      "\xff\xff\xff\xff\xff\xff\xff\xff"
	      "\2\0\5\0s390x\0\0\0"
	      "\4\0\4\0peat"
	      "\0\0\0\0"
	      "\x34\0\0\0");
}
END_TEST

START_TEST(test_interface_block_bytes)
{
	begin();
	blocks__interface(
		&out, &(struct block_interface){ .name = "lo", .link = LINK_RAW_IP, .snap = 2048 });
	CHECK("\1\0\0\0"
	      "\x28\0\0\0"
	      "\x65\0\0\0"
	      "\0\x08\0\0"
	      "\2\0\2\0lo\0\0"
	      "\x09\0\1\0\x09\0\0\0"
	      "\0\0\0\0"
	      "\x28\0\0\0");
}
END_TEST

START_TEST(test_packet_block_bytes)
{
	const struct block_packet packet = {
		.interface = 2,
		.time_ns = 0x0123456789abcdef,
		.data = "packet",
		.captured = 5,
		.bytes = 6,
		.direction = BLOCK_OUTBOUND,
		.comments = { "", "pid 7" },
	};

	begin();
	blocks__packet(&out, &packet);
	CHECK("\6\0\0\0"
	      "\x40\0\0\0"
	      "\2\0\0\0"
	      "\x67\x45\x23\x01\xef\xcd\xab\x89"
	      "\5\0\0\0\6\0\0\0"
	      "packe\0\0\0"
	      "\1\0\5\0pid 7\0\0\0"
	      "\2\0\4\0\2\0\0\0"
	      "\0\0\0\0"
	      "\x40\0\0\0");
}
END_TEST

START_TEST(test_empty_packet)
{
	begin();
	blocks__packet(&out, &(struct block_packet){ .bytes = 100 });
	CHECK("\6\0\0\0"
	      "\x24\0\0\0"
	      "\0\0\0\0"
	      "\0\0\0\0\0\0\0\0"
	      "\0\0\0\0\x64\0\0\0"
	      "\0\0\0\0"
	      "\x24\0\0\0");
}
END_TEST

START_TEST(test_statistics_block_bytes)
{
	const struct block_statistics statistics = {
		.interface = 1, .time_ns = 1, .received = 3, .dropped = 2, .is_exact = true
	};

	begin();
	blocks__statistics(&out, &statistics);
	CHECK("\5\0\0\0"
	      "\x34\0\0\0"
	      "\1\0\0\0"
	      "\0\0\0\0\1\0\0\0"
	      "\4\0\x08\0\3\0\0\0\0\0\0\0"
	      "\5\0\x08\0\2\0\0\0\0\0\0\0"
	      "\0\0\0\0"
	      "\x34\0\0\0");
}
END_TEST

/* A length has 16 bits. */
START_TEST(test_long_text)
{
	char *name = malloc(70001);
	struct pcapng_block block;
	size_t at = 0, bytes;

	memset(name, 'n', 70000);
	name[70000] = '\0';
	begin();
	blocks__interface(&out, &(struct block_interface){ .name = name });
	ck_assert(pcapng_read((uint8_t *)out.bytes, out.count, &at, &block));
	ck_assert_ptr_nonnull(pcapng_option(&block, 2, 0, &bytes));
	ck_assert_uint_eq(bytes, 65535);
	strbuf__free(&out);
	free(name);
}
END_TEST

START_TEST(test_no_memory)
{
	begin();
	fail_alloc__begin(1);
	blocks__packet(&out, &(struct block_packet){ .data = "x", .captured = 1, .bytes = 1 });
	if (fail_alloc__end())
		ck_assert(out.failed);
	strbuf__free(&out);
}
END_TEST

SUITE(10)
{
	tcase_add_test(tests, test_section_block_bytes);
	tcase_add_test(tests, test_interface_block_bytes);
	tcase_add_test(tests, test_packet_block_bytes);
	tcase_add_test(tests, test_empty_packet);
	tcase_add_test(tests, test_statistics_block_bytes);
	tcase_add_test(tests, test_long_text);
	tcase_add_test(tests, test_no_memory);
}
