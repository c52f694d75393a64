// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* functions/user_prototypes.c: asks for prototypes what reads debug information. */
#include <errno.h>
#include <linux/btf.h>
#include <stdlib.h>
#include <string.h>
#include <bpf/btf.h>

#include "functions/plain_type.h"
#include "functions/user_prototypes.h"

static user_prototypes_reader reader;

void user_prototypes__use(user_prototypes_reader function)
{
	reader = function;
}

/* "f.llvm.123" is f, which the linker made visible to other files. */
static bool is_variant(const char *name)
{
	static const char *const suffixes[] = { ".cold", ".part.", ".isra.", ".constprop." };

	for (size_t i = 0; i < sizeof(suffixes) / sizeof(*suffixes); i++)
		if (strstr(name, suffixes[i]))
			return true;
	return false;
}

static int read_all(struct btf **btf, const char *path, struct found_functions *found,
		    struct user_function *functions, bool has_members)
{
	int err;

	for (size_t i = 0; i < found->count; i++)
		functions[i] = (struct user_function){ found->at[i].name, found->at[i].place, 0 };
	err = reader(btf, path, functions, found->count, has_members);
	for (size_t i = 0; !err && i < found->count; i++)
		found->at[i].prototype = is_variant(found->at[i].name) ? 0 : functions[i].id;
	return err;
}

int user_prototypes__read(struct btf **btf, const char *path, struct found_functions *found,
			  bool has_members)
{
	struct user_function *functions;
	int err;

	*btf = NULL;
	if (!reader || !found->count)
		return 0;
	functions = calloc(found->count, sizeof(*functions));
	if (!functions)
		return -ENOMEM;
	err = read_all(btf, path, found, functions, has_members);
	free(functions);
	return err == -ENODATA ? 0 : err;
}

bool user_prototypes__find(const struct btf *btf, const struct found_function *function,
			   struct prototype *prototype)
{
	const struct btf_type *type;

	*prototype = (struct prototype){ .is_user = true };
	if (!btf || !function->prototype || !plain_type__can_read(btf))
		return false;
	type = btf__type_by_id(btf, function->prototype);
	if (!type || !btf_is_func(type) || !btf__type_by_id(btf, type->type) ||
	    !btf_is_func_proto(btf__type_by_id(btf, type->type)))
		return false;
	prototype->btf = btf;
	prototype->id = type->type;
	return true;
}
