// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_stack.c: stacks of events: tails with wrong lengths, callchains with markers, registers. */
#include <stdlib.h>
#include <string.h>

#include <peat/stack.h>
#include <peat/wire.h>

#include "event/stack.h"
#include "field/fields.h"
#include "record/sample_regs.h"
#include "unit/suite.h"

#define WORDS 64

/* An event of a number and its stacks. */
static struct {
	uint64_t number;
	struct peat_stacks head;
	uint64_t words[WORDS];
} data;

static struct peat_field fields[2];
static const struct peat_schema schema = { .name = "e", .bytes = 16, .count = 2, .fields = fields };
static struct peat_record record;
static struct peat_event event;
static struct peat_address found[WORDS];

static void setup(void)
{
	memset(&data, 0, sizeof(data));
	memset(&record, 0, sizeof(record));
	fields[0] = (struct peat_field){ .name = "number", .span = 1, .bytes = 8 };
	fields[1] = (struct peat_field){
		.name = "stack", .kind = PEAT_FIELD_STACK, .span = 1, .offset = 8
	};
	for (uint64_t i = 0; i < WORDS; i++)
		data.words[i] = 1000 + i;
	event = (struct peat_event){ .kind = PEAT_EVENT_DATA, .data = &data, .schema = &schema };
}

/* The size of the event with these stacks. */
static void set_tail(uint16_t kernel, uint16_t user, uint16_t regs, uint16_t memory)
{
	data.head.kernel_bytes = kernel;
	data.head.user_bytes = user;
	data.head.regs_bytes = regs;
	data.head.memory_bytes = memory;
	event.size = 16 + (uint32_t)kernel + user + regs + memory;
}

static void check_address(uint32_t i, uint64_t address, enum peat_space space)
{
	ck_assert_uint_eq(found[i].address, address);
	ck_assert_int_eq(found[i].space, space);
}

/* ---- tails ----------------------------------------------------------------------------------- */

START_TEST(test_addresses_in_tail)
{
	set_tail(16, 24, 0, 0);
	ck_assert(stack__begins_with_program(&event));
	data.head.kernel_bytes |= PEAT_STACKS_INTERRUPTED;
	ck_assert(!stack__begins_with_program(&event));
	ck_assert_uint_eq(peat_event__addresses(&event, found, WORDS), 5);
	check_address(0, 1000, PEAT_SPACE_KERNEL);
	check_address(1, 1001, PEAT_SPACE_KERNEL);
	check_address(2, 1002, PEAT_SPACE_USER);
	check_address(4, 1004, PEAT_SPACE_USER);
}
END_TEST

START_TEST(test_more_than_the_room)
{
	set_tail(16, 24, 0, 0);
	found[3].address = 7;
	ck_assert_uint_eq(peat_event__addresses(&event, found, 3), 5);
	check_address(2, 1002, PEAT_SPACE_USER);
	ck_assert_uint_eq(found[3].address, 7);
	ck_assert_uint_eq(peat_event__addresses(&event, NULL, 0), 5);
}
END_TEST

static void check_none(void)
{
	struct peat_user_state state = { .sz = sizeof(state) };

	ck_assert(!stack__begins_with_program(&event));
	ck_assert_uint_eq(peat_event__addresses(&event, found, WORDS), 0);
	ck_assert(!peat_event__user_state(&event, &state));
}

/* The lengths are those of a program: none may lead beyond the event. */
START_TEST(test_wrong_lengths)
{
	set_tail(16, 24, 168, 64);
	for (uint32_t size = event.size; size--;) {
		event.size = size;
		check_none();
	}
	set_tail(16, 0, 0, 0);
	data.head.memory_bytes = UINT16_MAX;
	check_none();
	set_tail(12, 0, 0, 0);
	check_none();
	set_tail(8, 4, 4, 0);
	check_none();
	set_tail(UINT16_MAX - 7, UINT16_MAX - 7, UINT16_MAX - 7, UINT16_MAX);
	event.size = 32;
	check_none();
}
END_TEST

