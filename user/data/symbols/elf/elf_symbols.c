// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* symbols/elf/elf_symbols.c: the functions of an ELF file, sorted by address. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "symbols/elf/demangle.h"
#include "symbols/elf/elf_plt.h"
#include "symbols/elf/elf_symbols.h"

#define NO_SYMBOL UINT32_MAX

/* Symbols inside each other that are searched for an address; compilers nest a few. */
#define DEPTH_MAX 64

/* The end of the last function if it has no size, as perf assumes. */
#define PAGE_BYTES 4096

/* ---- reading --------------------------------------------------------------------------------- */

int elf_symbols__append(struct elf_symbols *symbols, const struct elf_symbol *symbol)
{
	if (!ARRAY_RESERVE(symbols->list, symbols->count, symbols->room))
		return -ENOMEM;
	symbols->list[symbols->count] = *symbol;
	symbols->list[symbols->count].encloser = symbols->count;
	symbols->count++;
	return 0;
}

/* Bytes of tables that may still be read. */
struct budget {
	uint64_t left;
};

static bool spend(struct budget *budget, uint64_t bytes)
{
	if (bytes > budget->left)
		return false;
	budget->left -= bytes;
	return true;
}

/* A copy of a string table, with a NUL after it, which belongs to the symbols.  NULL: no memory. */
static const char *copy_strings(struct elf_symbols *symbols, struct elf_content from)
{
	char *copy;

	if (!ARRAY_RESERVE_NEXT(symbols->strings, symbols->strings_count))
		return NULL;
	copy = malloc(from.bytes + 1);
	if (!copy)
		return NULL;
	memcpy(copy, from.at, from.bytes);
	copy[from.bytes] = 0;
	symbols->strings[symbols->strings_count++] = copy;
	symbols->bytes += from.bytes;
	return copy;
}

/*
 * Finds the string table of a section, which ends with a NUL.  Stores NULL if there is none.  0 or
 * -ENOMEM.
 */
static int find_strings(struct elf_symbols *symbols, struct budget *budget, Elf_Scn *section,
			const char **strings, size_t *bytes)
{
	struct elf_content content;
	GElf_Shdr header;

	*strings = NULL;
	if (!section || !gelf_getshdr(section, &header) || header.sh_type != SHT_STRTAB ||
	    !spend(budget, header.sh_size))
		return 0;
	content = elf_file__content(section);
	*bytes = content.bytes;
	if (!content.at)
		return elf_file__is_out_of_memory() ? -ENOMEM : 0;
	if (elf_file__are_mapped() && !content.at[content.bytes - 1])
		*strings = (const char *)content.at;
	else
		*strings = copy_strings(symbols, content);
	return *strings ? 0 : -ENOMEM;
}

/* ARM and AArch64 mark code and data by symbols "$x" and "$d.1". */
static bool is_mapping_symbol(const struct elf_file *file, const char *name)
{
	return (file->machine == EM_ARM || file->machine == EM_AARCH64) && name[0] == '$' &&
	       name[1] && strchr("adtx", name[1]) && (!name[2] || name[2] == '.');
}

static bool is_function(const GElf_Sym *symbol)
{
	unsigned int type = GELF_ST_TYPE(symbol->st_info);

	return type == STT_FUNC || type == STT_GNU_IFUNC;
}

/* A label of assembler code. */
static bool is_label(const GElf_Sym *symbol)
{
	unsigned int visibility = GELF_ST_VISIBILITY(symbol->st_other);

	return GELF_ST_TYPE(symbol->st_info) == STT_NOTYPE && visibility != STV_HIDDEN &&
	       visibility != STV_INTERNAL;
}

/* Functions are in sections that are loaded, labels of code in executable ones. */
static bool is_in_code(const struct elf_file *file, const GElf_Sym *symbol)
{
	Elf_Scn *section = elf_getscn(file->elf, symbol->st_shndx);
	GElf_Shdr header;

	if (symbol->st_shndx >= SHN_LORESERVE || !section || !gelf_getshdr(section, &header))
		return false;
	return header.sh_flags & SHF_ALLOC &&
	       (is_function(symbol) || header.sh_flags & SHF_EXECINSTR);
}

