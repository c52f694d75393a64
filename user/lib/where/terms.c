// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* where/terms.c: compiles expressions to the terms of BPF programs. */
#include <endian.h>
#include <string.h>

#include <peat/wire.h>

#include "field/appended.h"
#include "field/fields.h"
#include "where/evaluate.h"
#include "where/presence.h"
#include "where/term.h"
#include "where/terms.h"

/* Where a term continues: the number of a term, or one of these. */
#define PASS PEAT_TERM_PASS
#define FAIL PEAT_TERM_FAIL
#define OPEN PEAT_TERM_OPEN

#define COMM_BYTES 16

/* The state of compiling one expression. */
struct compiler {
	struct where_terms *to;
	const struct where_test *test; /* at present */
	bool is_exact;		       /* so far */
	uint32_t needed;	       /* the least size of an event with all fields */
	uint32_t bytes;		       /* of the event that terms read */
};

/* The next term of a test, by its result. */
struct targets {
	uint32_t yes, no;
	bool is_negated; /* below an odd number of NOT */
};

void where_terms__init(struct where_terms *terms, bool has_ids, bool can_comm)
{
	*terms = (struct where_terms){ .begin = PEAT_TERMS,
				       .has_ids = has_ids,
				       .can_comm = has_ids && can_comm };
}

/* ---- places ---------------------------------------------------------------------------------- */

uint32_t where_terms__load_bytes(uint32_t offset, uint32_t left)
{
	uint32_t bytes = 8;

	while (bytes > left || offset % bytes)
		bytes /= 2;
	return bytes;
}

bool where_terms__is_plain_text(const struct peat_field *field)
{
	return field_type__of(field)->strings == FIELD_ONE_STRING &&
	       field->place == PEAT_PLACE_OFFSET && field->bytes && !field->length &&
	       !field->schema->has_text_lengths;
}

/* The offset of a member of the event's head, from the origin of terms. */
static uint32_t head_offset(const struct where_terms *terms, size_t member)
{
	size_t bytes = sizeof(struct peat_event_head);

	if (terms->has_ids)
		bytes += sizeof(struct peat_event_ids);
	if (terms->has_owner)
		bytes += sizeof(struct peat_event_owner);
	return (uint32_t)(PEAT_TERM_ORIGIN - bytes + member);
}

static uint32_t ids_offset(size_t member)
{
	return (uint32_t)(PEAT_TERM_ORIGIN - sizeof(struct peat_event_ids) + member);
}

static uint32_t field_offset(const struct where_test *test)
{
	return test->base + test->field->offset;
}

/* ---- terms ----------------------------------------------------------------------------------- */

/* Counts the test as true, or below NOT as false: the expression becomes weaker. */
static uint32_t cannot_decide(struct compiler *compiler, const struct targets *targets)
{
	struct where_terms *to = compiler->to;

	compiler->is_exact = false;
	if (to->left_count < WHERE_LEFT_MAX)
		to->left[to->left_count++] = compiler->test;
	return targets->is_negated ? targets->no : targets->yes;
}

static bool has_room(const struct compiler *compiler, uint32_t count)
{
	return compiler->to->begin >= count;
}

/* Puts a term before the others, and returns its number. */
static uint32_t put(struct compiler *compiler, struct peat_term term, uint32_t yes, uint32_t no)
{
	return term__put(compiler->to, term, yes, no);
}

/* The term that tests whether an event has fewer bytes. */
static uint32_t put_shorter(struct compiler *compiler, uint32_t bytes, uint32_t yes, uint32_t no)
{
	struct peat_term term = {
		.offset = (unsigned short)head_offset(compiler->to,
						      offsetof(struct peat_event_head, size)),
		.width = sizeof(((struct peat_event_head *)0)->size),
		.test = PEAT_TEST_LESS,
		.mask = UINT64_MAX,
		.value = bytes,
	};

	return put(compiler, term, yes, no);
}

/* ---- numbers --------------------------------------------------------------------------------- */

static bool find_number(const struct compiler *compiler, const struct where_test *test,
			struct term_number *number)
{
	const struct where_terms *to = compiler->to;
	uint32_t ids =
		(uint32_t)(test->operand == WHERE_PID ? offsetof(struct peat_event_ids, tgid)
						      : offsetof(struct peat_event_ids, tid));

