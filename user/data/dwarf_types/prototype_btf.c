// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* dwarf_types/prototype_btf.c: converts functions and their types, each entry to one type. */
#include "base/errors.h"

#ifdef HAVE_LIBDW

#include <bpf/btf.h>
#include <dwarf.h>
#include <errno.h>
#include <linux/btf.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/array.h"
#include "base/hash.h"
#include "base/sip_hash.h"
#include "base/text.h"
#include "dwarf_types/dwarf_entry.h"
#include "dwarf_types/prototype_btf.h"

#define TYPES_MAX      65536 /* structs may lead to any number */
#define CHAIN_MAX      16    /* references that are not types of their own */
#define LIST_MAX       65535 /* members and values of a type of BTF */
#define PARAMETERS_MAX 1000
#define MEMBER_MAX     (1 << 21) /* offset of a member, bytes: a bit-field in BTF has 24 bits */

/* Types that are always there; that of unknown ones is an array without elements. */
enum { VOID, INDEX, BYTE, UNKNOWN, FIRST_ID };

enum node_kind { NODE_FUNCTION, NODE_PROTOTYPE, NODE_TYPE };

/* An entry, or a dimension of an array. */
struct node_key {
	const void *entry;
	uint32_t kind, dimension;
};

struct node {
	struct hash_link link;
	struct node_key key;
	uint32_t id;
	Dwarf_Die die;
	const char *name; /* of a function */
};

struct prototype_btf {
	struct btf *btf;
	struct node **nodes; /* by id, from FIRST_ID on */
	uint32_t count, room;
	uint32_t types, entries, entries_most;
	struct hash by_key;
	struct arena arena;
	const Dwarf_CU *unit; /* of the last function */
	bool unit_has_types;
	bool has_members;
	bool has_failed; /* no memory */
};

/* ---- ids ------------------------------------------------------------------------------------- */

static struct node *find_node(const struct prototype_btf *p, const struct node_key *key,
			      uint64_t code)
{
	struct hash_link *link = hash__first(&p->by_key, code);

	for (; link; link = hash__next(link)) {
		struct node *node = HASH_ENTRY(link, struct node, link);

		if (!memcmp(&node->key, key, sizeof(*key)))
			return node;
	}
	return NULL;
}

/* NULL: no memory, which is noted. */
static struct node *add_node(struct prototype_btf *p, const struct node_key *key, uint64_t code,
			     const Dwarf_Die *die)
{
	struct node *node = NULL;

	if (ARRAY_RESERVE(p->nodes, p->count, p->room))
		node = arena__take(&p->arena, sizeof(*node));
	if (!node || hash__add(&p->by_key, &node->link, code)) {
		p->has_failed = true;
		return NULL;
	}
	node->key = *key;
	node->die = *die;
	node->id = FIRST_ID + p->count;
	node->name = NULL;
	p->nodes[p->count++] = node;
	return node;
}

/* The id that the entry's type gets, now or when its turn comes. */
static int id_of(struct prototype_btf *p, Dwarf_Die *die, enum node_kind kind, uint32_t dimension)
{
	const struct node_key key = { die->addr, kind, dimension };
	uint64_t code = sip_hash__key(&key, sizeof(key));
	struct node *node = find_node(p, &key, code);

	if (!node && p->types == TYPES_MAX)
		return UNKNOWN;
	if (!node) {
		p->types++;
		node = add_node(p, &key, code, die);
	}
	return node ? (int)node->id : UNKNOWN;
}

/* ---- references ------------------------------------------------------------------------------ */

/* An entry that is another one for BTF.  With a signature, the type has a unit of its own. */
static bool refers(Dwarf_Die *die, Dwarf_Die *to)
{
	Dwarf_Attribute attr;

	if (dwarf_tag(die) == DW_TAG_atomic_type)
		return dwarf_entry__type(die, to);
	return dwarf_formref_die(dwarf_attr(die, DW_AT_signature, &attr), to);
}

