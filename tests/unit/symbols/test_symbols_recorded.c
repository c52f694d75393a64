// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_symbols_recorded.c: names of recorded addresses, by files that may be of another build. */
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <peat/symbols.h>

#include "replay/recorded.h"
#include "support/machine/scratch.h"
#include "support/symbols/made_elf.h"
#include "unit/suite.h"

#define ID	 "0123456789abcdefghij"
#define OTHER_ID "another build, no id"

#define PID	7
#define CODE_AT 0x5550000000

static struct build_ids ids;
static struct peat_recorded recorded;

/* A program with a function. */
static void write_program(void)
{
	static const struct made_symbol symbol = { .name = "recorded_function",
						   .value = MADE_TEXT_OFFSET,
						   .bytes = 0x100,
						   .binding = STB_GLOBAL,
						   .type = STT_FUNC };
	struct made_elf made = made_elf__own();
	int fd = scratch__file("program", "");

	made.build_id = ID;
	made.symbols = &symbol;
	made.symbols_count = 1;
	made_elf__write(&made, fd);
	close(fd);
}

static void setup(void)
{
	scratch__make();
	write_program();
	ids = (struct build_ids){ 0 };
	recorded = (struct peat_recorded){ .build_ids = &ids };
}

static void teardown(void)
{
	build_ids__free(&ids);
	scratch__remove();
}

static void list_id(const char *bytes)
{
	const char *path = scratch__path("program");
	const struct tool_build_id id = { .pid = -1,
					  .id = (const uint8_t *)bytes,
					  .id_bytes = 20,
					  .filename = path,
					  .filename_bytes = strlen(path) };

	ck_assert_int_eq(build_ids__add(&ids, &id), 0);
}

static void follow(struct peat_symbols *symbols, enum peat_record_type type)
{
	struct peat_record record = { .sz = sizeof(record), .type = type };
	const struct peat_event event = {
		.kind = PEAT_EVENT_RECORD, .time_ns = 1, .record = &record, .recorded = &recorded
	};

	record.mmap = (struct peat_mmap){ .pid = PID,
					  .tid = PID,
					  .addr = CODE_AT,
					  .len = 0x10000,
					  .filename = scratch__path("program") };
	ck_assert_int_eq(peat_symbols__follow(symbols, &event), 0);
}

/* Whether the function of the recorded program has a name. */
static bool is_named(enum peat_record_type type)
{
	const struct peat_symbols_opts opts = { .sz = sizeof(opts), .recorded = true };
	struct peat_symbols *symbols = peat_symbols__new(&opts);
	const struct peat_stack_frame *frames;
	bool is;

	ck_assert_ptr_nonnull(symbols);
	follow(symbols, type);
	ck_assert_int_eq(peat_symbols__address(symbols, PEAT_SPACE_USER, PID, 2,
					       CODE_AT + MADE_TEXT_OFFSET, &frames),
			 1);
	ck_assert_str_eq(frames->module, scratch__path("program"));
	is = frames->symbol;
	ck_assert(!is || !strcmp(frames->symbol, "recorded_function"));
	peat_symbols__free(symbols);
	return is;
}

/* ---- build-ids ------------------------------------------------------------------------------- */

static const enum peat_record_type types[] = { PEAT_RECORD_MMAP, PEAT_RECORD_MMAP2 };

START_TEST(test_listed_id)
{
	list_id(ID);
	ck_assert(is_named(types[_i]));
}
END_TEST

/* The list names the file, whatever record its mapping has. */
START_TEST(test_other_listed_id)
{
	list_id(OTHER_ID);
	ck_assert(!is_named(types[_i]));
}
END_TEST

START_TEST(test_no_id)
{
	ck_assert(is_named(types[_i]));
}
END_TEST

/* ---- the machine and the time ---------------------------------------------------------------- */

START_TEST(test_other_machine)
{
	recorded.other_machine = true;
	ck_assert(!is_named(PEAT_RECORD_MMAP2));
	list_id(ID);
	ck_assert(is_named(PEAT_RECORD_MMAP2));
}
END_TEST

/* A file that has changed since is another one, unless it has the right build-id. */
START_TEST(test_changed_file)
{
	struct stat found;

	ck_assert_int_eq(stat(scratch__path("program"), &found), 0);
	recorded.changed_ns = found.st_ctim.tv_sec * INT64_C(1000000000) + found.st_ctim.tv_nsec;
	ck_assert(is_named(PEAT_RECORD_MMAP2));
	recorded.changed_ns--;
	ck_assert(!is_named(PEAT_RECORD_MMAP2));
	list_id(ID);
	ck_assert(is_named(PEAT_RECORD_MMAP2));
}
END_TEST

START_TEST(test_other_architecture)
{
	const uint16_t own = made_elf__own().machine;

	recorded.arch = own == EM_S390 ? "x86_64" : "s390x";
	list_id(ID);
	ck_assert(!is_named(PEAT_RECORD_MMAP2));
	recorded.arch = "unknown";
	ck_assert(is_named(PEAT_RECORD_MMAP2));
}
END_TEST

SUITE(20)
{
	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_add_loop_test(tests, test_listed_id, 0, 2);
	tcase_add_loop_test(tests, test_other_listed_id, 0, 2);
	tcase_add_loop_test(tests, test_no_id, 0, 2);
	tcase_add_test(tests, test_other_machine);
	tcase_add_test(tests, test_changed_file);
	tcase_add_test(tests, test_other_architecture);
}
