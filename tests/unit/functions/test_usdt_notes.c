// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_usdt_notes.c: notes of statically defined tracepoints, of any class and byte order. */
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>

#include "functions/usdt_notes.h"

#include "support/machine/process.h"
#include "support/machine/usdt_probe.h"
#include "support/symbols/made_elf.h"
#include "unit/fail_alloc.h"
#include "unit/suite.h"

/* ---- probes of this program ------------------------------------------------------------------ */

__attribute__((noinline, used)) void test_usdt_notes_own(void)
{
	USDT_PROBE("no_arguments", "");
	USDT_PROBE("two_arguments", "8@%%rbx -4@%%eax");
}

/* ---- made notes ------------------------------------------------------------------------------ */

struct notes {
	uint8_t *at;
	size_t count, room; /* room: 0: the memory ends where the notes end */
	bool is_64, swapped;
};

static struct notes notes;

static void setup(void)
{
	notes = (struct notes){ .is_64 = true };
}

static void teardown(void)
{
	free(notes.at);
}

static void add_bytes(const void *bytes, size_t count)
{
	if (!notes.room)
		notes.at = realloc(notes.at, notes.count + count);
	ck_assert_ptr_nonnull(notes.at);
	ck_assert(!notes.room || notes.count + count <= notes.room);
	memcpy(notes.at + notes.count, bytes, count);
	notes.count += count;
}

static void add_u32(uint32_t number)
{
	number = notes.swapped ? __builtin_bswap32(number) : number;
	add_bytes(&number, sizeof(number));
}

static void add_word(uint64_t number)
{
	if (!notes.is_64) {
		add_u32((uint32_t)number);
		return;
	}
	number = notes.swapped ? __builtin_bswap64(number) : number;
	add_bytes(&number, sizeof(number));
}

static void add_padding(void)
{
	while (notes.count % 4)
		add_bytes("", 1);
}

/* `texts`: "provider\0name\0arguments", whose last NUL is the literal's. */
static void add_note_of(const char *owner, uint32_t type, uint64_t place, const char *texts,
			size_t texts_bytes)
{
	add_u32((uint32_t)strlen(owner) + 1);
	add_u32((uint32_t)((notes.is_64 ? 24 : 12) + texts_bytes));
	add_u32(type);
	add_bytes(owner, strlen(owner) + 1);
	add_padding();
	add_word(place);
	add_word(0x1000);
	add_word(0x2000);
	add_bytes(texts, texts_bytes);
	add_padding();
}

#define NOTE(place, texts) add_note_of("stapsdt", 3, place, texts, sizeof(texts))

static int select_notes(struct found_functions *found, const char *provider, const char *name)
{
	*found = (struct found_functions){ 0 };
	return usdt_notes__select(found, provider, name, notes.at, notes.count, notes.is_64,
				  notes.swapped);
}

static void check(const struct found_functions *found, size_t i, const char *name, uint64_t place,
		  const char *arguments)
{
	ck_assert_uint_lt(i, found->count);
	ck_assert_str_eq(found->at[i].module, "app");
	ck_assert_str_eq(found->at[i].name, name);
	ck_assert_uint_eq(found->at[i].place, place);
	ck_assert_pstr_eq(found->at[i].arguments, arguments);
}

/* Two probes of "app", among other notes. */
static void check_two(void)
{
	struct found_functions found;

	add_note_of("GNU", 3, 1, "app\0other", 10);
	NOTE(0x1234, "app\0start\0"
		     "8@%rbx -4@%eax");
	add_note_of("stapsdt", 4, 1, "app\0other", 10);
	NOTE(0x89abcdef, "app\0end\0");
	NOTE(0x3000, "lib\0start\0");
	ck_assert_int_eq(select_notes(&found, "app", "*"), 0);
	ck_assert_uint_eq(found.count, 2);
	check(&found, 0, "end", 0x89abcdef, NULL);
	check(&found, 1, "start", 0x1234, "8@%rbx -4@%eax");
	found_functions__free(&found);
}

