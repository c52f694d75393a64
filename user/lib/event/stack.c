// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* event/stack.c: the stack of an event: its addresses, and the user registers and stack memory. */
#include <string.h>

#include <peat/stack.h>
#include <peat/wire.h>

#include "base/opts.h"
#include "event/stack.h"
#include "field/fields.h"
#include "record/sample_regs.h"

/* ---- the tail of an event -------------------------------------------------------------------- */

/* The stacks after the members of an event, within the event. */
struct tail {
	const unsigned char *words;
	bool is_interrupted;
	struct peat_stacks head; /* at the end: clang warns of its flexible array elsewhere */
};

/* True if the lengths do not exceed the `bytes` bytes after the head. */
static bool lengths_fit(const struct peat_stacks *head, uint32_t bytes)
{
	uint32_t all = (uint32_t)head->kernel_bytes + head->user_bytes + head->regs_bytes +
		       head->memory_bytes;

	return all <= bytes && !((head->kernel_bytes | head->user_bytes | head->regs_bytes) % 8);
}

/* A recording has the stacks of programs as callchains. */
static bool find_tail(const struct peat_event *event, struct tail *tail)
{
	const struct peat_field *field = event->schema ? fields__stack(event->schema) : NULL;
	uint32_t at = field ? field->offset : 0;

	if (!field || event->recorded || event->kind != PEAT_EVENT_DATA || event->size < at ||
	    event->size - at < sizeof(tail->head))
		return false;
	tail->words = (const unsigned char *)event->data + at;
	memcpy(&tail->head, tail->words, sizeof(tail->head));
	tail->words += sizeof(tail->head);
	tail->is_interrupted = tail->head.kernel_bytes & PEAT_STACKS_INTERRUPTED;
	tail->head.kernel_bytes &= (unsigned short)~PEAT_STACKS_INTERRUPTED;
	return lengths_fit(&tail->head, event->size - at - (uint32_t)sizeof(tail->head));
}

/* ---- addresses ------------------------------------------------------------------------------- */

/* Addresses being stored: those beyond `max` are only counted. */
struct address_list {
	struct peat_address *at;
	uint32_t count, max;
};

static void add_address(struct address_list *list, uint64_t address, enum peat_space space)
{
	if (list->count < list->max)
		list->at[list->count] = (struct peat_address){ address, space };
	list->count++;
}

static void add_words(struct address_list *list, const unsigned char *at, uint32_t bytes,
		      enum peat_space space)
{
	uint64_t word;

	for (uint32_t i = 0; i < bytes; i += (uint32_t)sizeof(word)) {
		memcpy(&word, at + i, sizeof(word));
		add_address(list, word, space);
	}
}

static enum peat_space space_of_marker(uint64_t marker)
{
	if (marker == PEAT_CONTEXT_KERNEL)
		return PEAT_SPACE_KERNEL;
	if (marker == PEAT_CONTEXT_USER || marker == PEAT_CONTEXT_USER_DEFERRED)
		return PEAT_SPACE_USER;
	return PEAT_SPACE_OTHER;
}

/* The space of addresses before the first marker. */
static enum peat_space space_of_record(const struct peat_record *record)
{
	switch (record->misc & PEAT_MISC_CPUMODE_MASK) {
	case PEAT_MISC_CPUMODE_UNKNOWN:
	case PEAT_MISC_USER:
		return PEAT_SPACE_USER;
	case PEAT_MISC_KERNEL:
		return PEAT_SPACE_KERNEL;
	default:
		return PEAT_SPACE_OTHER;
	}
}

static void add_callchain(struct address_list *list, const struct peat_record *record)
{
	const struct peat_words *chain = &record->sample.callchain;
	enum peat_space space = space_of_record(record);

	for (uint64_t i = 0; i < chain->count; i++) {
		uint64_t word = peat_words__at(chain, i);

		if (word < PEAT_CONTEXT_MAX) {
			add_address(list, word, space);
			continue;
		}
		space = space_of_marker(word);
		if (word == PEAT_CONTEXT_USER_DEFERRED)
			i++; /* the cookie */
	}
}

static bool has_sampled(const struct peat_event *event, uint64_t field)
{
	return event->record && event->record->type == PEAT_RECORD_SAMPLE &&
	       event->record->has & field;
}

/*
 * Samples of maps, and of channels, are taken by programs.  Other samples, and those of recordings,
 * begin with the code that was interrupted.
 */
bool stack__begins_with_program(const struct peat_event *event)
{
	struct tail tail;

	if (find_tail(event, &tail))
		return !tail.is_interrupted;
	return !event->recorded && has_sampled(event, PEAT_SAMPLE_CALLCHAIN) &&
	       (event->map || (event->schema && fields__stack(event->schema)));
}