static bool is_wanted_symbol(const struct elf_file *file, const GElf_Sym *symbol, const char *name)
{
	if (!*name || symbol->st_shndx == SHN_UNDEF)
		return false;
	return (is_function(symbol) || is_label(symbol)) && !is_mapping_symbol(file, name) &&
	       is_in_code(file, symbol);
}

/* Thumb functions have an odd address. */
static uint64_t address_of(const struct elf_file *file, const GElf_Sym *symbol)
{
	return file->machine == EM_ARM && is_function(symbol) ? symbol->st_value & ~1ULL
							      : symbol->st_value;
}

static int add_symbol(struct elf_symbols *symbols, const struct elf_file *program,
		      const GElf_Sym *symbol, uint64_t begin, const char *name)
{
	const struct elf_load *load = elf_file__find_load(program, begin);
	struct elf_symbol added = { .begin = begin, .raw_name = name, .info = symbol->st_info };
	uint64_t most;

	if (!load)
		return 0;
	most = load->vaddr + load->memory_bytes - begin;
	added.end = begin + (symbol->st_size < most ? symbol->st_size : most);
	return elf_symbols__append(symbols, &added);
}

static int add_table(struct elf_symbols *symbols, struct budget *budget,
		     const struct elf_file *file, const struct elf_file *program, Elf_Scn *section,
		     const GElf_Shdr *header)
{
	Elf_Data *data = elf_getdata(section, NULL);
	size_t strings_bytes, count;
	const char *strings;
	int err;

	if (!data || !data->d_buf)
		return elf_file__is_out_of_memory() ? -ENOMEM : 0;
	err = find_strings(symbols, budget, elf_getscn(file->elf, header->sh_link), &strings,
			   &strings_bytes);
	count = data->d_size / gelf_fsize(file->elf, ELF_T_SYM, 1, EV_CURRENT);
	for (size_t i = 0; strings && i < count && i < INT32_MAX && !err; i++) {
		GElf_Sym symbol;
		const char *name;

		if (!gelf_getsym(data, (int)i, &symbol) || symbol.st_name >= strings_bytes)
			continue;
		name = strings + symbol.st_name;
		if (is_wanted_symbol(file, &symbol, name))
			err = add_symbol(symbols, program, &symbol, address_of(file, &symbol),
					 name);
	}
	return err;
}

int elf_symbols__add(struct elf_symbols *symbols, const struct elf_file *file,
		     const struct elf_file *program)
{
	struct budget budget = { BUDGET_SYMBOLS_BYTES };
	Elf_Scn *section = NULL;
	GElf_Shdr header;
	int err = 0;

	while (!err && (section = elf_nextscn(file->elf, section))) {
		if (!gelf_getshdr(section, &header) ||
		    (header.sh_type != SHT_SYMTAB && header.sh_type != SHT_DYNSYM))
			continue;
		if (spend(&budget, header.sh_size))
			err = add_table(symbols, &budget, file, program, section, &header);
	}
	return err ? err : elf_plt__add(symbols, file);
}

/* ---- choosing -------------------------------------------------------------------------------- */

static int prefer(bool a, bool b)
{
	return (int)b - (int)a;
}

/* The shape of the name that is printed, which is what perf compares.  The name is not kept. */
struct shape {
	size_t underscores, bytes;
};

static struct shape shape_of(const struct elf_symbol *symbol, bool no_demangle)
{
	const char *name = symbol->raw_name;
	struct strbuf text = { 0 };
	struct shape shape = { strspn(name, "_"), strnlen(name, BUDGET_NAME_BYTES) };

	if (!no_demangle && demangle__append(&text, name) && !text.failed) {
		for (shape.underscores = 0; shape.underscores < text.count; shape.underscores++)
			if (text.bytes[shape.underscores] != '_')
				break;
		shape.bytes = text.count;
	}
	strbuf__free(&text);
	return shape;
}

static int compare_names(const struct elf_symbol *a, const struct elf_symbol *b, bool no_demangle)
{
	const struct shape of_a = shape_of(a, no_demangle), of_b = shape_of(b, no_demangle);

	if (of_a.underscores != of_b.underscores)
		return of_a.underscores < of_b.underscores ? -1 : 1;
	return of_a.bytes != of_b.bytes ? (of_a.bytes > of_b.bytes ? -1 : 1) : 0;
}