START_TEST(test_selects_probes)
{
	struct found_functions found;

	check_two();
	ck_assert_int_eq(select_notes(&found, "*", "st?rt"), 0);
	ck_assert_uint_eq(found.count, 2);
	ck_assert_str_eq(found.at[0].module, "app");
	ck_assert_str_eq(found.at[1].module, "lib");
	found_functions__free(&found);
}
END_TEST

START_TEST(test_notes_of_either_class_and_order)
{
	for (unsigned kind = 0; kind < 4; kind++) {
		teardown();
		notes = (struct notes){ .is_64 = kind & 1, .swapped = kind & 2 };
		check_two();
	}
	teardown();
	setup();
}
END_TEST

START_TEST(test_several_places_are_one_probe)
{
	struct found_functions found;

	NOTE(0x3000, "app\0start\0"
		     "8@%rbx");
	NOTE(0x1000, "app\0start\0"
		     "8@%rax");
	NOTE(0x2000, "app\0start\0"
		     "8@%rcx");
	NOTE(0x1000, "app\0stop");
	ck_assert_int_eq(select_notes(&found, "app", "sta*"), 0);
	ck_assert_uint_eq(found.count, 1);
	check(&found, 0, "start", 0x1000, "8@%rax");
	found_functions__free(&found);
}
END_TEST

START_TEST(test_suggests_probes)
{
	struct found_functions found;

	NOTE(0x1000, "app\0start\0");
	ck_assert_int_eq(select_notes(&found, "app", "satrt"), -ENOENT);
	ck_assert_str_eq(found.alike.best, "app:start");
	ck_assert_ptr_null(found.alike.wanted);
	ck_assert_uint_eq(found.count, 0);
	found_functions__free(&found);
}
END_TEST

/* Notes before an invalid one are used. */
static void check_rest(const void *rest, size_t bytes)
{
	struct found_functions found;

	teardown();
	setup();
	NOTE(0x1000, "app\0start\0");
	add_bytes(rest, bytes);
	ck_assert_int_eq(select_notes(&found, "app", "*"), 0);
	ck_assert_uint_eq(found.count, 1);
	check(&found, 0, "start", 0x1000, NULL);
	found_functions__free(&found);
}

START_TEST(test_hostile_notes)
{
	static const uint32_t huge_owner[] = { UINT32_MAX, 4, 3, 0 };
	static const uint32_t huge_bytes[] = { 8, UINT32_MAX, 3, 0x70617473, 0x00746473 };
	static const uint32_t no_text[] = { 8, 12, 3, 0x70617473, 0x00746473, 1, 2, 3 };
	static const uint32_t only_owner[] = { 8, 0, 3, 0x70617473, 0x00746473 };
	struct found_functions found;

	check_rest("\1", 1);
	check_rest(huge_owner, sizeof(huge_owner));
	check_rest(huge_bytes, sizeof(huge_bytes));
	check_rest(no_text, sizeof(no_text));
	check_rest(only_owner, sizeof(only_owner));
	for (size_t bytes = 0; bytes < notes.count; bytes++) {
		found = (struct found_functions){ 0 };
		ck_assert(usdt_notes__select(&found, "none", "*", notes.at, bytes, true, false) ==
			  -ENOENT);
		found_functions__free(&found);
	}
}
END_TEST

/* The texts end with the description, and not in the note after it. */
START_TEST(test_texts_without_end)
{
	struct found_functions found;

	add_note_of("stapsdt", 3, 0x1000, "app\0cut!", 8);
	add_note_of("stapsdt", 3, 0x1000, "app!", 4);
	NOTE(0x2000, "app\0whole");
	add_note_of("stapsdt", 3, 0x3000,
		    "app\0zero\0"
		    "8@%rax!!",
		    17);
	ck_assert_int_eq(select_notes(&found, "*", "*"), 0);
	ck_assert_uint_eq(found.count, 2);
	check(&found, 0, "whole", 0x2000, NULL);
	check(&found, 1, "zero", 0x3000, NULL);
	found_functions__free(&found);
}
END_TEST