static int id_of_type(struct prototype_btf *p, Dwarf_Die *die)
{
	Dwarf_Die type = *die, next;

	for (int i = 0; i < CHAIN_MAX && refers(&type, &next); i++)
		type = next;
	if (dwarf_tag(&type) == DW_TAG_unspecified_type)
		return VOID;
	return id_of(p, &type,
		     dwarf_tag(&type) == DW_TAG_subroutine_type ? NODE_PROTOTYPE : NODE_TYPE, 0);
}

/* The id of the type that an entry refers to; `otherwise`: it refers to none. */
static int id_of_target(struct prototype_btf *p, Dwarf_Die *die, int otherwise)
{
	Dwarf_Attribute attr;
	Dwarf_Die type;

	if (!dwarf_formref_die(dwarf_attr_integrate(die, DW_AT_type, &attr), &type))
		return otherwise;
	return id_of_type(p, &type);
}

/* A list of entries may be a circle. */
static bool may_visit(struct prototype_btf *p)
{
	return p->entries++ < p->entries_most && !p->has_failed;
}

/* ---- numbers, enums, arrays ------------------------------------------------------------------ */

static int add_bytes(struct prototype_btf *p, uint64_t bytes)
{
	return btf__add_array(p->btf, INDEX, BYTE, bytes < UINT32_MAX ? (uint32_t)bytes : 0);
}

static int add_base(struct prototype_btf *p, Dwarf_Die *die)
{
	struct dwarf_number number;

	return dwarf_entry__number(die, &number) ? dwarf_entry__add_number(p->btf, &number)
						 : add_bytes(p, number.bytes);
}

/* The kernel refuses types with other names, such as those of templates. */
static bool is_identifier(const char *name)
{
	size_t bytes =
		strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789");

	return bytes && bytes < 256 && !name[bytes] && (name[0] < '0' || name[0] > '9');
}

static int add_value(struct prototype_btf *p, Dwarf_Die *die, bool is_large)
{
	const char *name = dwarf_entry__name(die);
	int64_t value;

	if (dwarf_tag(die) != DW_TAG_enumerator || !is_identifier(name) ||
	    !dwarf_entry__enum_value(die, &value))
		return 0;
	if (is_large)
		return btf__add_enum64_value(p->btf, name, (uint64_t)value);
	if (value < INT32_MIN || value > UINT32_MAX)
		return 0;
	return btf__add_enum_value(p->btf, name, value);
}

static int add_values(struct prototype_btf *p, Dwarf_Die *parent, bool is_large)
{
	uint32_t count = 0;
	Dwarf_Die die;
	int err = 0, more = dwarf_child(parent, &die);

	for (; !err && !more && count < LIST_MAX && may_visit(p); count++) {
		err = add_value(p, &die, is_large);
		more = dwarf_siblingof(&die, &die);
	}
	return err;
}

static int add_enum(struct prototype_btf *p, Dwarf_Die *die)
{
	uint64_t bytes = dwarf_entry__bytes(die);
	const char *name = dwarf_entry__name(die);
	int id, err;

	if (!dwarf_entry__is_power_of_two(bytes) || bytes > 8)
		return add_bytes(p, bytes);
	name = is_identifier(name) ? name : NULL;
	id = bytes == 8 ? btf__add_enum64(p->btf, name, 8, dwarf_entry__has_signed_values(die))
			: btf__add_enum(p->btf, name, (uint32_t)bytes);
	if (id < 0)
		return id;
	err = add_values(p, die, bytes == 8);
	return err ? err : id;
}

/* The dimension with this index.  Sets `is_last`.  False: there is none. */
static bool find_dimension(struct prototype_btf *p, Dwarf_Die *parent, uint32_t index,
			   uint64_t *elements, bool *is_last)
{
	Dwarf_Die die;
	uint32_t count = 0;
	int more = dwarf_child(parent, &die);

	for (; !more && may_visit(p); more = dwarf_siblingof(&die, &die)) {
		if (dwarf_tag(&die) != DW_TAG_subrange_type)
			continue;
		if (count == index)
			*elements = dwarf_entry__elements(&die);
		if (++count > index + 1)
			break;
	}
	*is_last = count == index + 1;
	return count > index;
}