/* Negative: `a` is preferred over `b`; 0: they are alike. */
static int compare_quality(const struct elf_symbol *a, const struct elf_symbol *b)
{
	int order = prefer(a->end > a->begin, b->end > b->begin);

	if (!order)
		order = prefer(GELF_ST_TYPE(a->info) != STT_NOTYPE,
			       GELF_ST_TYPE(b->info) != STT_NOTYPE);
	if (!order)
		order = prefer(GELF_ST_BIND(a->info) != STB_WEAK,
			       GELF_ST_BIND(b->info) != STB_WEAK);
	if (!order)
		order = prefer(GELF_ST_BIND(a->info) == STB_GLOBAL,
			       GELF_ST_BIND(b->info) == STB_GLOBAL);
	return order;
}

/* By address, then in the order of the tables. */
static int compare_symbols(const void *left, const void *right)
{
	const struct elf_symbol *a = left, *b = right;

	if (a->begin != b->begin)
		return a->begin < b->begin ? -1 : 1;
	return a->encloser < b->encloser ? -1 : 1;
}

/*
 * Sorting by digits of the addresses, the lowest one first: for tables of real files several times
 * faster than qsort().
 */
#define DIGIT_BITS 11
#define DIGITS	   (1u << DIGIT_BITS)

struct sort_key {
	uint64_t begin;
	uint32_t at; /* in the list */
};

static uint32_t digit_of(uint64_t begin, unsigned shift)
{
	return (uint32_t)(begin >> shift) & (DIGITS - 1);
}

/* Sorts by a digit; keys with the same one stay in order.  False: all have the same. */
static bool sort_by_digit(const struct sort_key *from, struct sort_key *to, uint32_t count,
			  unsigned shift)
{
	uint32_t ends[DIGITS] = { 0 }, at = 0;

	for (uint32_t i = 0; i < count; i++)
		ends[digit_of(from[i].begin, shift)]++;
	if (ends[digit_of(from[0].begin, shift)] == count)
		return false;
	for (uint32_t i = 0; i < DIGITS; i++) {
		at += ends[i];
		ends[i] = at - ends[i];
	}
	for (uint32_t i = 0; i < count; i++)
		to[ends[digit_of(from[i].begin, shift)]++] = from[i];
	return true;
}

/* Moves each symbol to its place, along the cycles of places. */
static void arrange(struct elf_symbol *list, struct sort_key *keys, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++) {
		const struct elf_symbol first = list[i];
		uint32_t to = i, from;

		while ((from = keys[to].at) != i) {
			list[to] = list[from];
			keys[to].at = to;
			to = from;
		}
		list[to] = first;
		keys[to].at = to;
	}
}

/* The list is in the order of the tables, which the symbols of an address keep.  False: no memory.
 */
static bool sort_by_radix(struct elf_symbols *symbols)
{
	const uint32_t count = symbols->count;
	struct sort_key *keys = count ? reallocarray(NULL, count, 2 * sizeof(*keys)) : NULL;
	struct sort_key *from = keys, *to;

	if (!keys)
		return false;
	to = keys + count;
	for (uint32_t i = 0; i < count; i++)
		keys[i] = (struct sort_key){ symbols->list[i].begin, i };
	for (unsigned shift = 0; shift < 64; shift += DIGIT_BITS) {
		if (!sort_by_digit(from, to, count, shift))
			continue;
		from = from == keys ? keys + count : keys;
		to = from == keys ? keys + count : keys;
	}
	arrange(symbols->list, from, count);
	free(keys);
	return true;
}

static bool is_better(const struct elf_symbol *a, const struct elf_symbol *b, bool no_demangle)
{
	int order = compare_quality(a, b);

	if (!order && !strncmp(a->raw_name, b->raw_name, BUDGET_NAME_BYTES))
		return false;
	return (order ? order : compare_names(a, b, no_demangle)) < 0;
}

