// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_stack_sample.c: events with stacks, encoded as samples and decoded again. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <peat/stack.h>

#include "field/fields.h"
#include "record/attr_encode.h"
#include "record/regs.h"
#include "record/sample_regs.h"
#include "recorder/stack_sample.h"
#include "unit/fail_alloc.h"
#include "unit/suite.h"

#define ID     40007
#define KERNEL UINT64_C(0xffff800000000000) /* no code is there */

static struct {
	uint64_t number;
	struct peat_stacks head;
	uint64_t words[4096];
} data;

static struct peat_field fields[] = {
	{ .name = "number", .kind = PEAT_FIELD_UNSIGNED, .span = 1, .bytes = 8 },
	{ .name = "stack", .kind = PEAT_FIELD_STACK, .span = 1, .offset = 8 },
};
static const struct peat_schema schema = {
	.name = "stacked", .bytes = 16, .count = 2, .fields = fields, .stacks_fd = -1
};
static struct peat_event event;
static struct payload_format format;
static struct sample_plan plan;
static struct perf_attr attr;
static struct bpf_frames machinery;
static struct strbuf out;
static struct peat_record record;

static void make_plan(uint32_t stacks)
{
	ck_assert_int_eq(payload__init(&format, &schema, "stacked", ID), 0);
	attr = attr_encode__tracepoint(ID);
	stack_sample__request(&attr, stacks, 8192);
	ck_assert_int_eq(sample_plan__init(&plan, &attr.layout, 77, &format), 0);
}

static void setup(void)
{
	memset(&data, 0, sizeof(data));
	data.number = 1234567;
	event = (struct peat_event){ .kind = PEAT_EVENT_DATA,
				     .data = &data,
				     .schema = &schema,
				     .time_ns = 17,
				     .cpu = 3,
				     .pid = 40,
				     .tid = 41 };
}

static void teardown(void)
{
	payload__free(&format);
	strbuf__free(&out);
}

/* The tail: frames of the kernel and of user space, bytes of registers and of memory. */
static void set_tail(uint32_t kernel, uint32_t user, uint32_t regs, uint32_t memory)
{
	data.head = (struct peat_stacks){ .kernel_bytes = (uint16_t)(8 * kernel),
					  .user_bytes = (uint16_t)(8 * user),
					  .regs_bytes = (uint16_t)regs,
					  .memory_bytes = (uint16_t)memory };
	event.size = 16 + 8 * (kernel + user) + regs + memory;
	for (uint32_t i = 0; i < kernel; i++)
		data.words[i] = KERNEL + i;
	for (uint32_t i = kernel; i < kernel + user; i++)
		data.words[i] = 0x1000 + i;
	for (uint32_t i = kernel + user; i < (event.size - 16) / 8; i++)
		data.words[i] = 0x5e60000 + i;
}

/* Encodes the event after stale bytes, and decodes the sample. */
static const struct peat_sample *encode(void)
{
	strbuf__cut(&out, 0);
	strbuf__fill(&out, '\xa5', 100000);
	strbuf__cut(&out, 0);
	ck_assert_int_eq(stack_sample__put(&plan, &machinery, &event, &out), 1);
	record = (struct peat_record){ .sz = sizeof(record) };
	ck_assert_int_eq(peat_record__decode(&attr.layout, out.bytes, out.count, &record), 1);
	ck_assert_uint_eq(record.size, out.count);
	ck_assert_uint_eq(record.time_ns, 17);
	ck_assert_uint_eq(record.id, 77);
	ck_assert_uint_eq(record.pid, 40);
	ck_assert_uint_eq(record.tid, 41);
	ck_assert_uint_eq(record.cpu, 3);
	/* The payload: the common fields and the number, without the stacks. */
	ck_assert_uint_eq(record.sample.raw_bytes, plan.has_memory ? 20 : 16);
	ck_assert_mem_eq((const char *)record.sample.raw + 8, &data.number, 8);
	return &record.sample;
}

static void check_chain(const uint64_t *words, uint64_t count)
{
	const struct peat_words *chain = &record.sample.callchain;

	ck_assert_uint_eq(chain->count, count);
	for (uint64_t i = 0; i < count; i++)
		ck_assert_uint_eq(peat_words__at(chain, i), words[i]);
}

START_TEST(test_kernel_and_user_frames)
{
	static const uint64_t wanted[] = { PEAT_CONTEXT_KERNEL, KERNEL, KERNEL + 1,
					   PEAT_CONTEXT_USER,	0x1002, 0x1003 };

	make_plan(PEAT_STACK_KERNEL | PEAT_STACK_USER);
	set_tail(2, 2, 0, 0);
	ck_assert_uint_eq(encode()->ip, KERNEL);
	ck_assert_uint_eq(record.misc, PEAT_MISC_KERNEL);
	check_chain(wanted, 6);
}
END_TEST

START_TEST(test_user_frames_alone)
{
	static const uint64_t wanted[] = { PEAT_CONTEXT_USER, 0x1000, 0x1001 };

	make_plan(PEAT_STACK_USER);
	set_tail(0, 2, 0, 0);
	ck_assert_uint_eq(encode()->ip, 0x1000);
	ck_assert_uint_eq(record.misc, PEAT_MISC_USER);
	check_chain(wanted, 3);
}
END_TEST

