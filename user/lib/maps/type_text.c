// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* maps/type_text.c: names of BTF types. */
#include <stddef.h>
#include <bpf/btf.h>

#include "base/strbuf.h"
#include "maps/type_text.h"

#define CHAIN_MAX 32

static const char *keyword(const struct btf_type *type)
{
	if (btf_is_struct(type))
		return "struct ";
	if (btf_is_union(type))
		return "union ";
	if (btf_is_enum(type) || btf_is_enum64(type))
		return "enum ";
	return "";
}

static void append_name(struct strbuf *out, const struct btf *btf, const struct btf_type *type)
{
	const char *name = type ? btf__name_by_offset(btf, type->name_off) : NULL;

	if (type)
		strbuf__text(out, keyword(type));
	strbuf__text(out, name && *name ? name : "(unnamed)");
}

/* Appends "[27]" and " *", which follow the name. */
static void append_suffixes(struct strbuf *out, const struct strbuf *suffixes)
{
	if (suffixes->count)
		strbuf__bytes(out, suffixes->bytes, suffixes->count);
	out->failed |= suffixes->failed;
	strbuf__char(out, 0);
}

static void append_array(struct strbuf *suffixes, const struct btf_type *type)
{
	strbuf__char(suffixes, '[');
	strbuf__unsigned(suffixes, btf_array(type)->nelems);
	strbuf__char(suffixes, ']');
}

char *type_text__new(const struct btf *btf, uint32_t id)
{
	struct strbuf out = { 0 }, suffixes = { 0 };
	const struct btf_type *type = btf__type_by_id(btf, id);

	for (int i = 0; type && i < CHAIN_MAX; i++) {
		if (btf_is_array(type))
			append_array(&suffixes, type);
		else if (btf_is_ptr(type))
			strbuf__text(&suffixes, " *");
		else if (!btf_is_mod(type))
			break;
		id = btf_is_array(type) ? btf_array(type)->type : type->type;
		if (!id)
			break;
		type = btf__type_by_id(btf, id);
	}
	if (!id)
		strbuf__text(&out, "void");
	else
		append_name(&out, btf, type);
	append_suffixes(&out, &suffixes);
	strbuf__free(&suffixes);
	if (!out.failed)
		return out.bytes;
	strbuf__free(&out);
	return NULL;
}