START_TEST(test_events_without_a_tail)
{
	set_tail(16, 0, 0, 0);
	event.schema = NULL;
	check_none();
	event.schema = &schema;
	fields[1].kind = PEAT_FIELD_BYTES;
	check_none();
	fields[1].kind = PEAT_FIELD_STACK;
	event.kind = PEAT_EVENT_RECORD;
	check_none();
	event.kind = PEAT_EVENT_DATA;
	event.recorded = (const struct peat_recorded *)&record; /* never read */
	check_none();
}
END_TEST

/* ---- callchains ------------------------------------------------------------------------------ */

static void sample_chain(const uint64_t *words, uint64_t count)
{
	event.schema = NULL;
	record.type = PEAT_RECORD_SAMPLE;
	record.has = PEAT_SAMPLE_CALLCHAIN;
	record.sample.callchain = (struct peat_words){ words, count, false };
	event.record = &record;
}

START_TEST(test_addresses_in_callchain)
{
	const uint64_t words[] = { PEAT_CONTEXT_KERNEL,	    1, 2, PEAT_CONTEXT_USER, 3,
				   PEAT_CONTEXT_GUEST_USER, 4 };

	sample_chain(words, 7);
	ck_assert(!stack__begins_with_program(&event));
	event.map = "events";
	ck_assert(stack__begins_with_program(&event));
	ck_assert_uint_eq(peat_event__addresses(&event, found, WORDS), 4);
	check_address(0, 1, PEAT_SPACE_KERNEL);
	check_address(1, 2, PEAT_SPACE_KERNEL);
	check_address(2, 3, PEAT_SPACE_USER);
	check_address(3, 4, PEAT_SPACE_OTHER);
}
END_TEST

/* The word after the marker is the cookie of the record with the user part. */
START_TEST(test_deferred_callchain)
{
	const uint64_t words[] = { PEAT_CONTEXT_KERNEL, 1, PEAT_CONTEXT_USER_DEFERRED, 99 };

	sample_chain(words, 4);
	ck_assert_uint_eq(peat_event__addresses(&event, found, WORDS), 1);
	sample_chain(words, 3);
	ck_assert_uint_eq(peat_event__addresses(&event, found, WORDS), 1);
}
END_TEST

START_TEST(test_space_by_the_cpu_mode)
{
	const uint64_t words[] = { 5 };
	const enum peat_space spaces[] = { PEAT_SPACE_USER,  PEAT_SPACE_KERNEL, PEAT_SPACE_USER,
					   PEAT_SPACE_OTHER, PEAT_SPACE_OTHER,	PEAT_SPACE_OTHER };

	sample_chain(words, 1);
	for (uint16_t mode = 0; mode < 6; mode++) {
		record.misc = mode;
		ck_assert_uint_eq(peat_event__addresses(&event, found, WORDS), 1);
		check_address(0, 5, spaces[mode]);
	}
}
END_TEST

START_TEST(test_records_without_a_stack)
{
	const uint64_t words[] = { 5 };

	sample_chain(words, 1);
	record.has = PEAT_SAMPLE_IP;
	ck_assert_uint_eq(peat_event__addresses(&event, found, WORDS), 0);
	record.has = PEAT_SAMPLE_CALLCHAIN;
	record.type = PEAT_RECORD_FORK;
	ck_assert_uint_eq(peat_event__addresses(&event, found, WORDS), 0);
}
END_TEST

/* ---- registers ------------------------------------------------------------------------------- */

static uint64_t reg(const struct peat_user_state *state, uint32_t number)
{
	uint64_t below = state->regs.mask & ((1ULL << number) - 1);

	return peat_words__at(&state->regs.values, (uint64_t)__builtin_popcountll(below));
}