static int add_array(struct prototype_btf *p, Dwarf_Die *die, uint32_t dimension)
{
	uint64_t elements = 0;
	bool is_last;
	int element;

	if (dwarf_hasattr(die, DW_AT_GNU_vector) ||
	    !find_dimension(p, die, dimension, &elements, &is_last) || elements > UINT32_MAX)
		return add_bytes(p, 0);
	element = is_last ? id_of_target(p, die, UNKNOWN) : id_of(p, die, NODE_TYPE, dimension + 1);
	return btf__add_array(p->btf, INDEX, element, (uint32_t)elements);
}

/* ---- structs --------------------------------------------------------------------------------- */

/* The bytes of a number that a member is, which old bit-fields are placed in. */
static uint64_t type_bytes(Dwarf_Die *member)
{
	Dwarf_Die type = *member;

	for (int i = 0; i < CHAIN_MAX && dwarf_entry__type(&type, &type); i++)
		if (dwarf_entry__bytes(&type))
			return dwarf_entry__bytes(&type);
	return 0;
}

/* A base class is a member without a name.  Static members, and virtual base classes, are left out.
 */
static int add_member(struct prototype_btf *p, Dwarf_Die *die)
{
	int tag = dwarf_tag(die);
	struct dwarf_place place;

	if ((tag != DW_TAG_member && tag != DW_TAG_inheritance) ||
	    dwarf_hasattr(die, DW_AT_declaration) || dwarf_hasattr(die, DW_AT_external) ||
	    dwarf_entry__place(die, type_bytes(die), MEMBER_MAX - 1, &place))
		return 0;
	return btf__add_field(p->btf, tag == DW_TAG_member ? dwarf_entry__name(die) : "",
			      id_of_target(p, die, UNKNOWN), (uint32_t)place.bit,
			      (uint32_t)place.bits);
}

static int add_members(struct prototype_btf *p, Dwarf_Die *parent)
{
	uint32_t count = 0;
	Dwarf_Die die;
	int err = 0, more = dwarf_child(parent, &die);

	for (; !err && !more && count < LIST_MAX && may_visit(p); count++) {
		err = add_member(p, &die);
		more = dwarf_siblingof(&die, &die);
	}
	return err;
}

static int add_composite(struct prototype_btf *p, Dwarf_Die *die)
{
	uint64_t bytes = dwarf_entry__bytes(die);
	const char *name = dwarf_entry__name(die);
	bool is_union = dwarf_tag(die) == DW_TAG_union_type;
	int id, err;

	if (dwarf_hasattr(die, DW_AT_declaration) && *name)
		return btf__add_fwd(p->btf, name, is_union ? BTF_FWD_UNION : BTF_FWD_STRUCT);
	if (bytes > UINT32_MAX)
		return add_bytes(p, 0);
	id = is_union ? btf__add_union(p->btf, name, (uint32_t)bytes)
		      : btf__add_struct(p->btf, name, (uint32_t)bytes);
	if (id < 0 || !p->has_members)
		return id;
	err = add_members(p, die);
	return err ? err : id;
}

/* ---- functions ------------------------------------------------------------------------------- */

static int add_parameters(struct prototype_btf *p, Dwarf_Die *parent, uint32_t *count,
			  bool is_pack);

/* A pack of a template is a list inside the list. */
static int add_parameter(struct prototype_btf *p, Dwarf_Die *die, uint32_t *count, bool is_pack)
{
	switch (dwarf_tag(die)) {
	case DW_TAG_formal_parameter:
		++*count;
		return btf__add_func_param(p->btf, dwarf_entry__name(die),
					   id_of_target(p, die, UNKNOWN));
	case DW_TAG_GNU_formal_parameter_pack:
		return is_pack ? 0 : add_parameters(p, die, count, true);
	case DW_TAG_unspecified_parameters:
		*count = PARAMETERS_MAX; /* the last one */
		return btf__add_func_param(p->btf, "", VOID);
	default:
		return 0;
	}
}

