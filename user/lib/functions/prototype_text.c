// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* functions/prototype_text.c: prototypes as in C. */
#include <linux/btf.h>
#include <string.h>
#include <bpf/btf.h>

#include "functions/function_field.h"
#include "functions/plain_type.h"

#define CHAIN_MAX 32   /* pointers, arrays and qualifiers of a type */
#define TEXT_MAX  4096 /* of a prototype */

struct text {
	struct strbuf *out;
	const struct btf *btf;
	size_t start;	/* of the prototype in `out` */
	uint32_t depth; /* of parameters of parameters */
};

/* ---- words ----------------------------------------------------------------------------------- */

static bool is_word(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
	       c == '_' || c == '}' || c == '>' || c == '?';
}

static bool is_full(const struct text *text)
{
	return text->out->failed || text->out->count - text->start > TEXT_MAX;
}

/* Appends a name or "*", with a space after a word. */
static void append_word(const struct text *text, const char *word)
{
	const struct strbuf *out = text->out;

	if (out->count > text->start && is_word(out->bytes[out->count - 1]))
		strbuf__char(text->out, ' ');
	strbuf__text(text->out, word);
}

static void append_named(const struct text *text, const struct btf_type *type)
{
	const char *name = btf__name_by_offset(text->btf, type->name_off);
	const char *keyword = plain_type__keyword(type);

	if (*keyword) {
		append_word(text, keyword);
		strbuf__text(text->out, name && *name ? name : "{...}");
	} else {
		append_word(text, name && *name ? name : "?");
	}
}

static const char *qualifier(const struct btf_type *type)
{
	if (btf_is_const(type))
		return "const";
	if (btf_is_volatile(type))
		return "volatile";
	return btf_is_restrict(type) ? "restrict" : NULL; /* a tag is no word of C */
}

/* ---- declarations ---------------------------------------------------------------------------- */

/*
 * A declaration is written from the name outwards: before it the types that it points to, after it
 * sizes of arrays and parameters of functions.
 */
static void append_before(const struct text *text, uint32_t id, uint32_t chain);
static void append_after(const struct text *text, uint32_t id, uint32_t chain);

static const struct btf_type *skip_qualifiers(const struct btf *btf, uint32_t id)
{
	const struct btf_type *type = btf__type_by_id(btf, id);

	for (int i = 0; type && btf_is_mod(type) && i < CHAIN_MAX; i++)
		type = btf__type_by_id(btf, type->type);
	return type;
}

/* A pointer to an array or a function is in parentheses. */
static bool needs_parentheses(const struct text *text, const struct btf_type *pointer)
{
	const struct btf_type *target = skip_qualifiers(text->btf, pointer->type);

	return target && (btf_is_array(target) || btf_is_func_proto(target));
}

static void append_pointer_before(const struct text *text, const struct btf_type *type,
				  uint32_t chain)
{
	append_before(text, type->type, chain);
	append_word(text, needs_parentheses(text, type) ? "(*" : "*");
}

/* Qualifiers are after the "*" of a pointer, and before other types. */
static void append_qualified_before(const struct text *text, const struct btf_type *type,
				    uint32_t chain)
{
	const struct btf_type *target = skip_qualifiers(text->btf, type->type);
	const char *word = qualifier(type);
	bool is_after = target && btf_is_ptr(target);

	if (word && !is_after)
		append_word(text, word);
	append_before(text, type->type, chain);
	if (word && is_after)
		append_word(text, word);
}

static void append_before(const struct text *text, uint32_t id, uint32_t chain)
{
	const struct btf_type *type = btf__type_by_id(text->btf, id);

	if (!id)
		append_word(text, "void");
	else if (!type || chain == CHAIN_MAX)
		append_word(text, "?");
	else if (btf_is_ptr(type))
		append_pointer_before(text, type, chain + 1);
	else if (btf_is_mod(type))
		append_qualified_before(text, type, chain + 1);
	else if (btf_is_array(type))
		append_before(text, btf_array(type)->type, chain + 1);
	else if (btf_is_func_proto(type))
		append_before(text, type->type, chain + 1);
	else
		append_named(text, type);
}

static void append_declaration(const struct text *text, uint32_t id, const char *name)
{
	append_before(text, id, 0);
	if (name && *name)
		append_word(text, name);
	append_after(text, id, 0);
}

static void append_parameter(const struct text *text, const struct btf_param *parameter)
{
	if (parameter->type)
		append_declaration(text, parameter->type,
				   btf__name_by_offset(text->btf, parameter->name_off));
	else
		strbuf__text(text->out, "...");
}

/* Parameters of functions that are parameters of parameters are left out. */
static void append_parameters(const struct text *text, const struct btf_type *type)
{
	struct text inner = *text;
	uint32_t count = btf_vlen(type);

	strbuf__char(text->out, '(');
	if (!count)
		strbuf__text(text->out, "void");
	inner.depth++;
	for (uint32_t i = 0; i < count; i++) {
		if (i)
			strbuf__text(text->out, ", ");
		if (text->depth > 1 || is_full(text)) {
			strbuf__text(text->out, "...");
			break;
		}
		append_parameter(&inner, &btf_params(type)[i]);
	}
	strbuf__char(text->out, ')');
}

static void append_elements(const struct text *text, const struct btf_type *type)
{
	strbuf__char(text->out, '[');
	strbuf__unsigned(text->out, btf_array(type)->nelems);
	strbuf__char(text->out, ']');
}

static void append_after(const struct text *text, uint32_t id, uint32_t chain)
{
	const struct btf_type *type = btf__type_by_id(text->btf, id);

	if (!id || !type || chain == CHAIN_MAX)
		return;
	if (btf_is_ptr(type)) {
		if (needs_parentheses(text, type))
			strbuf__char(text->out, ')');
		append_after(text, type->type, chain + 1);
	} else if (btf_is_mod(type)) {
		append_after(text, type->type, chain + 1);
	} else if (btf_is_array(type)) {
		append_elements(text, type);
		append_after(text, btf_array(type)->type, chain + 1);
	} else if (btf_is_func_proto(type)) {
		append_parameters(text, type);
		append_after(text, type->type, chain + 1);
	}
}

void prototype__append(struct strbuf *out, const struct prototype *prototype, const char *name)
{
	struct text text = { .out = out, .btf = prototype->btf, .start = out->count };

	if (prototype->btf)
		append_declaration(&text, prototype->id, name);
	else
		strbuf__text(out, name);
}
