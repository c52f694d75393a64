// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* functions/type_members.c: members of a struct or union, with those of anonymous ones inside. */
#include <errno.h>
#include <linux/btf.h>
#include <string.h>
#include <bpf/btf.h>

#include "functions/plain_type.h"
#include "functions/type_members.h"

#define DEPTH_MAX   32
#define MEMBERS_MAX 65536 /* visited in all: structs that contain each other would have no end */

struct visit {
	const struct btf *btf;
	type_members_visitor visit;
	void *context;
	uint32_t members, depth;
};

static int visit_struct(struct visit *visit, const struct btf_type *type, uint64_t bit);

/* Other members without a name are padding. */
static int visit_anonymous(struct visit *visit, const struct type_member *member)
{
	struct plain_type plain;
	int result = plain_type__find(&plain, visit->btf, member->type);

	if (result || !btf_is_composite(plain.type))
		return result;
	if (visit->depth == DEPTH_MAX)
		return -EBADMSG;
	visit->depth++;
	result = visit_struct(visit, plain.type, member->bit);
	visit->depth--;
	return result;
}

static int visit_member(struct visit *visit, const struct btf_type *type, uint32_t i, uint64_t bit)
{
	const struct btf_member *at = btf_members(type) + i;
	struct type_member member = {
		.name = btf__name_by_offset(visit->btf, at->name_off),
		.type = at->type,
		.bit = bit + btf_member_bit_offset(type, i),
		.bits = btf_member_bitfield_size(type, i),
	};

	if (++visit->members > MEMBERS_MAX || !member.name)
		return -EBADMSG;
	if (!*member.name)
		return visit_anonymous(visit, &member);
	return visit->visit(visit->context, &member);
}

static int visit_struct(struct visit *visit, const struct btf_type *type, uint64_t bit)
{
	int result = 0;

	for (uint32_t i = 0; !result && i < btf_vlen(type); i++)
		result = visit_member(visit, type, i, bit);
	return result;
}

int type_members__each(const struct btf *btf, const struct btf_type *type,
		       type_members_visitor visit, void *context)
{
	struct visit all = { .btf = btf, .visit = visit, .context = context };

	return visit_struct(&all, type, 0);
}

struct wanted {
	const char *name;
	size_t bytes;
	struct type_member *found;
};

static bool is_wanted(void *context, const struct type_member *member)
{
	const struct wanted *wanted = context;

	if (strlen(member->name) != wanted->bytes ||
	    memcmp(member->name, wanted->name, wanted->bytes) != 0)
		return false;
	*wanted->found = *member;
	return true;
}

/* An array without a size begins at the end of the struct. */
int type_members__find(const struct btf *btf, const struct btf_type *type, const char *name,
		       size_t bytes, struct type_member *found)
{
	struct wanted wanted = { name, bytes, found };
	int result = type_members__each(btf, type, is_wanted, &wanted);

	if (result <= 0)
		return result ? result : -ENOENT;
	return found->bit / 8 > type->size ? -EBADMSG : 0;
}
