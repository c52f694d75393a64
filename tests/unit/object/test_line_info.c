// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_line_info.c: the source lines of instructions, and invalid sections. */
#include <linux/bpf.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "object/line_info.h"
#include "elf_image.h"
#include "support/machine/harness.h"
#include "support/machine/object.h"
#include "unit/suite.h"

EMBED_OBJECT(own_fetch)
EMBED_OBJECT(own_header)

#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define MAGIC (0xeb9f | 1 << 16)
#else
#define MAGIC 0xeb9f0100
#endif

enum { EXT_HEAD_WORDS = 8, BTF_HEAD_WORDS = 6 };

/* Offsets of the strings. */
enum { FIRST = 1, SECOND = 7, FILE_A = 14, FILE_B = 18 };
static const char strings[22] = "\0first\0second\0a.c\0b.h";

#define RECORD(offset, file, line) offset, file, 0, (line) << 10 | 7

static const uint32_t sound[] = { MAGIC,
				  EXT_HEAD_WORDS * 4,
				  0,
				  0,
				  0,
				  4 * (1 + 2 + 4 * 4 + 2 + 4),
				  0,
				  0, /* the header */
				  16,
				  FIRST,
				  4,
				  RECORD(0, FILE_A, 5),
				  RECORD(16, FILE_B, 80),
				  RECORD(24, FILE_A, 0),
				  RECORD(40, FILE_A, 6),
				  SECOND,
				  1,
				  RECORD(8, FILE_B, 9) };

/* Both in memory of their size, so that sanitizers detect reads beyond it. */
static struct line_info copy_sections(const uint32_t *ext, size_t ext_bytes, const void *btf,
				      size_t btf_bytes)
{
	void *ext_copy = malloc(ext_bytes ? ext_bytes : 1),
	     *btf_copy = malloc(btf_bytes ? btf_bytes : 1);

	ck_assert(ext_copy && btf_copy);
	memcpy(ext_copy, ext, ext_bytes);
	memcpy(btf_copy, btf, btf_bytes);
	return (struct line_info){ ext_copy, btf_copy, ext_bytes, btf_bytes };
}

static void free_sections(const struct line_info *info)
{
	free((void *)info->ext);
	free((void *)info->btf);
}

/* The section .BTF with the strings, without types. */
struct btf {
	uint32_t words[BTF_HEAD_WORDS];
	char strings[sizeof(strings)];
};

static struct btf make_btf(void)
{
	struct btf btf = { { MAGIC, BTF_HEAD_WORDS * 4, 0, 0, 0, sizeof(strings) }, "" };

	memcpy(btf.strings, strings, sizeof(strings));
	return btf;
}

static struct line_info make_sound(void)
{
	struct btf btf = make_btf();

	return copy_sections(sound, sizeof(sound), &btf,
			     BTF_HEAD_WORDS * sizeof(uint32_t) + sizeof(strings));
}

static void check_line(const struct line_info *info, const char *section, uint64_t offset,
		       const char *file, uint32_t line)
{
	struct source_line found = { 0 };

	ck_assert_msg(line_info__find(info, section, offset, &found), "%s+%u", section,
		      (unsigned)offset);
	ck_assert_str_eq(found.file, file);
	ck_assert_uint_eq(found.line, line);
}

static bool has_line(const struct line_info *info, const char *section, uint64_t offset)
{
	struct source_line found;

	return line_info__find(info, section, offset, &found);
}

START_TEST(test_finds_lines)
{
	struct line_info info = make_sound();

	check_line(&info, "first", 0, "a.c", 5);
	check_line(&info, "first", 8, "a.c", 5);
	check_line(&info, "first", 16, "b.h", 80);
	check_line(&info, "first", 40, "a.c", 6);
	check_line(&info, "first", UINT64_MAX, "a.c", 6);
	check_line(&info, "second", 8, "b.h", 9);
	free_sections(&info);
}
END_TEST

/* Line 0: the compiler merged several lines. */
START_TEST(test_line_before_merged_ones)
{
	struct line_info info = make_sound();

	check_line(&info, "first", 24, "b.h", 80);
	check_line(&info, "first", 32, "b.h", 80);
	free_sections(&info);
}
END_TEST

START_TEST(test_unknown_lines)
{
	struct line_info info = make_sound(), none = { 0 };

	ck_assert(!has_line(&info, "second", 0)); /* before the first line */
	ck_assert(!has_line(&info, "third", 8));
	ck_assert(!has_line(&info, "", 8));
	ck_assert(!has_line(&none, "first", 0));
	free_sections(&info);
	info = copy_sections(sound, EXT_HEAD_WORDS * 4, "", 0);
	ck_assert(!has_line(&info, "first", 0));
	free_sections(&info);
}
END_TEST

