// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* object/kernel_enums.c: copies enums of the kernel into the BTF of objects. */
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <linux/btf.h>
#include <bpf/btf.h>
#include <bpf/libbpf.h>

#include "base/log.h"
#include "base/text.h"
#include "object/kernel_enums.h"

#define TAG	     "peat:kernel_enum:"
#define NAME_ROOM    64
#define MEMBER_BYTES 4

/* The enum of a tag: "NAME,PREFIX", where the prefix is left out of the names of values. */
struct wanted {
	char name[NAME_ROOM];
	const char *prefix;
};

static bool read_tag(const struct btf *btf, const struct btf_type *type, struct wanted *wanted)
{
	const char *text = btf_is_decl_tag(type) ? btf__name_by_offset(btf, type->name_off) : NULL;
	size_t bytes;

	if (!text || !begins_with(text, TAG))
		return false;
	text += strlen(TAG);
	bytes = strcspn(text, ",");
	if (!text[bytes] || bytes >= sizeof(wanted->name))
		return false;
	memcpy(wanted->name, text, bytes);
	wanted->name[bytes] = '\0';
	wanted->prefix = text + bytes + 1;
	return true;
}

/* The tagged member of 4 bytes; NULL: the tag is elsewhere. */
static struct btf_member *find_member(const struct btf *btf, const struct btf_type *tag)
{
	const struct btf_type *type = btf__type_by_id(btf, tag->type);
	int member = btf_decl_tag(tag)->component_idx;

	if (!type || !btf_is_composite(type) || member < 0 || member >= btf_vlen(type) ||
	    btf__resolve_size(btf, btf_members(type)[member].type) != MEMBER_BYTES)
		return NULL;
	return btf_members(type) + member;
}

/* Returns the id of the copy, 0: the kernel has no such enum, or -ENOMEM. */
static int copy_enum(struct btf *to, const struct btf *kernel, const struct wanted *wanted)
{
	int from = btf__find_by_name_kind(kernel, wanted->name, BTF_KIND_ENUM), id, err = 0;
	size_t prefix = strlen(wanted->prefix);
	const struct btf_type *type;

	if (from < 0)
		return 0;
	type = btf__type_by_id(kernel, (uint32_t)from);
	id = btf__add_enum(to, wanted->name, MEMBER_BYTES);
	for (int i = 0; id > 0 && !err && i < btf_vlen(type); i++) {
		const char *name = btf__name_by_offset(kernel, btf_enum(type)[i].name_off);

		if (!name)
			continue;
		name += begins_with(name, wanted->prefix) ? prefix : 0;
		err = btf__add_enum_value(to, name, btf_enum(type)[i].val);
	}
	return id < 0 || err == -ENOMEM ? -ENOMEM : id;
}

/* `id`: of the tag.  Adding types moves those that there are. */
static int use_names(struct btf *btf, uint32_t id, const struct wanted *copied,
		     const struct btf *kernel)
{
	struct wanted wanted = *copied;
	char *prefix = strdup(wanted.prefix);
	int copy;

	if (!prefix)
		return -ENOMEM;
	wanted.prefix = prefix;
	copy = copy_enum(btf, kernel, &wanted);
	free(prefix);
	if (copy > 0)
		find_member(btf, btf__type_by_id(btf, id))->type = (uint32_t)copy;
	return copy < 0 ? copy : 0;
}

/* A header of odd length misaligns all types, which libbpf (1.1) does not detect. */
static bool are_types_aligned(const struct btf *btf)
{
	return (uintptr_t)btf__type_by_id(btf, 1) % _Alignof(struct btf_type) == 0;
}

int kernel_enums__copy(struct btf *to, const struct btf *kernel)
{
	uint32_t types = btf__type_cnt(to);
	int err = 0;

	if (!are_types_aligned(to) || !are_types_aligned(kernel))
		return 0;
	for (uint32_t id = 1; !err && id < types; id++) {
		const struct btf_type *type = btf__type_by_id(to, id);
		struct wanted wanted;

		if (type && read_tag(to, type, &wanted) && find_member(to, type))
			err = use_names(to, id, &wanted, kernel);
	}
	return err;
}

static bool has_tags(const struct btf *btf)
{
	struct wanted wanted;

	for (uint32_t id = 1; are_types_aligned(btf) && id < btf__type_cnt(btf); id++)
		if (read_tag(btf, btf__type_by_id(btf, id), &wanted))
			return true;
	return false;
}

int kernel_enums__use(struct bpf_object *object, const char *kernel_btf)
{
	struct btf *btf = bpf_object__btf(object), *kernel;
	int err;

	if (!btf || !has_tags(btf))
		return 0;
	kernel = kernel_btf ? btf__parse(kernel_btf, NULL) : btf__load_vmlinux_btf();
	if (!kernel) {
		log__debug("%s: no types of the kernel: names of its enums are missing",
			   bpf_object__name(object));
		return 0;
	}
	err = kernel_enums__copy(btf, kernel);
	btf__free(kernel);
	return err;
}
