// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* functions/prototype.c: finds the prototypes of functions in BTF. */
#include <errno.h>
#include <linux/btf.h>
#include <stdlib.h>
#include <string.h>
#include <bpf/btf.h>

#include "base/hash.h"
#include "base/sip_hash.h"
#include "functions/plain_type.h"
#include "functions/prototype.h"
#include "object/kernel_btf.h"

#define NAME_BYTES 512 /* longer names of functions are not found; the kernel's have less */

struct named_function {
	struct hash_link link;
	uint32_t id;	   /* id of the FUNC */
	bool is_ambiguous; /* another one of this name has another prototype */
};

/* The functions of a BTF, without those of its base. */
struct function_index {
	struct named_function *at;
	size_t count;
	struct hash by_name;
	bool is_made;
};

struct module {
	struct module *next;
	struct btf *btf; /* NULL: the module has none that can be read */
	struct function_index index;
	char name[];
};

struct prototypes {
	const struct btf *btf;
	struct btf *own; /* to be freed; NULL: the caller keeps the BTF */
	bool is_user;
	struct function_index index;
	struct module *modules;
};

/* ---- the index ------------------------------------------------------------------------------- */

/* The name of a function; NULL: another type, or an invalid name. */
static const char *function_name(const struct btf *btf, uint32_t id)
{
	const struct btf_type *type = btf__type_by_id(btf, id);

	return type && btf_is_func(type) ? btf__name_by_offset(btf, type->name_off) : NULL;
}

static struct named_function *find_named(const struct function_index *index, const struct btf *btf,
					 const char *name, size_t bytes)
{
	struct hash_link *link = hash__first(&index->by_name, sip_hash__key(name, bytes));

	for (; link; link = hash__next(link)) {
		struct named_function *one = HASH_ENTRY(link, struct named_function, link);
		const char *other = function_name(btf, one->id);

		if (other && strlen(other) == bytes && !memcmp(other, name, bytes))
			return one;
	}
	return NULL;
}

static int add_function(struct function_index *index, const struct btf *btf, uint32_t id,
			const char *name)
{
	struct named_function *one = find_named(index, btf, name, strlen(name));

	if (one) {
		if (btf__type_by_id(btf, one->id)->type != btf__type_by_id(btf, id)->type)
			one->is_ambiguous = true;
		return 0;
	}
	one = &index->at[index->count++];
	*one = (struct named_function){ .id = id };
	return hash__add(&index->by_name, &one->link, sip_hash__key(name, strlen(name)));
}

static size_t count_functions(const struct btf *btf, uint32_t first)
{
	uint32_t types = btf__type_cnt(btf);
	size_t count = 0;

	for (uint32_t id = first; id < types; id++)
		count += function_name(btf, id) != NULL;
	return count;
}

static void index__free(struct function_index *index)
{
	hash__free(&index->by_name);
	free(index->at);
	*index = (struct function_index){ 0 };
}

/* `first`: the first id that is not of the base. */
static int index__make(struct function_index *index, const struct btf *btf, uint32_t first)
{
	uint32_t types = btf__type_cnt(btf);
	int err = 0;

	index->at = calloc(count_functions(btf, first) + 1, sizeof(*index->at));
	if (!index->at)
		return -ENOMEM;
	for (uint32_t id = first; !err && id < types; id++) {
		const char *name = function_name(btf, id);

		if (name)
			err = add_function(index, btf, id, name);
	}
	if (err)
		index__free(index);
	index->is_made = !err;
	return err;
}

/* ---- opening --------------------------------------------------------------------------------- */

int prototypes__open_btf(struct prototypes **prototypes, const struct btf *btf, bool is_user)
{
	*prototypes = NULL;
	if (!plain_type__can_read(btf))
		return -EBADMSG;
	*prototypes = calloc(1, sizeof(**prototypes));
	if (!*prototypes)
		return -ENOMEM;
	(*prototypes)->btf = btf;
	(*prototypes)->is_user = is_user;
	return 0;
}

