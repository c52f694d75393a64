// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* elf/function_offset.c: searches symbol tables by name. */
#include <errno.h>
#include <stdbool.h>
#include <string.h>

#include "elf/elf_file.h"
#include "elf/function_offset.h"
#include "elf/function_symbols.h"
#include "sys/foreign_file.h"

struct search {
	const char *function;
	uint64_t offset;
	bool is_found, is_weak; /* the symbol that was found */
	bool is_ambiguous;
};

/* With its version or without it. */
static bool has_name(const struct function_symbol *symbol, const char *name)
{
	size_t bytes = strlen(name);

	return (bytes == symbol->name_bytes ||
		bytes == symbol->name_bytes + symbol->version_bytes) &&
	       !memcmp(symbol->name, name, bytes);
}

static int add_symbol(void *arg, const struct function_symbol *symbol)
{
	struct search *search = arg;

	if (symbol->is_indirect || !has_name(symbol, search->function))
		return 0;
	if (!search->is_found || (search->is_weak && !symbol->is_weak)) {
		search->offset = symbol->offset;
		search->is_weak = symbol->is_weak;
		search->is_found = true;
	} else if (!symbol->is_weak && symbol->offset != search->offset) {
		search->is_ambiguous = true;
	}
	return 0;
}

int function_offset__find(const char *path, const char *function, uint64_t *offset)
{
	struct search search = { .function = function };
	/* The path may be of a process: /proc/PID/root/..., /proc/PID/map_files/... */
	int fd = foreign_file__open(NULL, path, FOREIGN_PROC_LINKS, NULL);
	struct elf_file *file;
	int err = fd < 0 ? fd : elf_file__open(&file, fd, path);

	if (err == -ENOTSUP) /* no regular file */
		return -ENOEXEC;
	if (err)
		return err;
	err = function_symbols__visit(file, SHT_DYNSYM, add_symbol, &search);
	if (!err && !search.is_found)
		err = function_symbols__visit(file, SHT_SYMTAB, add_symbol, &search);
	elf_file__free(file);
	if (err)
		return err;
	if (!search.is_found)
		return -ENOENT;
	*offset = search.offset;
	return search.is_ambiguous ? -ENOTUNIQ : 0;
}
