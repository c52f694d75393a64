// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* symbols/stack_frames.c: names of addresses, as frames. */
#include <errno.h>
#include <stdlib.h>

#include "base/array.h"
#include "base/text.h"
#include "symbols/jit/jit_names.h"
#include "symbols/stack_lines.h"
#include "symbols/symbols.h"

struct peat_stack_frame *stack_frames__append(struct peat_symbols *symbols)
{
	struct peat_stack_frame *frame;

	if (!ARRAY_RESERVE(symbols->frames, symbols->frames_count, symbols->frames_room))
		return NULL;
	frame = &symbols->frames[symbols->frames_count++];
	*frame = (struct peat_stack_frame){ 0 };
	return frame;
}

/*
 * Before a function there can be padding with a name of its own, which calls nothing: the address
 * is where the function was interrupted.
 */
static bool find_kernel(struct peat_symbols *symbols, uint64_t time_ns, uint64_t address,
			bool is_return, struct kernel_symbol *found)
{
	if (!kernel_names__find(&symbols->kernel, symbols->kernel_symbols, time_ns,
				address - is_return, found))
		return false;
	found->offset += is_return;
	if (!is_return || !begins_with(found->name, "__pfx_"))
		return true;
	return kernel_names__find(&symbols->kernel, symbols->kernel_symbols, time_ns, address,
				  found);
}

static void name_kernel(struct peat_symbols *symbols, struct peat_stack_frame *frame,
			uint64_t time_ns, bool is_return)
{
	struct kernel_symbol found;

	if (!find_kernel(symbols, time_ns, frame->address, is_return, &found))
		return;
	frame->symbol = frame->raw_symbol = found.name;
	frame->offset = found.offset;
	frame->module = found.owner;
}

/* ---- user space ------------------------------------------------------------------------------ */

static void name_jit(struct peat_symbols *symbols, const struct user_place *place,
		     struct peat_stack_frame *frame, bool is_return)
{
	struct perf_map_symbol *symbol;

	/* The process with this number was another one. */
	if (place->origin && place->origin->is_elsewhere)
		return;
	symbol = jit_names__find(&symbols->jit, &place->process->jit, place->process->pid,
				 place->is_live, frame->address - is_return, symbols->call);
	if (!symbol)
		return;
	frame->raw_symbol = symbol->raw_name;
	frame->symbol = perf_map__name(place->process->jit.map, symbol, symbols->opts.no_demangle);
	frame->offset = frame->address - symbol->begin;
}

static void identify(struct peat_stack_frame *frame, const struct build_id *id)
{
	if (frame->build_id_bytes)
		return;
	frame->build_id = id->id;
	frame->build_id_bytes = id->bytes;
}

/*
 * A return address is in the function that has the call before it, also if that call is its last
 * instruction.  But only a function's own size proves that: after a signal, the return address is
 * the beginning of a function that nothing calls, and a wrong caller may be any function's pointer.
 */
static struct elf_symbol *find_symbol(const struct symbol_table *table, uint64_t offset,
				      bool is_return, uint64_t *vaddr)
{
	struct elf_symbol *caller, *symbol;
	uint64_t at = 0;

	if (!is_return)
		return symbol_table__find(table, offset, vaddr);
	caller = symbol_table__find(table, offset - 1, vaddr);
	++*vaddr;
	if (caller && !caller->is_guessed)
		return caller;
	symbol = symbol_table__find(table, offset, &at);
	if (!symbol || (caller && symbol->begin < at))
		return caller;
	*vaddr = at;
	return symbol;
}

static struct elf_symbol *find_again(struct peat_symbols *symbols, const struct symbol_table *table,
				     uint64_t offset, bool is_return, uint64_t *vaddr)
{
	struct found_symbol *slot =
		found_symbols__slot(&symbols->cache.found, table, offset, is_return);
	struct found_symbol found = { table, offset, is_return, NULL, 0 };

	if (slot && found_symbol__is(slot, table, offset, is_return)) {
		*vaddr = slot->vaddr;
		return slot->symbol;
	}
	found.symbol = find_symbol(table, offset, is_return, &found.vaddr);
	if (slot)
		*slot = found;
	*vaddr = found.vaddr;
	return found.symbol;
}

static void name_in_table(struct peat_symbols *symbols, struct symbol_table *table,
			  const struct user_place *place, struct peat_stack_frame *frame,
			  bool is_return)
{
	uint64_t vaddr = 0;
	struct elf_symbol *symbol =
		find_again(symbols, table, place->file_offset, is_return, &vaddr);

	identify(frame, &table->key.build_id);
	if (!symbol) {
		if (table->is_stripped)
			symbol_cache__warn_stripped(&symbols->cache, place->mapping->file);
		return;
	}
	frame->raw_symbol = symbol->raw_name;
	frame->symbol = symbol_cache__name(&symbols->cache, table, symbol);
	frame->offset = vaddr - symbol->begin;
}

/* 0 or -ENOMEM. */
static int name_user(struct peat_symbols *symbols, struct peat_stack_frame *frame, uint32_t pid,
		     uint64_t time_ns, bool is_return)
{
	struct symbol_table *table;
	struct mapped_file *file;
	struct user_place place;

	if (!user_place__find(symbols, pid, time_ns, frame->address - is_return, &place))
		return 0;
	place.file_offset += is_return;
	file = place.mapping->file;
	frame->module = file->key.path;
	frame->module_offset = place.file_offset;
	identify(frame, &file->key.build_id);
	table = user_place__table(symbols, &place);
	if (table)
		name_in_table(symbols, table, &place, frame, is_return);
	else if (file->kind != MAPPED_NOTHING && file->kind != MAPPED_VDSO)
		name_jit(symbols, &place, frame, is_return);
	return table && symbols->opts.lines ? stack_lines__add(symbols, table, &place, is_return)
					    : 0;
}

int stack_frames__add(struct peat_symbols *symbols, const struct peat_address *address,
		      uint32_t pid, uint64_t time_ns, bool is_return)
{
	struct peat_stack_frame *frame = stack_frames__append(symbols);
	int err = 0;

	if (!frame)
		return -ENOMEM;
	is_return = is_return && address->address;
	frame->address = address->address;
	frame->space = address->space;
	if (address->space == PEAT_SPACE_KERNEL)
		name_kernel(symbols, frame, time_ns, is_return);
	else if (address->space == PEAT_SPACE_USER)
		err = name_user(symbols, frame, pid, time_ns, is_return);
	/* Functions inlined there are frames before it. */
	if (symbols->frames[symbols->frames_count - 1].symbol)
		symbols->named++;
	else
		symbols->unnamed++;
	return err;
}
