// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* symbols/namer/flat_symbols.c: the symbols of a file as bytes. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "symbols/namer/flat_symbols.h"

#define MAGIC 0x736d7973 /* "syms" */

/* More names are not copied. */
#define NAMES_COPIED_BYTES (64ULL << 20)

struct flat_symbols {
	uint32_t magic, loads_count, symbols_count, is_stripped;
	uint64_t names_bytes;
};

struct flat_load {
	uint64_t offset, bytes, vaddr, memory_bytes, is_executable;
};

struct flat_symbol {
	uint64_t begin, end, name_at;
	uint32_t encloser;
	uint8_t info, is_guessed, zero[2];
};

/* ---- writing --------------------------------------------------------------------------------- */

static size_t name_bytes(const struct elf_symbol *symbol)
{
	return strnlen(symbol->raw_name, BUDGET_NAME_BYTES);
}

static size_t names_bytes(const struct elf_symbols *symbols)
{
	size_t bytes = 0;

	for (uint32_t i = 0; i < symbols->count; i++)
		bytes += name_bytes(&symbols->list[i]) + 1;
	return bytes;
}

static size_t fixed_bytes(uint32_t loads_count, uint32_t symbols_count)
{
	return sizeof(struct flat_symbols) + loads_count * sizeof(struct flat_load) +
	       symbols_count * sizeof(struct flat_symbol);
}

size_t flat_symbols__bytes(const struct file_symbols *read)
{
	return fixed_bytes((uint32_t)read->loads_count, read->symbols.count) +
	       names_bytes(&read->symbols);
}

static void write_load(const struct elf_load *load, struct flat_load *to)
{
	*to = (struct flat_load){ load->offset, load->bytes, load->vaddr, load->memory_bytes,
				  load->is_executable };
}

/* Copies a name and its NUL.  Returns the end. */
static char *write_name(const struct elf_symbol *symbol, char *to)
{
	char *end = memccpy(to, symbol->raw_name, '\0', BUDGET_NAME_BYTES);

	if (end)
		return end;
	to[BUDGET_NAME_BYTES] = '\0';
	return to + BUDGET_NAME_BYTES + 1;
}

/* Returns the number of bytes of names. */
static size_t write_symbols(const struct elf_symbols *symbols, struct flat_symbol *to)
{
	char *const names = (char *)(to + symbols->count), *at = names;

	for (uint32_t i = 0; i < symbols->count; i++) {
		const struct elf_symbol *symbol = &symbols->list[i];

		to[i] = (struct flat_symbol){ symbol->begin,
					      symbol->end,
					      (uint64_t)(at - names),
					      symbol->encloser,
					      symbol->info,
					      symbol->is_guessed,
					      { 0 } };
		at = write_name(symbol, at);
	}
	return (size_t)(at - names);
}

void flat_symbols__write(const struct file_symbols *read, void *to)
{
	struct flat_symbols *flat = to;
	struct flat_load *loads = (struct flat_load *)(flat + 1);

	*flat = (struct flat_symbols){ .magic = MAGIC,
				       .loads_count = (uint32_t)read->loads_count,
				       .symbols_count = read->symbols.count,
				       .is_stripped = read->is_stripped };
	for (size_t i = 0; i < read->loads_count; i++)
		write_load(&read->loads[i], &loads[i]);
	flat->names_bytes =
		write_symbols(&read->symbols, (struct flat_symbol *)(loads + read->loads_count));
}

/* ---- taking over ----------------------------------------------------------------------------- */

/* Whether the parts fill the bytes, and the last name ends. */
static bool is_whole(const struct flat_symbols *flat, size_t bytes)
{
	size_t fixed;

	if (bytes < sizeof(*flat) || flat->magic != MAGIC || flat->loads_count > INT32_MAX ||
	    flat->symbols_count > INT32_MAX)
		return false;
	fixed = fixed_bytes(flat->loads_count, flat->symbols_count);
	if (fixed > bytes || bytes - fixed != flat->names_bytes)
		return false;
	return !flat->names_bytes || !((const char *)flat)[bytes - 1];
}