static int add_parameters(struct prototype_btf *p, Dwarf_Die *parent, uint32_t *count, bool is_pack)
{
	Dwarf_Die die;
	int err = 0, more = dwarf_child(parent, &die);

	while (!err && !more && may_visit(p) && *count < PARAMETERS_MAX) {
		err = add_parameter(p, &die, count, is_pack);
		more = dwarf_siblingof(&die, &die);
	}
	return err;
}

static int add_prototype(struct prototype_btf *p, Dwarf_Die *die)
{
	uint32_t count = 0;
	int id = btf__add_func_proto(p->btf, id_of_target(p, die, VOID));
	int err = id < 0 ? id : add_parameters(p, die, &count, false);

	return err ? err : id;
}

/* ---- all types ------------------------------------------------------------------------------- */

static int add_typedef(struct prototype_btf *p, Dwarf_Die *die)
{
	const char *name = dwarf_entry__name(die);
	int target = id_of_target(p, die, VOID);

	return *name ? btf__add_typedef(p->btf, name, target) : add_bytes(p, 0);
}

static int add_type(struct prototype_btf *p, Dwarf_Die *die, uint32_t dimension)
{
	switch (dwarf_tag(die)) {
	case DW_TAG_base_type:
		return add_base(p, die);
	case DW_TAG_enumeration_type:
		return add_enum(p, die);
	case DW_TAG_array_type:
		return add_array(p, die, dimension);
	case DW_TAG_structure_type:
	case DW_TAG_class_type:
	case DW_TAG_union_type:
		return add_composite(p, die);
	case DW_TAG_typedef:
		return add_typedef(p, die);
	case DW_TAG_const_type:
		return btf__add_const(p->btf, id_of_target(p, die, VOID));
	case DW_TAG_volatile_type:
		return btf__add_volatile(p->btf, id_of_target(p, die, VOID));
	case DW_TAG_restrict_type:
		return btf__add_restrict(p->btf, id_of_target(p, die, VOID));
	case DW_TAG_pointer_type:
	case DW_TAG_reference_type:
	case DW_TAG_rvalue_reference_type:
		return btf__add_ptr(p->btf, id_of_target(p, die, VOID));
	default:
		return add_bytes(p, dwarf_entry__bytes(die));
	}
}

static int add_node_type(struct prototype_btf *p, struct node *node)
{
	switch ((enum node_kind)node->key.kind) {
	case NODE_FUNCTION: /* its prototype is the next node */
		return btf__add_func(p->btf, node->name, BTF_FUNC_STATIC, (int)node->id + 1);
	case NODE_PROTOTYPE:
		return add_prototype(p, &node->die);
	case NODE_TYPE:
		break;
	}
	return add_type(p, &node->die, node->key.dimension);
}

/* Converting a node can add others at the end. */
static int convert_all(struct prototype_btf *p)
{
	for (uint32_t i = 0; i < p->count; i++) {
		int id = add_node_type(p, p->nodes[i]);

		if (p->has_failed || id == -ENOMEM)
			return -ENOMEM;
		if (id != (int)p->nodes[i]->id)
			return -EBADMSG;
	}
	return 0;
}

/* ---- the interface --------------------------------------------------------------------------- */

static int add_first_types(struct btf *btf)
{
	if (btf__set_pointer_size(btf, 8) ||
	    btf__add_int(btf, "__ARRAY_SIZE_TYPE__", 4, 0) != INDEX ||
	    btf__add_int(btf, "unsigned char", 1, 0) != BYTE ||
	    btf__add_array(btf, INDEX, BYTE, 0) != UNKNOWN)
		return -ENOMEM;
	return 0;
}

struct prototype_btf *prototype_btf__new(bool has_members, uint32_t entries_most)
{
	struct prototype_btf *p = calloc(1, sizeof(*p));

	if (!p)
		return fail_null(-ENOMEM);
	p->has_members = has_members;
	p->entries_most = entries_most;
	p->btf = btf__new_empty();
	if (p->btf && !add_first_types(p->btf))
		return p;
	prototype_btf__free(p);
	return fail_null(-ENOMEM);
}

