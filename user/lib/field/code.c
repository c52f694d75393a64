// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* field/code.c: addresses of code, and stacks. */
#include <stdlib.h>
#include <string.h>

#include <peat/wire.h>

#include "field/field_text.h"
#include "field/field_value.h"
#include "field/fields.h"

/* ---- text ------------------------------------------------------------------------------------ */

enum symbols field_text__symbols(const struct peat_field *field, enum symbols symbols)
{
	const struct peat_schema *schema = field->schema;

	if (!schema || !schema->is_recorded)
		return symbols;
	if (!schema->same_kernel)
		return SYMBOLS_NONE;
	return symbols < SYMBOLS_LASTING ? symbols : SYMBOLS_LASTING;
}

uint64_t *field_text__stack(const struct peat_field *field, uint64_t number, int64_t *id,
			    uint32_t *count)
{
	uint32_t unused = 64 - (field->bits ? field->bits : field->bytes * 8);
	const struct peat_schema *schema = field->schema;
	uint64_t *addresses;

	*count = 0;
	*id = (int64_t)(number << unused) >> unused; /* signed, whatever the type */
	if (*id < 0 || *id > UINT32_MAX || !schema || schema->stacks_fd < 0 || !schema->stack_max)
		return NULL;
	addresses = calloc(schema->stack_max, sizeof(*addresses));
	if (!addresses)
		return NULL;
	*count = kallsyms__stack(schema->stacks_fd, (uint32_t)*id, addresses, schema->stack_max);
	if (*count)
		return addresses;
	free(addresses);
	return NULL;
}

/* Prints the id of a stack without frames.  A negative id is an error, printed by its name. */
static void append_stack_id(struct strbuf *out, int64_t id)
{
	const char *name = field_text__errno_name(id);

	if (name)
		strbuf__text(out, name);
	else
		strbuf__signed(out, id);
}

/* Names of user frames need the process: peat_symbols__field(). */
static void append_stack(struct strbuf *out, const struct peat_field *field, uint64_t number,
			 struct field_style style)
{
	bool is_kernel = field_type__of(field)->frames == FIELD_KERNEL_FRAMES;
	uint32_t count;
	int64_t id;
	uint64_t *addresses = field_text__stack(field, number, &id, &count);

	if (!count || style.frames_apart)
		append_stack_id(out, id);
	for (uint32_t i = 0; i < count && !style.frames_apart; i++) {
		if (i)
			strbuf__char(out, ';');
		if (is_kernel)
			kallsyms__append(out, addresses[i],
					 field_text__symbols(field, style.symbols));
		else
			strbuf__hex(out, addresses[i]);
	}
	free(addresses);
}

static void append_symbol(struct strbuf *out, const struct peat_field *field, uint64_t number,
			  struct field_style style)
{
	kallsyms__append(out, number, field_text__symbols(field, style.symbols));
}

/* The addresses, as numbers; "[]" if their lengths do not fit. */
static void append_stacks(struct strbuf *out, const void *at, uint32_t count,
			  struct field_style style)
{
	struct peat_stacks head = { 0 };
	uint32_t bytes;
	uint64_t word;

	(void)style;
	if (count >= sizeof(head))
		memcpy(&head, at, sizeof(head));
	head.kernel_bytes &= (unsigned short)~PEAT_STACKS_INTERRUPTED;
	bytes = (uint32_t)head.kernel_bytes + head.user_bytes;
	if (bytes + sizeof(head) > count)
		bytes = 0;
	strbuf__char(out, '[');
	for (uint32_t i = 0; i + sizeof(word) <= bytes; i += (uint32_t)sizeof(word)) {
		memcpy(&word, (const char *)at + sizeof(head) + i, sizeof(word));
		if (i)
			strbuf__char(out, ' ');
		strbuf__hex(out, word);
	}
	strbuf__char(out, ']');
}

/* ---- rows ------------------------------------------------------------------------------------ */

const struct field_type field_type__kaddr = {
	.kind = PEAT_FIELD_KADDR,
	.tag = "kaddr",
	.word = "kernel symbol",
	.class = PEAT_CLASS_CODE,
	.fits = 8,
	.width = FIELD_TEXT_WIDTH,
	.number = append_symbol,
	.parse = field_value__parse_number,
	.format = FIELD_FORMAT_SYMBOL,
};

const struct field_type field_type__kstack = {
	.kind = PEAT_FIELD_KSTACK,
	.tag = "kstack",
	.word = "kernel stack",
	.class = PEAT_CLASS_CODE,
	.fits = 4 | 8,
	.sign = FIELD_SIGN_ALWAYS,
	.frames = FIELD_KERNEL_FRAMES,
	.width = FIELD_TEXT_WIDTH,
	.number = append_stack,
	.parse = field_value__parse_number,
};

const struct field_type field_type__ustack = {
	.kind = PEAT_FIELD_USTACK,
	.tag = "ustack",
	.word = "user stack",
	.class = PEAT_CLASS_CODE,
	.fits = 4 | 8,
	.sign = FIELD_SIGN_ALWAYS,
	.frames = FIELD_USER_FRAMES,
	.width = FIELD_TEXT_WIDTH,
	.number = append_stack,
	.parse = field_value__parse_number,
};

const struct field_type field_type__stack = {
	.kind = PEAT_FIELD_STACK,
	.tag = "stack",
	.word = "stack",
	.class = PEAT_CLASS_STACK,
	.width = FIELD_TEXT_WIDTH,
	.text = append_stacks,
};