START_TEST(test_many_notes)
{
	struct found_functions found;

	notes.room = 4 << 20;
	notes.at = malloc(notes.room);
	for (uint32_t i = 0; i < 20000; i++) {
		char texts[] = "app\0probe_0000";

		for (uint32_t digit = 0, rest = i / 2; digit < 4; digit++, rest /= 10)
			texts[sizeof(texts) - 2 - digit] = (char)('0' + rest % 10);
		add_note_of("stapsdt", 3, 0x1000 + i, texts, sizeof(texts));
	}
	ck_assert_int_eq(select_notes(&found, "app", "*"), 0);
	ck_assert_uint_eq(found.count, 10000);
	check(&found, 9999, "probe_9999", 0x1000 + 19998, NULL);
	found_functions__free(&found);
}
END_TEST

/* ---- arguments ------------------------------------------------------------------------------- */

START_TEST(test_counts_arguments)
{
	static const struct {
		const char *text;
		uint32_t count;
	} cases[] = {
		{ NULL, 0 },
		{ "", 0 },
		{ "8@%rbx 8@%r15", 2 },
		{ "-4@112(%rsp)", 1 },
		{ "8@%r14 8@%rax -4@%ebp", 3 },
		{ "8@[sp, 16] -4@[x0, -8] 4@5", 3 }, /* arm64 */
		{ "8@160(%r15) 8f@%f0", 2 },	     /* s390x, and a float */
		{ "-8@$-1 4@$0 1@8+name(%rip)", 3 },
		{ "8@%rbx  8@%r15 ", 2 },
		{ "@ -@ f@ %rbx x8@%rbx", 0 },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		ck_assert_msg(usdt_notes__count_arguments(cases[i].text) == cases[i].count, "%s",
			      cases[i].text);
}
END_TEST

/* ---- files ----------------------------------------------------------------------------------- */

START_TEST(test_probes_of_this_program)
{
	struct found_functions found = { 0 };

	ck_assert_int_eq(usdt_notes__find(&found, "/proc/self/exe", "peat_tests", "*"), 0);
	ck_assert_uint_eq(found.count, 2);
	ck_assert_str_eq(found.at[0].name, "no_arguments");
	ck_assert_ptr_null(found.at[0].arguments);
	ck_assert_str_eq(found.at[1].name, "two_arguments");
	ck_assert_str_eq(found.at[1].arguments, "8@%rbx -4@%eax");
	ck_assert_uint_gt(found.at[1].place, found.at[0].place);
	found_functions__free(&found);
	ck_assert_int_eq(usdt_notes__find(&found, "/proc/self/exe", "peat_test", "*"), -ENOENT);
	found_functions__free(&found);
}
END_TEST

static int find_in_made(int class)
{
	struct found_functions found = { 0 };
	struct made_elf made = made_elf__own();
	char path[32];

	made.class = class;
	snprintf(path, sizeof(path), "/proc/self/fd/%d", made_elf__fd(&made));
	return usdt_notes__find(&found, path, "*", "*");
}

START_TEST(test_errors_of_files)
{
	struct found_functions found = { 0 };

	ck_assert_int_eq(find_in_made(ELFCLASS64), -ENODATA);
	ck_assert_int_eq(find_in_made(ELFCLASS32), -EOPNOTSUPP);
	ck_assert_int_eq(usdt_notes__find(&found, "/no/such", "*", "*"), -ENOENT);
	ck_assert_int_eq(usdt_notes__find(&found, "/", "*", "*"), -ENOEXEC);
	ck_assert_int_eq(usdt_notes__find(&found, "/etc/passwd", "*", "*"), -ENOEXEC);
}
END_TEST

static void set_notes_size(uint8_t *image, uint64_t bytes)
{
	const Elf64_Ehdr *header = (const void *)image;
	Elf64_Shdr *sections = (void *)(image + header->e_shoff);
	const char *names = (const char *)image + sections[header->e_shstrndx].sh_offset;
	unsigned found = 0;

	for (unsigned i = 0; i < header->e_shnum; i++)
		if (!strcmp(names + sections[i].sh_name, ".note.stapsdt")) {
			sections[i].sh_size = bytes;
			found++;
		}
	ck_assert_uint_eq(found, 1);
}

/* A copy of this program whose section of notes has these bytes, most of them a hole. */
static int copy_with_notes(uint64_t bytes)
{
	int fd = memfd_create("usdt", 0), from = open("/proc/self/exe", O_RDONLY);
	struct stat status;
	void *image;

	ck_assert(fd >= 0 && from >= 0 && !fstat(from, &status));
	ck_assert_int_eq(sendfile(fd, from, NULL, (size_t)status.st_size), status.st_size);
	ck_assert_int_eq(close(from), 0);
	image = mmap(NULL, (size_t)status.st_size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	ck_assert_ptr_ne(image, MAP_FAILED);
	set_notes_size(image, bytes);
	ck_assert_int_eq(munmap(image, (size_t)status.st_size), 0);
	ck_assert_int_eq(ftruncate(fd, status.st_size + (off_t)bytes), 0);
	return fd;
}

START_TEST(test_too_many_notes)
{
	struct found_functions found = { 0 };
	int fd = copy_with_notes(UINT64_C(65) << 20);
	char path[32];

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	ck_assert_int_eq(usdt_notes__find(&found, path, "*", "*"), -E2BIG);
	ck_assert_uint_eq(found.count, 0);
	ck_assert_int_eq(close(fd), 0);
}
END_TEST

START_TEST(test_leaves_nothing_behind)
{
	unsigned fds = process__count_fds();
	long blocks = fail_alloc__blocks();
	struct found_functions found = { 0 };

	ck_assert_int_eq(usdt_notes__find(&found, "/proc/self/exe", "peat_tests", "two*"), 0);
	found_functions__free(&found);
	ck_assert_uint_eq(process__count_fds(), fds);
	ck_assert_int_eq(fail_alloc__blocks(), blocks);
}
END_TEST

START_TEST(test_memory_runs_out)
{
	struct found_functions found;
	unsigned failures = 0;
	long blocks;

	NOTE(0x1000, "app\0start\0"
		     "8@%rbx");
	NOTE(0x2000, "app\0end\0"
		     "8@%rbx");
	blocks = fail_alloc__blocks();
	for (unsigned nth = 1; nth; nth++) {
		int err;

		fail_alloc__begin(nth);
		err = select_notes(&found, "app", "*");
		nth = fail_alloc__end() ? nth : UINT32_MAX;
		ck_assert_int_eq(err, nth == UINT32_MAX ? 0 : -ENOMEM);
		failures += err != 0;
		found_functions__free(&found);
	}
	ck_assert_uint_lt(failures, 20);
	ck_assert_int_eq(fail_alloc__blocks(), blocks);
}
END_TEST

SUITE(20)
{
	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_add_test(tests, test_selects_probes);
	tcase_add_test(tests, test_notes_of_either_class_and_order);
	tcase_add_test(tests, test_several_places_are_one_probe);
	tcase_add_test(tests, test_suggests_probes);
	tcase_add_test(tests, test_hostile_notes);
	tcase_add_test(tests, test_texts_without_end);
	tcase_add_test(tests, test_many_notes);
	tcase_add_test(tests, test_counts_arguments);
	tcase_add_test(tests, test_probes_of_this_program);
	tcase_add_test(tests, test_errors_of_files);
	tcase_add_test(tests, test_too_many_notes);
	tcase_add_test(tests, test_leaves_nothing_behind);
	tcase_add_test(tests, test_memory_runs_out);
}