	switch (test->operand) {
	case WHERE_FIELD:
		return !test->array && term__find_number(test->field, test->base, number);
	case WHERE_PID:
	case WHERE_TID:
		*number = (struct term_number){ .offset = ids_offset(ids), .width = 4, .bits = 32 };
		return to->has_ids;
	case WHERE_SIZE:
		if (to->has_stacks)
			return false;
		*number = (struct term_number){
			.offset = head_offset(to, offsetof(struct peat_event_head, size)),
			.width = 2,
			.bits = 16,
		};
		return true;
	default:
		return false;
	}
}

/* Whether the number can have this value. */
static bool is_in_range(const struct term_number *number, uint64_t value)
{
	uint64_t high = ~(term__low_bits(number->bits) >> 1);

	if (number->is_signed)
		return !(value & high) || (value & high) == high;
	return !(value & ~term__low_bits(number->bits));
}

static uint32_t compile_equal(struct compiler *compiler, const struct where_test *test,
			      const struct term_number *number, const struct targets *targets)
{
	struct peat_term term = term__load(number);
	uint64_t bits = term__low_bits(number->bits);

	if (test->mask == UINT64_MAX && !is_in_range(number, test->value))
		return targets->no;
	/* A mask above the bits of a signed number sees copies of its sign. */
	if (test->mask != UINT64_MAX && number->is_signed && test->mask & ~bits)
		return cannot_decide(compiler, targets);
	if (test->mask != UINT64_MAX && test->value & ~(test->mask & bits))
		return targets->no;
	term.mask &= test->mask << number->shift;
	term.value = (test->value & bits) << number->shift;
	return put(compiler, term, targets->yes, targets->no);
}

static uint32_t compile_any_bit(struct compiler *compiler, const struct where_test *test,
				const struct term_number *number, const struct targets *targets)
{
	struct peat_term term = term__load(number);

	if (number->is_signed && test->mask & ~term__low_bits(number->bits))
		return cannot_decide(compiler, targets);
	term.mask &= test->mask << number->shift;
	return put(compiler, term, targets->no, targets->yes); /* == 0: none of the bits */
}

/* Numbers of `bits` bits are compared as unsigned ones, signed ones with the sign bit flipped. */
static uint32_t compile_less(struct compiler *compiler, const struct where_test *test,
			     const struct term_number *number, const struct targets *targets)
{
	struct peat_term term = term__load(number);
	uint64_t sign = 1ULL << (number->bits - 1);

	if (!is_in_range(number, test->value))
		return number->is_signed && (int64_t)test->value < 0 ? targets->no : targets->yes;
	term.test = PEAT_TEST_LESS;
	term.flip = number->is_signed ? sign : 0;
	term.value = ((test->value & term__low_bits(number->bits)) ^ term.flip) << number->shift;
	return put(compiler, term, targets->yes, targets->no);
}

/*
 * The head of an event that is reserved has the index of its slot + 1, and a CPU has PEAT_SLOTS of
 * them: CPU n has n * PEAT_SLOTS + 1 to (n + 1) * PEAT_SLOTS.
 */
static uint32_t compile_below_cpu(struct compiler *compiler, uint64_t cpu, uint32_t yes,
				  uint32_t no)
{
	struct peat_term term = {
		.offset = (unsigned short)head_offset(compiler->to,
						      offsetof(struct peat_event_head, delta_ns)),
		.width = 4,
		.test = PEAT_TEST_LESS,
		.mask = UINT64_MAX,
		.value = cpu * PEAT_SLOTS + 1,
	};

	return cpu > UINT32_MAX ? yes : put(compiler, term, yes, no);
}

static uint32_t compile_cpu(struct compiler *compiler, const struct where_test *test,
			    const struct targets *targets)
{
	uint32_t after;

	if (test->op == WHERE_LESS)
		return compile_below_cpu(compiler, test->value, targets->yes, targets->no);
	if ((test->mask & UINT32_MAX) != UINT32_MAX)
		return cannot_decide(compiler, targets);
	if (test->op == WHERE_ANY_BIT)
		return compile_below_cpu(compiler, 1, targets->no, targets->yes);
	after = compile_below_cpu(compiler, test->value + 1, targets->yes, targets->no);
	return compile_below_cpu(compiler, test->value, targets->no, after);
}