void prototype_btf__free(struct prototype_btf *p)
{
	if (!p)
		return;
	btf__free(p->btf);
	hash__free(&p->by_key);
	arena__free(&p->arena);
	free(p->nodes);
	free(p);
}

/*
 * Constructors and destructors of C++ have parameters that the entry of the source lists, and that
 * only some of the functions made from it get.
 */
static bool has_hidden_parameters(struct prototype_btf *p, Dwarf_Die *parent)
{
	Dwarf_Die die;
	int more = dwarf_child(parent, &die);

	for (; !more && may_visit(p); more = dwarf_siblingof(&die, &die))
		if (dwarf_tag(&die) == DW_TAG_formal_parameter &&
		    begins_with(dwarf_entry__name(&die), "__") &&
		    dwarf_hasattr_integrate(&die, DW_AT_artificial))
			return true;
	return false;
}

/*
 * An out-of-line copy of a function refers to the entry of the source, which has all parameters,
 * also those that are not used.
 */
static Dwarf_Die find_parameters(struct prototype_btf *p, const Dwarf_Die *concrete)
{
	Dwarf_Die origin = *concrete;
	Dwarf_Attribute attr;

	for (int i = 0; i < CHAIN_MAX; i++)
		if (!dwarf_formref_die(dwarf_attr(&origin, DW_AT_abstract_origin, &attr), &origin))
			break;
	return has_hidden_parameters(p, &origin) ? *concrete : origin;
}

/* Compilers note functions whose arguments they have changed without changing the name. */
static bool is_as_declared(Dwarf_Die *concrete)
{
	Dwarf_Attribute attr;
	Dwarf_Word convention;

	return dwarf_formudata(dwarf_attr_integrate(concrete, DW_AT_calling_convention, &attr),
			       &convention) ||
	       convention == DW_CC_normal;
}

/* Whether a unit has types; with -g1, functions look like void f(void). */
static bool has_types(struct prototype_btf *p, Dwarf_Die *unit)
{
	Dwarf_Die die;
	int more = dwarf_child(unit, &die);

	for (; !more && may_visit(p); more = dwarf_siblingof(&die, &die)) {
		switch (dwarf_tag(&die)) {
		case DW_TAG_base_type:
		case DW_TAG_pointer_type:
		case DW_TAG_structure_type:
		case DW_TAG_typedef:
		case DW_TAG_imported_unit:
			return true;
		default:
			break;
		}
	}
	return false;
}

static bool unit_has_types(struct prototype_btf *p, const Dwarf_Die *die)
{
	Dwarf_Die unit;

	if (p->unit != die->cu) {
		p->unit = die->cu;
		p->unit_has_types =
			dwarf_cu_die(die->cu, &unit, NULL, NULL, NULL, NULL, NULL, NULL) &&
			has_types(p, &unit);
	}
	return p->unit_has_types;
}

static struct node *add_function_node(struct prototype_btf *p, Dwarf_Die *die, enum node_kind kind)
{
	/* Functions that share an entry have nodes of their own. */
	const struct node_key key = { die->addr, kind, p->count };

	return add_node(p, &key, sip_hash__key(&key, sizeof(key)), die);
}

int prototype_btf__add(struct prototype_btf *p, Dwarf_Die *die, const char *name)
{
	Dwarf_Die described;
	struct node *node;

	if (!is_as_declared(die))
		return 0;
	described = find_parameters(p, die);
	if (!unit_has_types(p, &described))
		return 0;
	node = add_function_node(p, &described, NODE_FUNCTION);
	if (!node || !add_function_node(p, &described, NODE_PROTOTYPE))
		return -ENOMEM;
	node->name = arena__copy(&p->arena, name, strlen(name));
	return node->name ? (int)node->id : -ENOMEM;
}

struct btf *prototype_btf__finish(struct prototype_btf *p)
{
	int err = convert_all(p);
	struct btf *btf = p->btf;

	if (err)
		return fail_null(err);
	p->btf = NULL;
	return btf;
}

#endif /* HAVE_LIBDW */