/* Numbers and values of some registers, of struct pt_regs whose words are 1000, 1001, ... */
#if defined(__x86_64__)
#define PT_REGS_BYTES 168
static const uint32_t numbers[][2] = { { 0, 10 },  { 6, 4 },  { 7, 19 }, { 8, 16 },
				       { 11, 20 }, { 16, 9 }, { 23, 0 } };
#elif defined(__aarch64__)
#define PT_REGS_BYTES 272
static const uint32_t numbers[][2] = { { 0, 0 }, { 29, 29 }, { 31, 31 }, { 32, 32 } };
#elif defined(__s390x__)
#define PT_REGS_BYTES 152
static const uint32_t numbers[][2] = { { 0, 3 }, { 15, 18 }, { 32, 1 }, { 33, 2 } };
#endif

#ifdef PT_REGS_BYTES
START_TEST(test_registers_of_a_tail)
{
	struct peat_user_state state = { .sz = sizeof(state) };

	set_tail(8, 0, PT_REGS_BYTES, 16);
	memmove(data.words + 1, data.words, PT_REGS_BYTES);
	ck_assert(peat_event__user_state(&event, &state));
	ck_assert_uint_eq(state.regs.mask, SAMPLE_REGS_USER);
	ck_assert_uint_eq(state.regs.values.count, (uint64_t)__builtin_popcountll(state.regs.mask));
	for (size_t i = 0; i < sizeof(numbers) / sizeof(*numbers); i++)
		ck_assert_uint_eq(reg(&state, numbers[i][0]), 1000 + numbers[i][1]);
	ck_assert_ptr_eq(state.stack, data.words + 1 + PT_REGS_BYTES / 8);
	ck_assert_uint_eq(state.stack_bytes, 16);
	set_tail(8, 0, PT_REGS_BYTES - 8, 16);
	ck_assert(!peat_event__user_state(&event, &state));
}
END_TEST
#endif

START_TEST(test_sampled_registers)
{
	struct peat_user_state state = { .sz = sizeof(state) };
	const uint64_t words[] = { 1, 2 };

	sample_chain(words, 0);
	record.has = PEAT_SAMPLE_REGS_USER | PEAT_SAMPLE_STACK_USER;
	record.sample.regs_user = (struct peat_regs){ PEAT_REGS_ABI_64, 3, { words, 2, false } };
	record.sample.stack_user = words;
	record.sample.stack_user_bytes = 16;
	record.sample.stack_user_dyn_bytes = 8;
	ck_assert(peat_event__user_state(&event, &state));
	ck_assert_uint_eq(reg(&state, 1), 2);
	ck_assert_ptr_eq(state.stack, words);
	ck_assert_uint_eq(state.stack_bytes, 8);
	record.has = PEAT_SAMPLE_REGS_USER;
	ck_assert(peat_event__user_state(&event, &state));
	ck_assert_uint_eq(state.stack_bytes, 0);
	record.sample.regs_user.abi = PEAT_REGS_ABI_NONE; /* a kernel thread */
	ck_assert(!peat_event__user_state(&event, &state));
	state.sz = 8;
	ck_assert(!peat_event__user_state(&event, &state));
}
END_TEST

SUITE(10)
{
	tcase_add_checked_fixture(tests, setup, NULL);
	tcase_add_test(tests, test_addresses_in_tail);
	tcase_add_test(tests, test_more_than_the_room);
	tcase_add_test(tests, test_wrong_lengths);
	tcase_add_test(tests, test_events_without_a_tail);
	tcase_add_test(tests, test_addresses_in_callchain);
	tcase_add_test(tests, test_deferred_callchain);
	tcase_add_test(tests, test_space_by_the_cpu_mode);
	tcase_add_test(tests, test_records_without_a_stack);
#ifdef PT_REGS_BYTES
	tcase_add_test(tests, test_registers_of_a_tail);
#endif
	tcase_add_test(tests, test_sampled_registers);
}