static uint32_t compile_number(struct compiler *compiler, const struct where_test *test,
			       const struct targets *targets)
{
	bool is_range = test->operand == WHERE_CPU && test->op == WHERE_EQUAL;
	struct term_number number;

	if (!has_room(compiler, is_range ? 2 : 1))
		return cannot_decide(compiler, targets);
	if (test->operand == WHERE_CPU)
		return compile_cpu(compiler, test, targets);
	if (!find_number(compiler, test, &number))
		return cannot_decide(compiler, targets);
	if (test->op == WHERE_EQUAL)
		return compile_equal(compiler, test, &number, targets);
	if (test->op == WHERE_ANY_BIT)
		return compile_any_bit(compiler, test, &number, targets);
	return compile_less(compiler, test, &number, targets);
}

/* ---- bytes and texts ------------------------------------------------------------------------- */

/* Bytes at an offset of the event, or of the name of the running task, which has to be these. */
struct pattern {
	uint32_t offset, bytes;
	const unsigned char *value, *mask; /* mask NULL: all bits */
	bool of_comm;
};

static uint64_t load_native(const unsigned char *from, uint32_t width)
{
	uint64_t all = 0;
	uint32_t four;
	uint16_t two;

	if (width == 8) {
		memcpy(&all, from, 8);
	} else if (width == 4) {
		memcpy(&four, from, 4);
		all = four;
	} else if (width == 2) {
		memcpy(&two, from, 2);
		all = two;
	} else {
		all = *from;
	}
	return all;
}

static uint32_t count_loads(const struct pattern *pattern)
{
	uint32_t count = 0;

	for (uint32_t at = 0; at < pattern->bytes; count++)
		at += where_terms__load_bytes(pattern->offset + at, pattern->bytes - at);
	return count;
}

/* From the last piece to the first, since a term continues with a later one. */
static uint32_t compile_pieces(struct compiler *compiler, const struct pattern *pattern,
			       uint32_t at, const struct targets *targets)
{
	uint32_t width, next;
	struct peat_term term;

	if (at == pattern->bytes)
		return targets->yes;
	width = where_terms__load_bytes(pattern->offset + at, pattern->bytes - at);
	next = compile_pieces(compiler, pattern, at + width, targets);
	term = (struct peat_term){
		.offset = (unsigned short)(pattern->offset + at),
		.width = (unsigned char)width,
		.of_comm = pattern->of_comm,
		.mask = pattern->mask ? load_native(pattern->mask + at, width) : UINT64_MAX,
	};
	term.value = load_native(pattern->value + at, width) & term.mask;
	return term.mask ? put(compiler, term, next, targets->no) : next;
}

static uint32_t compile_pattern(struct compiler *compiler, const struct pattern *pattern,
				const struct targets *targets)
{
	if (!has_room(compiler, count_loads(pattern)))
		return cannot_decide(compiler, targets);
	compiler->to->uses_comm |= pattern->of_comm;
	return compile_pieces(compiler, pattern, 0, targets);
}

static uint32_t compile_bytes(struct compiler *compiler, const struct where_test *test,
			      const struct targets *targets)
{
	const struct peat_field *field = test->field;
	struct pattern pattern = { .bytes = test->byte_count,
				   .value = test->bytes,
				   .mask = test->byte_mask };

	if (test->operand != WHERE_FIELD || test->array || field->place != PEAT_PLACE_OFFSET ||
	    field->length || field->bytes != test->byte_count)
		return cannot_decide(compiler, targets);
	pattern.offset = PEAT_TERM_ORIGIN + field_offset(test);
	return compile_pattern(compiler, &pattern, targets);
}

/* The array of a text; false: programs cannot test it. */
static bool find_text(const struct compiler *compiler, const struct where_test *test,
		      struct pattern *pattern, uint32_t *room)
{
	*pattern = (struct pattern){ .of_comm = test->operand == WHERE_COMM };
	*room = COMM_BYTES;
	if (pattern->of_comm)
		return compiler->to->can_comm;
	if (test->operand != WHERE_FIELD || test->array || !test->ends_at_nul ||
	    test->field->place != PEAT_PLACE_OFFSET || !test->field->bytes)
		return false;
	pattern->offset = PEAT_TERM_ORIGIN + field_offset(test);
	*room = test->field->bytes;
	return true;
}