static bool fits(uint64_t at, uint64_t bytes)
{
	return bytes <= UINT64_MAX - at;
}

static int take_loads(struct file_symbols *read, const struct flat_load *from, uint32_t count)
{
	read->loads = calloc(count + !count, sizeof(*read->loads));
	if (!read->loads)
		return -ENOMEM;
	for (; read->loads_count < count; from++) {
		if (!fits(from->offset, from->bytes) || !fits(from->vaddr, from->memory_bytes))
			return -EBADMSG;
		read->loads[read->loads_count++] = (struct elf_load){
			from->offset,	    from->bytes,	 from->vaddr,
			from->memory_bytes, from->is_executable,
		};
	}
	return 0;
}

/* Symbols begin at ascending addresses, and lie in symbols before them. */
static bool is_valid(const struct flat_symbol *symbol, uint32_t number, uint64_t names_bytes)
{
	return symbol->end >= symbol->begin && symbol->name_at < names_bytes &&
	       (!number || symbol[-1].begin < symbol->begin) &&
	       (symbol->encloser == UINT32_MAX || symbol->encloser < number);
}

/* The names' copy belongs to the symbols.  NULL: no memory. */
static const char *copy_names(struct elf_symbols *symbols, const char *from, size_t bytes)
{
	symbols->strings = calloc(1, sizeof(*symbols->strings));
	if (!symbols->strings)
		return NULL;
	symbols->strings[0] = malloc(bytes + !bytes);
	if (!symbols->strings[0])
		return NULL;
	symbols->strings_count = 1;
	symbols->bytes = bytes;
	return memcpy(symbols->strings[0], from, bytes);
}

static int take_symbols(struct elf_symbols *symbols, const struct flat_symbol *from, uint32_t count,
			size_t names_bytes, bool is_borrowed)
{
	const char *in_place = (const char *)(from + count);
	const char *names = is_borrowed ? in_place : copy_names(symbols, in_place, names_bytes);

	symbols->list = calloc(count + !count, sizeof(*symbols->list));
	if (!names || !symbols->list)
		return -ENOMEM;
	symbols->room = count;
	symbols->bytes += count * sizeof(*symbols->list);
	for (; symbols->count < count; from++) {
		if (!is_valid(from, symbols->count, names_bytes))
			return -EBADMSG;
		symbols->list[symbols->count++] = (struct elf_symbol){
			.begin = from->begin,
			.end = from->end,
			.raw_name = names + from->name_at,
			.encloser = from->encloser,
			.info = from->info,
			.is_guessed = from->is_guessed,
		};
	}
	return 0;
}

static int take(struct file_symbols *read, const void *from, size_t bytes, bool is_borrowed)
{
	const struct flat_symbols *flat = from;
	const struct flat_load *loads;
	int err;

	*read = (struct file_symbols){ 0 };
	if (!is_whole(flat, bytes))
		return -EBADMSG;
	loads = (const struct flat_load *)(flat + 1);
	read->is_stripped = flat->is_stripped;
	err = take_loads(read, loads, flat->loads_count);
	if (!err)
		err = take_symbols(&read->symbols,
				   (const struct flat_symbol *)(loads + flat->loads_count),
				   flat->symbols_count, (size_t)flat->names_bytes, is_borrowed);
	if (err)
		file_symbols__free(read);
	return err;
}

int flat_symbols__take_over(struct file_symbols *read, const void *from, size_t bytes)
{
	return take(read, from, bytes, false);
}

static bool has_many_names(const struct namer_memory *memory)
{
	const struct flat_symbols *flat = memory->at;

	return memory->is_mapped && memory->bytes >= sizeof(*flat) &&
	       flat->names_bytes >= NAMES_COPIED_BYTES;
}

int flat_symbols__take_memory(struct file_symbols *read, struct namer_memory *memory)
{
	const bool is_borrowed = has_many_names(memory);
	int err = take(read, memory->at, memory->bytes, is_borrowed);

	if (err || !is_borrowed)
		namer_memory__free(memory);
	else
		read->symbols.memory = *memory;
	return err;
}