/* Other errors of libbpf are about the contents of the file; some are not of errno. */
static int parse_error(int err)
{
	return err == ENOENT || err == EACCES || err == EPERM || err == ENOMEM ? -err : -EBADMSG;
}

int prototypes__open(struct prototypes **prototypes, const char *path)
{
	struct btf *btf;
	int err;

	*prototypes = NULL;
	if (!path && kernel_btf__is_missing())
		return -ENOENT;
	btf = btf__parse(path ? path : KERNEL_BTF, NULL);
	if (!btf)
		return parse_error(errno);
	err = prototypes__open_btf(prototypes, btf, false);
	if (err)
		btf__free(btf);
	else
		(*prototypes)->own = btf;
	return err;
}

void prototypes__free(struct prototypes *prototypes)
{
	if (!prototypes)
		return;
	while (prototypes->modules) {
		struct module *module = prototypes->modules;

		prototypes->modules = module->next;
		index__free(&module->index);
		btf__free(module->btf);
		free(module);
	}
	index__free(&prototypes->index);
	btf__free(prototypes->own);
	free(prototypes);
}

/* ---- modules --------------------------------------------------------------------------------- */

/* The name becomes a file's. */
static bool is_module_name(const char *name)
{
	return *name && *name != '.' && !strchr(name, '/') && strlen(name) < 64;
}

/* A module without BTF is kept, too: it is not searched for again. */
static struct module *load_module(struct prototypes *prototypes, const char *name)
{
	size_t bytes = strlen(name) + 1;
	struct module *module = calloc(1, sizeof(*module) + bytes);

	if (!module)
		return NULL;
	memcpy(module->name, name, bytes);
	module->btf = btf__load_module_btf(name, prototypes->own);
	if (module->btf && !plain_type__can_read(module->btf)) {
		btf__free(module->btf);
		module->btf = NULL;
	}
	module->next = prototypes->modules;
	prototypes->modules = module;
	return module;
}

static struct module *find_module(struct prototypes *prototypes, const char *name)
{
	for (struct module *module = prototypes->modules; module; module = module->next)
		if (!strcmp(module->name, name))
			return module;
	return prototypes->own && is_module_name(name) ? load_module(prototypes, name) : NULL;
}

/* ---- finding --------------------------------------------------------------------------------- */

/* "f.llvm.123" is f, which the linker made visible to other files. */
static size_t name_bytes(const char *function)
{
	const char *dot = strchr(function, '.');

	return !dot || !strncmp(dot, ".llvm.", 6) ? strcspn(function, ".") : 0;
}

static bool find_in(struct function_index *index, const struct btf *btf, uint32_t first,
		    const char *function, struct prototype *found)
{
	size_t bytes = name_bytes(function);
	const struct named_function *one;
	const struct btf_type *type;
	uint32_t id;

	if (!bytes || bytes > NAME_BYTES || (!index->is_made && index__make(index, btf, first)))
		return false;
	one = find_named(index, btf, function, bytes);
	if (!one || one->is_ambiguous)
		return false;
	id = btf__type_by_id(btf, one->id)->type;
	type = btf__type_by_id(btf, id);
	if (!type || !btf_is_func_proto(type))
		return false;
	found->btf = btf;
	found->id = id;
	return true;
}

bool prototypes__find(struct prototypes *prototypes, const char *function, const char *module,
		      struct prototype *found)
{
	struct module *other;

	*found = (struct prototype){ .is_user = prototypes->is_user };
	if (!module)
		return find_in(&prototypes->index, prototypes->btf, 1, function, found);
	other = find_module(prototypes, module);
	return other && other->btf &&
	       find_in(&other->index, other->btf, btf__type_cnt(prototypes->btf), function, found);
}

uint32_t prototype__named(const struct prototype *prototype, bool *is_variadic)
{
	const struct btf_type *type =
		prototype->btf ? btf__type_by_id(prototype->btf, prototype->id) : NULL;
	uint32_t count = type ? btf_vlen(type) : 0;
	bool has_more = count && !btf_params(type)[count - 1].type;

	if (is_variadic)
		*is_variadic = has_more;
	return count - has_more;
}