#define TEXT_BYTES_MAX (PEAT_TERMS * 8)

/* The text that a test compares a field with. */
struct wanted {
	unsigned char bytes[TEXT_BYTES_MAX + 1], mask[TEXT_BYTES_MAX + 1];
	bool has_blanks;
};

/* A blank of the text is a NUL between two strings of the event, or a blank. */
static void read_wanted(const struct where_test *test, struct wanted *wanted)
{
	memset(wanted, 0, sizeof(*wanted));
	memset(wanted->mask, UINT8_MAX, sizeof(wanted->mask));
	memcpy(wanted->bytes, test->text, test->text_bytes);
	for (uint32_t i = 0; i < test->text_bytes; i++) {
		if (wanted->bytes[i] != ' ')
			continue;
		wanted->mask[i] = (unsigned char)~' ';
		wanted->has_blanks = true;
	}
}

/* Whether events that have all fields may lack bytes of this text. */
static bool can_be_short(const struct compiler *compiler, const struct where_test *test)
{
	return test->operand == WHERE_FIELD &&
	       compiler->needed < field_offset(test) + test->field->bytes;
}

/*
 * Continues after a text that is equal up to its NUL.  Other strings may follow in an event that
 * ends inside the array, and not with the first of them (field/several_strings.h).
 */
static uint32_t compile_strings(struct compiler *compiler, const struct where_test *test,
				uint32_t yes)
{
	uint32_t begin = field_offset(test), end = begin + test->field->bytes;
	uint32_t alone = test->text_bytes + 1; /* bytes */

	if (alone < APPENDED_PADDING_MAX)
		alone = APPENDED_PADDING_MAX;
	if (begin + alone + 1 >= end)
		return yes;
	return put_shorter(compiler, begin + alone + 1, yes, put_shorter(compiler, end, OPEN, yes));
}

/* Events with the whole array end their text at its first NUL; in others a blank can be a NUL. */
static uint32_t compile_blanks(struct compiler *compiler, const struct where_test *test,
			       const struct pattern *pattern, const struct wanted *wanted,
			       const struct targets *targets)
{
	struct targets may_match = { OPEN, targets->no, targets->is_negated };
	struct pattern masked = *pattern;
	uint32_t end = field_offset(test) + test->field->bytes, whole, part;

	if (!has_room(compiler, 2 * count_loads(pattern) + 1))
		return cannot_decide(compiler, targets);
	masked.mask = wanted->mask;
	masked.bytes = test->text_bytes;
	whole = compile_pattern(compiler, pattern, targets);
	part = compile_pattern(compiler, &masked, &may_match);
	return put_shorter(compiler, end, part, whole);
}

static uint32_t compile_wanted(struct compiler *compiler, const struct where_test *test,
			       const struct pattern *pattern, const struct wanted *wanted,
			       const struct targets *targets)
{
	struct targets inner = *targets;
	bool ends = pattern->bytes > test->text_bytes;

	if (!can_be_short(compiler, test))
		return compile_pattern(compiler, pattern, targets);
	if (wanted->has_blanks)
		return compile_blanks(compiler, test, pattern, wanted, targets);
	if (!has_room(compiler, count_loads(pattern) + (ends ? 2 : 0)))
		return cannot_decide(compiler, targets);
	if (ends)
		inner.yes = compile_strings(compiler, test, targets->yes);
	return compile_pattern(compiler, pattern, &inner);
}

static uint32_t compile_text(struct compiler *compiler, const struct where_test *test,
			     const struct targets *targets)
{
	struct pattern pattern;
	struct wanted wanted;
	uint32_t room;

	if (test->op == WHERE_TEXT_GLOB || !find_text(compiler, test, &pattern, &room))
		return cannot_decide(compiler, targets);
	if (test->text_bytes > room || memchr(test->text, '\0', test->text_bytes))
		return targets->no;
	if (test->text_bytes > TEXT_BYTES_MAX)
		return cannot_decide(compiler, targets);
	read_wanted(test, &wanted);
	pattern.value = wanted.bytes;
	pattern.bytes = test->text_bytes;
	if (test->op == WHERE_TEXT_EQUAL && test->text_bytes < room)
		pattern.bytes++; /* its NUL */
	return compile_wanted(compiler, test, &pattern, &wanted, targets);
}

/* ---- expressions ----------------------------------------------------------------------------- */