uint32_t peat_event__addresses(const struct peat_event *event, struct peat_address *addresses,
			       uint32_t max)
{
	struct address_list list = { addresses, 0, max };
	struct tail tail;

	if (find_tail(event, &tail)) {
		add_words(&list, tail.words, tail.head.kernel_bytes, PEAT_SPACE_KERNEL);
		add_words(&list, tail.words + tail.head.kernel_bytes, tail.head.user_bytes,
			  PEAT_SPACE_USER);
	} else if (has_sampled(event, PEAT_SAMPLE_CALLCHAIN)) {
		add_callchain(&list, event->record);
	}
	return list.count;
}

/* ---- user registers -------------------------------------------------------------------------- */

/*
 * The words of this machine's struct pt_regs, by their PERF_REG_* number, and the ABI of the task.
 * Only registers of SAMPLE_REGS_USER have a number here.
 */
#if defined(__x86_64__)
#define PT_REGS_WORDS 21u
enum {
	R15,
	R14,
	R13,
	R12,
	BP,
	BX,
	R11,
	R10,
	R9,
	R8,
	AX,
	CX,
	DX,
	SI,
	DI,
	ORIG_AX,
	IP,
	CS,
	FLAGS,
	SP,
	SS
};
static const unsigned char word_of_reg[] = {
	AX, BX, CX,  DX,  SI,  DI,  BP,	 SP,  IP, FLAGS, CS, SS, /* no DS, ES, FS, GS */
	R8, R9, R10, R11, R12, R13, R14, R15,
};

/* The code segment of 64-bit tasks; others are 32-bit ones. */
#define USER_CS 0x33

static uint64_t abi_of(const uint64_t *words)
{
	return words[CS] == USER_CS ? PEAT_REGS_ABI_64 : PEAT_REGS_ABI_32;
}
#elif defined(__aarch64__)
#define PT_REGS_WORDS 34u
#define PSTATE	      33
#define PSTATE_32     0x10
static const unsigned char word_of_reg[] = {
	0,  1,	2,  3,	4,  5,	6,  7,	8,  9,	10, 11, 12, 13, 14, 15, 16,
	17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32,
};

static uint64_t abi_of(const uint64_t *words)
{
	return words[PSTATE] & PSTATE_32 ? PEAT_REGS_ABI_32 : PEAT_REGS_ABI_64;
}
#elif defined(__s390x__)
/* A word of arguments, the mask and the address of the PSW, and the general registers. */
#define PT_REGS_WORDS 19u
#define PSW_MASK      1
#define PSW_MASK_EA   UINT64_C(0x100000000)
static const unsigned char word_of_reg[] = {
	3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, /* no floating-point registers */
	1, 2,
};

static uint64_t abi_of(const uint64_t *words)
{
	return words[PSW_MASK] & PSW_MASK_EA ? PEAT_REGS_ABI_64 : PEAT_REGS_ABI_32;
}
#else
#define PT_REGS_WORDS 1u
static const unsigned char word_of_reg[] = { 0 };

static uint64_t abi_of(const uint64_t *words)
{
	(void)words;
	return PEAT_REGS_ABI_NONE;
}
#endif

#define REGS (sizeof(word_of_reg) / sizeof(*word_of_reg))

static bool read_tail_state(const struct tail *tail, struct peat_user_state *state)
{
	const unsigned char *at = tail->words + tail->head.kernel_bytes + tail->head.user_bytes;
	uint64_t words[PT_REGS_WORDS];

	if (!SAMPLE_REGS_USER || tail->head.regs_bytes < sizeof(words))
		return false;
	memcpy(words, at, sizeof(words));
	for (size_t i = 0; i < REGS; i++)
		state->words[i] = words[word_of_reg[i]];
	state->regs = (struct peat_regs){ .abi = abi_of(words),
					  .mask = SAMPLE_REGS_USER,
					  .values = { state->words, REGS, false } };
	state->stack = at + tail->head.regs_bytes;
	state->stack_bytes = tail->head.memory_bytes;
	return true;
}

static bool read_sampled_state(const struct peat_sample *sample, uint64_t has,
			       struct peat_user_state *state)
{
	if (!(has & PEAT_SAMPLE_REGS_USER) || sample->regs_user.abi == PEAT_REGS_ABI_NONE)
		return false;
	state->regs = sample->regs_user;
	if (has & PEAT_SAMPLE_STACK_USER) {
		state->stack = sample->stack_user;
		state->stack_bytes = sample->stack_user_dyn_bytes;
	}
	return true;
}

bool peat_event__user_state(const struct peat_event *event, struct peat_user_state *state)
{
	struct tail tail;

	if (opts__check_size(state, sizeof(*state), "peat_user_state"))
		return false;
	state->stack = NULL;
	state->stack_bytes = 0;
	if (find_tail(event, &tail))
		return read_tail_state(&tail, state);
	return has_sampled(event, PEAT_SAMPLE_REGS_USER) &&
	       read_sampled_state(&event->record->sample, event->record->has, state);
}