/* Each operation that is not of peat.bpf.h is in the line that the object names. */
static void check_own_line(const struct object_file *file, int32_t operation, const char *name)
{
	unsigned char *image = malloc(*file->count);
	struct source_line line = { 0 };
	const Elf64_Shdr *ext, *btf, *code;
	const struct bpf_insn *insns;
	uint32_t found = 0;

	ck_assert_ptr_nonnull(image);
	memcpy(image, file->bytes, *file->count);
	ext = elf_image__section(image, ".BTF.ext");
	btf = elf_image__section(image, ".BTF");
	code = elf_image__section(image, "raw_tp/own");
	insns = elf_image__data(image, code);
	for (size_t i = 0; i < code->sh_size / sizeof(*insns); i++) {
		struct line_info info = { elf_image__data(image, ext), elf_image__data(image, btf),
					  ext->sh_size, btf->sh_size };

		if ((insns[i].code & 0xe7) != (BPF_STX | 0xc0) || insns[i].imm != operation)
			continue;
		ck_assert(line_info__find(&info, "raw_tp/own", i * sizeof(*insns), &line));
		if (strcmp(strrchr(line.file, '/') + 1, name) != 0)
			continue;
		ck_assert_uint_eq(line.line,
				  *(const uint32_t *)elf_image__variable(image, "own_line"));
		found++;
	}
	ck_assert_uint_eq(found, 1);
	free(image);
}

START_TEST(test_compiled_lines)
{
	check_own_line(&own_fetch_object, 0x01, "own_fetch.bpf.c");
	check_own_line(&own_header_object, 0xe1, "my_peat.bpf.h");
}
END_TEST

/* ---- damaged sections ------------------------------------------------------------------------ */

/* Any result, without a read outside of the sections. */
static void find_all(const struct line_info *info)
{
	for (uint64_t offset = 0; offset < 56; offset += 8) {
		struct source_line line = { 0 };
		bool is_found =
			line_info__find(info, offset % 16 ? "second" : "first", offset, &line);
		const char *btf = info->btf;

		if (is_found)
			ck_assert(line.file > btf &&
				  line.file + strlen(line.file) < btf + info->btf_bytes);
	}
}

START_TEST(test_truncated_sections_have_no_lines)
{
	struct line_info whole = make_sound();

	for (size_t bytes = 0; bytes < sizeof(sound); bytes++) {
		struct line_info info = copy_sections(whole.ext, bytes, whole.btf, whole.btf_bytes);

		ck_assert(!has_line(&info, "first", 0));
		free_sections(&info);
	}
	for (size_t bytes = 0; bytes < whole.btf_bytes; bytes++) {
		struct line_info info = copy_sections(whole.ext, whole.ext_bytes, whole.btf, bytes);

		ck_assert(!has_line(&info, "first", 0));
		free_sections(&info);
	}
	free_sections(&whole);
}
END_TEST

static void damage_each_byte(struct line_info *info, unsigned char *bytes, size_t count)
{
	static const unsigned char changes[] = { 0x01, 0x04, 0x80, 0xff };

	for (size_t i = 0; i < count; i++)
		for (size_t n = 0; n < sizeof(changes); n++) {
			bytes[i] ^= changes[n];
			find_all(info);
			bytes[i] ^= changes[n];
		}
}

START_TEST(test_damaged_bytes_do_no_harm)
{
	struct line_info info = make_sound();

	damage_each_byte(&info, (unsigned char *)info.ext, info.ext_bytes);
	damage_each_byte(&info, (unsigned char *)info.btf, info.btf_bytes);
	check_line(&info, "first", 0, "a.c", 5);
	free_sections(&info);
}
END_TEST

static void check_refused(uint32_t word, uint32_t value)
{
	struct line_info info = make_sound();

	memcpy((uint32_t *)info.ext + word, &value, sizeof(value));
	ck_assert_msg(!has_line(&info, "first", 0), "word %u: %u", word, value);
	free_sections(&info);
}

START_TEST(test_wrong_records_are_refused)
{
	check_refused(EXT_HEAD_WORDS, 12); /* bytes of a record */
	check_refused(EXT_HEAD_WORDS, 0);
	check_refused(EXT_HEAD_WORDS + 1, UINT32_MAX);	    /* the section's name */
	check_refused(EXT_HEAD_WORDS + 2, 0);		    /* records */
	check_refused(EXT_HEAD_WORDS + 4, sizeof(strings)); /* the file's name */
}
END_TEST

/* The last string does not end. */
START_TEST(test_endless_string)
{
	struct btf btf = make_btf();
	struct line_info info;

	btf.strings[sizeof(strings) - 1] = 'x';
	info = copy_sections(sound, sizeof(sound), &btf,
			     BTF_HEAD_WORDS * sizeof(uint32_t) + sizeof(strings));
	check_line(&info, "first", 0, "a.c", 5);
	ck_assert(!has_line(&info, "first", 16));
	free_sections(&info);
}
END_TEST

SUITE(10)
{
	tcase_add_test(tests, test_finds_lines);
	tcase_add_test(tests, test_line_before_merged_ones);
	tcase_add_test(tests, test_unknown_lines);
	tcase_add_test(tests, test_compiled_lines);
	tcase_add_test(tests, test_truncated_sections_have_no_lines);
	tcase_add_test(tests, test_damaged_bytes_do_no_harm);
	tcase_add_test(tests, test_wrong_records_are_refused);
	tcase_add_test(tests, test_endless_string);
}
