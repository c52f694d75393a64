// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* functions/user_functions.c: finds functions of a program or library. */
#include <errno.h>
#include <string.h>

#include "base/glob.h"
#include "elf/elf_file.h"
#include "elf/function_symbols.h"
#include "functions/user_functions.h"
#include "sys/foreign_file.h"

/* Names as in the file and as in the source: many symbols may share a long name. */
#define BUDGET_NAMES_BYTES (UINT64_C(1) << 30)

/* Names that are found, which are kept. */
#define BUDGET_FOUND_BYTES (UINT64_C(256) << 20)

static user_functions_demangle demangle;

void user_functions__use(user_functions_demangle function)
{
	demangle = function;
}

struct search {
	struct found_functions *found, left_out;
	const char *pattern;
	bool has_dot; /* the pattern */
	bool has_functions;
	uint64_t names_left, found_left; /* of the budgets, bytes */
	struct strbuf mangled, printed;	 /* names of a symbol, with a NUL */
};

/* ---- names ----------------------------------------------------------------------------------- */

static const char *first_of(const char *a, const char *b)
{
	return !a || (b && b < a) ? b : a;
}

/* The suffix of a part or variant of a function that the compiler has made; NULL: none. */
static const char *variant_suffix(const char *name)
{
	static const char *const suffixes[] = { ".cold", ".part.", ".isra.", ".constprop." };
	const char *first = NULL;

	for (size_t i = 0; strchr(name, '.') && i < sizeof(suffixes) / sizeof(*suffixes); i++)
		first = first_of(first, strstr(name + 1, suffixes[i]));
	return first;
}

static bool may_be_mangled(const char *name)
{
	return demangle && name[0] == '_' && (name[1] == 'Z' || name[1] == 'R');
}

/* Demanglers drop the suffixes of variants. */
static void append_printed(struct strbuf *printed, const char *name)
{
	const char *suffix = variant_suffix(name);

	if (!may_be_mangled(name) || !demangle(printed, name))
		strbuf__text(printed, name);
	else if (suffix)
		strbuf__text(printed, suffix);
	strbuf__char(printed, '\0');
}

static int spend(uint64_t *left, uint64_t bytes)
{
	if (bytes > *left)
		return -E2BIG;
	*left -= bytes;
	return 0;
}

/* Makes the two names of a symbol.  0, -ENOMEM or -E2BIG. */
static int read_names(struct search *search, const struct function_symbol *symbol)
{
	strbuf__cut(&search->mangled, 0);
	strbuf__cut(&search->printed, 0);
	strbuf__bytes(&search->mangled, symbol->name, symbol->name_bytes);
	strbuf__char(&search->mangled, '\0');
	if (search->mangled.failed)
		return -ENOMEM;
	append_printed(&search->printed, search->mangled.bytes);
	if (search->printed.failed)
		return -ENOMEM;
	return spend(&search->names_left, search->mangled.count + search->printed.count);
}

/* A name with "*" or "[", such as "ns::operator*", matches itself. */
static bool name_matches(const char *pattern, const struct strbuf *name)
{
	return !strcmp(pattern, name->bytes) || glob__match(pattern, name->bytes, name->count - 1);
}

static bool matches(const struct search *search)
{
	if (!search->has_dot && variant_suffix(search->mangled.bytes))
		return false;
	return name_matches(search->pattern, &search->printed) ||
	       name_matches(search->pattern, &search->mangled);
}

/* ---- searching ------------------------------------------------------------------------------- */

static int add_symbol(void *arg, const struct function_symbol *symbol)
{
	struct search *search = arg;
	bool can_be_probed = symbol->is_executable && !symbol->is_indirect;
	int err;

	search->has_functions = true;
	err = read_names(search, symbol);
	if (err || !matches(search))
		return err;
	err = spend(&search->found_left, search->printed.count + sizeof(struct found_function));
	if (err)
		return err;
	return found_functions__add(can_be_probed ? search->found : &search->left_out,
				    search->printed.bytes, NULL, symbol->offset);
}

static int suggest_symbol(void *arg, const struct function_symbol *symbol)
{
	struct search *search = arg;
	int err = read_names(search, symbol);

	if (!err)
		suggestion__try(&search->found->alike, search->printed.bytes);
	return err;
}

static int visit_both(struct search *search, const struct elf_file *file,
		      int (*visit)(void *arg, const struct function_symbol *symbol))
{
	int err = function_symbols__visit(file, SHT_SYMTAB, visit, search);

	return err ? err : function_symbols__visit(file, SHT_DYNSYM, visit, search);
}

static int finish(struct search *search, const struct elf_file *file)
{
	int err;

	found_functions__sort(search->found);
	found_functions__sort(&search->left_out);
	search->found->left_out = search->left_out.count;
	if (search->found->count)
		return 0;
	if (!search->has_functions)
		return -ENODATA;
	search->names_left = BUDGET_NAMES_BYTES;
	err = search->left_out.count ? 0 : visit_both(search, file, suggest_symbol);
	return err ? err : -ENOENT;
}

int user_functions__search(struct found_functions *found, const struct elf_file *file,
			   const char *pattern)
{
	struct search search = {
		.found = found,
		.pattern = pattern,
		.has_dot = strchr(pattern, '.') != NULL,
		.names_left = BUDGET_NAMES_BYTES,
		.found_left = BUDGET_FOUND_BYTES,
	};
	int err;

	found->alike.wanted = pattern;
	err = visit_both(&search, file, add_symbol);
	if (!err)
		err = finish(&search, file);
	if (err && err != -ENOENT)
		found_functions__free(found);
	found_functions__free(&search.left_out);
	strbuf__free(&search.mangled);
	strbuf__free(&search.printed);
	return err;
}

static int open_file(struct elf_file **file, const char *path)
{
	/* The path may be of a process: /proc/PID/root/..., /proc/PID/map_files/... */
	int fd = foreign_file__open(NULL, path, FOREIGN_PROC_LINKS, NULL);
	int err = fd < 0 ? fd : elf_file__open(file, fd, path);

	if (err == -ENOTSUP) /* no regular file */
		return -ENOEXEC;
	if (err || (*file)->is_64)
		return err;
	elf_file__free(*file);
	return -EOPNOTSUPP;
}

int user_functions__find(struct found_functions *found, const char *path, const char *pattern)
{
	struct elf_file *file;
	int err = open_file(&file, path);

	if (err)
		return err;
	err = user_functions__search(found, file, pattern);
	elf_file__free(file);
	return err;
}

bool user_functions__is_32_bit(const char *path)
{
	struct elf_file *file;
	int err = open_file(&file, path);

	if (!err)
		elf_file__free(file);
	return err == -EOPNOTSUPP;
}