/* An event that ends before its stacks, and one whose stacks are empty. */
START_TEST(test_missing_stacks_are_empty)
{
	make_plan(PEAT_STACK_KERNEL | PEAT_STACK_USER | PEAT_STACK_DWARF);
	set_tail(0, 0, 0, 0);
	for (int i = 0; i < 2; i++) {
		ck_assert_uint_eq(encode()->ip, 0);
		check_chain(NULL, 0);
		ck_assert_uint_eq(record.sample.regs_user.abi, PEAT_REGS_ABI_NONE);
		ck_assert_uint_eq(record.sample.stack_user_bytes, 0);
		event.size = 8;
	}
}
END_TEST

/* As many frames as a channel takes at most, with the most memory: all of it fits. */
START_TEST(test_most_frames_fit)
{
	make_plan(PEAT_STACK_KERNEL | PEAT_STACK_USER);
	set_tail(1024 + PEAT_STACK_MACHINERY, 1024, 0, 0);
	encode();
	ck_assert_uint_eq(record.sample.callchain.count, 2048 + PEAT_STACK_MACHINERY + 2);
}
END_TEST

/* The register with the address of the instruction. */
static uint64_t address_in(const struct peat_regs *regs)
{
	char name[REG_NAME_BYTES];
	uint64_t i = 0;

	for (uint32_t reg = 0; reg < 64; reg++) {
		const char *is = reg_names__at(reg_names__of(reg_names__here), reg, name);

		if (!(regs->mask >> reg & 1))
			continue;
		if (!strcmp(is, "ip") || !strcmp(is, "pc"))
			return peat_words__at(&regs->values, i);
		i++;
	}
	return 0;
}

/* Registers are those of this machine's struct pt_regs. */
START_TEST(test_memory_and_registers_fit)
{
	const uint32_t regs = 34 * 8, memory = 4096;
	const struct peat_sample *sample;
	struct peat_user_state state = { .sz = sizeof(state) };

	if (!SAMPLE_REGS_USER)
		skip("no user registers on this machine");
	make_plan(PEAT_STACK_KERNEL | PEAT_STACK_DWARF);
	ck_assert(perf_attr__has(&attr, PERF_ATTR_EXCLUDE_CALLCHAIN_USER));
	set_tail(1, 0, regs, memory);
	sample = encode();
	ck_assert(peat_event__user_state(&event, &state));
	ck_assert_uint_eq(sample->regs_user.abi, state.regs.abi);
	ck_assert_uint_eq(sample->regs_user.values.count, state.regs.values.count);
	for (uint64_t i = 0; i < state.regs.values.count; i++)
		ck_assert_uint_eq(peat_words__at(&sample->regs_user.values, i),
				  peat_words__at(&state.regs.values, i));
	ck_assert_uint_eq(sample->stack_user_bytes, memory);
	ck_assert_uint_eq(sample->stack_user_dyn_bytes, memory);
	ck_assert_mem_eq(sample->stack_user, &data.words[1 + regs / 8], memory);
	ck_assert_uint_eq(sample->ip, KERNEL);
	/* Without a frame of the kernel, the sampled address is that of the registers. */
	set_tail(0, 0, regs, memory);
	sample = encode();
	ck_assert_uint_ne(sample->ip, 0);
	ck_assert_uint_eq(sample->ip, address_in(&sample->regs_user));
}
END_TEST

static uint64_t address_of(const char *wanted)
{
	FILE *file = fopen("/proc/kallsyms", "re");
	unsigned long long address = 0, found = 0;
	char line[1024], name[512];

	while (file && !found && fgets(line, sizeof(line), file))
		if (sscanf(line, "%llx %*c %511s", &address, name) == 2 && !strcmp(name, wanted))
			found = address;
	if (file)
		fclose(file);
	return found;
}

/* The frames of the program that took the stack are left out, also of IP. */
START_TEST(test_own_frames_are_left_out)
{
	static const uint64_t wanted[] = { PEAT_CONTEXT_KERNEL, KERNEL + 2 };
	uint64_t runner = address_of("bpf_trace_run2");

	if (!runner)
		skip("the kernel hides its symbols, or has no BPF programs of tracepoints");
	make_plan(PEAT_STACK_KERNEL);
	set_tail(3, 0, 0, 0);
	data.words[1] = runner + 5;
	ck_assert_uint_eq(encode()->ip, KERNEL + 2);
	check_chain(wanted, 2);
}
END_TEST

START_TEST(test_no_memory)
{
	int put;

	make_plan(PEAT_STACK_KERNEL);
	set_tail(1, 0, 0, 0);
	encode();
	strbuf__free(&out);
	fail_alloc__begin(1);
	put = stack_sample__put(&plan, &machinery, &event, &out);
	if (!fail_alloc__end())
		return;
	ck_assert_int_eq(put, 0);
	ck_assert(!out.failed && !out.count);
}
END_TEST

/* Rows are for samples of one size. */
START_TEST(test_no_row)
{
	struct sample_row row;

	make_plan(PEAT_STACK_KERNEL);
	set_tail(1, 0, 0, 0);
	sample_row__begin(&row, &plan, &event);
	ck_assert_uint_eq(row.bytes, 0);
}
END_TEST

SUITE(20)
{
	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_add_test(tests, test_kernel_and_user_frames);
	tcase_add_test(tests, test_user_frames_alone);
	tcase_add_test(tests, test_missing_stacks_are_empty);
	tcase_add_test(tests, test_most_frames_fit);
	tcase_add_test(tests, test_memory_and_registers_fit);
	tcase_add_test(tests, test_own_frames_are_left_out);
	tcase_add_test(tests, test_no_memory);
	tcase_add_test(tests, test_no_row);
}