/* Whether the size of an event decides if it has room for the operand.  Notes the bytes that terms
 * read. */
static bool has_operand(struct compiler *compiler, const struct where_test *test)
{
	uint32_t end;

	if (test->operand == WHERE_TIME || test->operand == WHERE_COMM ||
	    test->operand == WHERE_SAMPLED)
		return false;
	if (test->operand != WHERE_FIELD || !test->field)
		return true;
	end = field_offset(test) + test->field->bytes;
	if (end > compiler->bytes)
		compiler->bytes = end;
	end = test->base + where_presence__end(test->field);
	if (end > compiler->bytes)
		compiler->bytes = end;
	return where_needs__bytes(test);
}

/* The least size of an event with the fields of all tests, as far as sizes decide that. */
static uint32_t count_needed(const struct where_test *test)
{
	uint32_t a, b;

	while (test->op == WHERE_NOT)
		test = test->a;
	if (test->op != WHERE_AND && test->op != WHERE_OR)
		return where_needs__bytes(test);
	a = count_needed(test->a);
	b = count_needed(test->b);
	return a > b ? a : b;
}

static uint32_t compile(struct compiler *compiler, const struct where_test *test,
			struct targets targets)
{
	struct targets inner = targets;
	bool exists;

	switch (test->op) {
	case WHERE_NOT:
		return compile(compiler, test->a,
			       (struct targets){ targets.no, targets.yes, !targets.is_negated });
	case WHERE_AND:
		inner.yes = compile(compiler, test->b, targets);
		return compile(compiler, test->a, inner);
	case WHERE_OR:
		inner.no = compile(compiler, test->b, targets);
		return compile(compiler, test->a, inner);
	default:
		break;
	}
	compiler->test = test;
	exists = has_operand(compiler, test);
	switch (test->op) {
	case WHERE_FALSE: /* also a comparison that no value of its field can meet */
	case WHERE_TRUE:
		/* Without its operand, an event does not match, whatever the comparison. */
		compiler->is_exact &= exists;
		return test->op == WHERE_TRUE ? targets.yes : targets.no;
	case WHERE_EQUAL:
	case WHERE_LESS:
	case WHERE_ANY_BIT:
		return compile_number(compiler, test, &targets);
	case WHERE_BYTES_EQUAL:
		return compile_bytes(compiler, test, &targets);
	case WHERE_TEXT_EQUAL:
	case WHERE_TEXT_BEGINS:
	case WHERE_TEXT_GLOB:
		return compile_text(compiler, test, &targets);
	default:
		return cannot_decide(compiler, &targets);
	}
}

/* Events without one of the fields are rejected, whatever the other tests: these terms are first.
 */
static void require_fields(struct compiler *compiler, const struct where_test *test,
			   uint32_t *first)
{
	for (;; test = test->b) {
		while (test->op == WHERE_NOT)
			test = test->a;
		if (test->op != WHERE_AND && test->op != WHERE_OR)
			break;
		require_fields(compiler, test->a, first);
	}
	if (test->field && test->field->presence && !test->array &&
	    !where_presence__put(compiler->to, test->field, test->base, first))
		compiler->is_exact = false;
}

enum where_part where_terms__add(struct where_terms *terms, uint32_t btf_id,
				 const struct where_test *test)
{
	struct compiler compiler = { .to = terms, .is_exact = true };
	struct peat_term_type *type;
	uint32_t first = FAIL;

	terms->left_count = 0;
	if (terms->type_count == PEAT_TERM_TYPES)
		return WHERE_NOTHING;
	if (test) {
		compiler.needed = count_needed(test);
		first = compile(&compiler, test, (struct targets){ PASS, FAIL, false });
		require_fields(&compiler, test, &first);
	}
	if (compiler.bytes > UINT16_MAX - PEAT_TERM_ORIGIN || (first == PASS && !compiler.is_exact))
		return WHERE_NOTHING;
	if (first == PASS && !compiler.needed)
		return WHERE_ALL;
	type = &terms->types[terms->type_count++];
	*type = (struct peat_term_type){
		.type = btf_id,
		.first = (unsigned short)first,
		.bytes = (unsigned short)compiler.needed,
		.read_bytes = (unsigned short)compiler.bytes,
	};
	return compiler.is_exact ? WHERE_ALL : WHERE_PART;
}