/* Keeps the best symbol of each address. */
static void drop_aliases(struct elf_symbols *symbols, bool no_demangle)
{
	struct elf_symbol *list = symbols->list;
	uint32_t kept = 0;

	for (uint32_t i = 1; i < symbols->count; i++) {
		if (list[i].begin != list[kept].begin)
			list[++kept] = list[i];
		else if (is_better(&list[i], &list[kept], no_demangle))
			list[kept] = list[i];
	}
	symbols->count = symbols->count ? kept + 1 : 0;
}

static void set_ends(struct elf_symbols *symbols)
{
	for (uint32_t i = 0; i < symbols->count; i++) {
		struct elf_symbol *symbol = &symbols->list[i];

		if (symbol->end > symbol->begin)
			continue;
		symbol->is_guessed = true;
		symbol->end = i + 1 < symbols->count ? symbol[1].begin
						     : (symbol->begin | (PAGE_BYTES - 1)) + 1;
	}
}

/* Symbols around a symbol enclose each other: the last one that ends after its begin, and so on. */
static void set_enclosers(struct elf_symbols *symbols)
{
	uint32_t open = NO_SYMBOL;

	for (uint32_t i = 0; i < symbols->count; i++) {
		while (open != NO_SYMBOL && symbols->list[open].end <= symbols->list[i].begin)
			open = symbols->list[open].encloser;
		symbols->list[i].encloser = open;
		open = i;
	}
}

static void shrink(struct elf_symbols *symbols)
{
	struct elf_symbol *list =
		reallocarray(symbols->list, symbols->count + !symbols->count, sizeof(*list));

	if (list)
		symbols->list = list;
	symbols->room = symbols->count;
	symbols->bytes += symbols->count * sizeof(*list);
}

void elf_symbols__finish(struct elf_symbols *symbols, bool no_demangle)
{
	if (!sort_by_radix(symbols) && symbols->count)
		qsort(symbols->list, symbols->count, sizeof(*symbols->list), compare_symbols);
	drop_aliases(symbols, no_demangle);
	set_ends(symbols);
	set_enclosers(symbols);
	shrink(symbols);
}

/* ---- finding --------------------------------------------------------------------------------- */

/* The index after the last symbol that begins at or before the address. */
static uint32_t find_after(const struct elf_symbols *symbols, uint64_t vaddr)
{
	uint32_t low = 0, high = symbols->count;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (symbols->list[middle].begin <= vaddr)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

struct elf_symbol *elf_symbols__find(const struct elf_symbols *symbols, uint64_t vaddr)
{
	uint32_t after = find_after(symbols, vaddr), at = after ? after - 1 : NO_SYMBOL;
	int depth = 0;

	while (at != NO_SYMBOL && symbols->list[at].end <= vaddr && ++depth < DEPTH_MAX)
		at = symbols->list[at].encloser;
	return at == NO_SYMBOL || symbols->list[at].end <= vaddr ? NULL : &symbols->list[at];
}

/* Without memory the name is none. */
static void cut_name(struct elf_symbols *symbols, struct elf_symbol *symbol)
{
	const char *cut;

	if (strnlen(symbol->raw_name, BUDGET_NAME_BYTES + 1) <= BUDGET_NAME_BYTES)
		return;
	cut = arena__copy(&symbols->names, symbol->raw_name, BUDGET_NAME_BYTES);
	symbol->raw_name = cut ? cut : "";
}

const char *elf_symbols__name(struct elf_symbols *symbols, struct elf_symbol *symbol,
			      bool no_demangle)
{
	struct strbuf text = { 0 };

	if (symbol->name)
		return symbol->name;
	cut_name(symbols, symbol);
	symbol->name = symbol->raw_name;
	if (!no_demangle && demangle__append(&text, symbol->raw_name) && !text.failed) {
		const char *copy = arena__copy(&symbols->names, text.bytes, text.count);

		if (copy)
			symbol->name = copy;
	}
	strbuf__free(&text);
	return symbol->name;
}

void elf_symbols__free(struct elf_symbols *symbols)
{
	for (uint32_t i = 0; i < symbols->strings_count; i++)
		free(symbols->strings[i]);
	free(symbols->strings);
	free(symbols->list);
	arena__free(&symbols->names);
	namer_memory__free(&symbols->memory);
	*symbols = (struct elf_symbols){ 0 };
}
