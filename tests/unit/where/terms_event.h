/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* terms_event.h: an event in memory, and single tests of it, whose terms run as in programs. */
#ifndef TESTS_UNIT_WHERE_TERMS_EVENT_H
#define TESTS_UNIT_WHERE_TERMS_EVENT_H

#include <string.h>

#include <peat/wire.h>

#include "field/fields.h"
#include "support/where/run_terms.h"
#include "unit/suite.h"
#include "where/terms.h"

#define TYPE 7u

/* ---- an event -------------------------------------------------------------------------------- */

static struct {
	struct peat_event_head head;
	struct peat_event_ids ids;
	struct {
		uint8_t tiny;
		int8_t small;
		uint16_t port; /* in network order */
		int32_t number;
		uint64_t big;
		char text[12];
		uint32_t bits; /* 3 of them are a field */
		uint8_t address[16];
		int64_t wide;
	} data;
} __attribute__((aligned(8))) memory;

#define OFFSET(member) ((uint32_t)((char *)&memory.data.member - (char *)&memory.data))

static const struct peat_schema schema;

static inline struct peat_field field_of(enum peat_field_kind kind, uint32_t offset, uint32_t bytes)
{
	return (struct peat_field){
		.kind = kind, .span = 1, .offset = offset, .bytes = bytes, .schema = &schema
	};
}

static struct where_terms terms;
static enum where_part part;

/* Whether the event passes; sets `part`. */
static inline bool passes(const struct where_test *test)
{
	where_terms__init(&terms, true, true);
	part = where_terms__add(&terms, TYPE, test);
	return run_terms(&terms, TYPE, &memory.data, sizeof(memory.data), "nginx") !=
	       PEAT_TERM_FAIL;
}

static inline struct where_test test_of(enum where_op op, const struct peat_field *field)
{
	return (struct where_test){
		.op = op, .field = field, .is_signed = field->is_signed, .mask = UINT64_MAX
	};
}

static inline bool number_is(enum where_op op, const struct peat_field *field, uint64_t value)
{
	struct where_test test = test_of(op, field);

	test.value = value;
	return passes(&test);
}

static inline bool text_is(enum where_op op, const struct peat_field *field, const char *text)
{
	struct where_test test = test_of(op, field);

	test.text = text;
	test.text_bytes = (uint32_t)strlen(text);
	test.ends_at_nul = true;
	return passes(&test);
}

static inline void setup(void)
{
	memset(&memory, 0, sizeof(memory));
	memory.head.size = sizeof(memory.data);
	memory.head.type = TYPE | PEAT_EVENT_IDS;
	memory.head.delta_ns = 3 * PEAT_SLOTS + 1 + 1; /* CPU 3, slot 1 */
	memory.ids = (struct peat_event_ids){ 100, 101 };
}

/* ---- expressions ----------------------------------------------------------------------------- */

/* Tests of the bits of `tiny`, and one that programs cannot decide. */
static struct peat_field tiny_field;
static struct where_test leaves[4];

static inline void setup_leaves(void)
{
	setup();
	tiny_field = field_of(PEAT_FIELD_UNSIGNED, OFFSET(tiny), 1);
	for (int i = 0; i < 4; i++) {
		leaves[i] = test_of(WHERE_ANY_BIT, &tiny_field);
		leaves[i].mask = 1u << i;
	}
	leaves[3].op = WHERE_TEXT_GLOB;
}

static inline struct where_test both(enum where_op op, struct where_test *a, struct where_test *b)
{
	return (struct where_test){ .op = op, .a = a, .b = b };
}

#endif /* TESTS_UNIT_WHERE_TERMS_EVENT_H */
