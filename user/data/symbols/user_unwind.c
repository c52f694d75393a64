// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* symbols/user_unwind.c: unwinds the user stack of an event. */
#include <string.h>

#include "record/regs.h"
#include "replay/recorded.h"
#include "symbols/files/table_unwind.h"
#include "symbols/user_unwind.h"

/* Pages of code that the stack went through: most stacks have few. */
#define PAGES	   16 /* a power of two */
#define PAGE_BYTES 4096

/* A part of a page, in one mapping and one segment of its file. */
struct code_page {
	uint64_t begin, bytes;
	uint64_t to_vaddr; /* added to an address, wraps */
	struct unwind_table *table;
};

struct user_code {
	struct peat_symbols *symbols;
	const struct peat_event *event;
	struct code_page pages[PAGES];
};

static struct code_page *page_of(struct user_code *user, uint64_t address)
{
	return &user->pages[address / PAGE_BYTES % PAGES];
}

static uint64_t least(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

static void keep_page(struct user_code *user, uint64_t file_offset, const struct elf_load *load,
		      uint64_t address, const struct unwind_code *code)
{
	const uint64_t in_page = address % PAGE_BYTES, in_load = file_offset - load->offset;
	const uint64_t back = least(in_page, in_load);

	*page_of(user, address) = (struct code_page){
		.begin = address - back,
		.bytes = back + least(PAGE_BYTES - in_page, load->bytes - in_load),
		.to_vaddr = code->vaddr - address,
		.table = code->table,
	};
}

/* Finds the call frame information of an address of the event's process. */
static bool find_code(void *arg, uint64_t address, struct unwind_code *code)
{
	struct user_code *user = arg;
	const struct code_page *page = page_of(user, address);
	const struct elf_load *load;
	struct symbol_table *table;
	struct file_place of_file;
	struct user_place place;

	if (address - page->begin < page->bytes) {
		*code = (struct unwind_code){ page->table, address + page->to_vaddr };
		return true;
	}
	if (!user_place__find(user->symbols, user->event->pid, user->event->time_ns, address,
			      &place))
		return false;
	table = user_place__table(user->symbols, &place);
	load = table ? symbol_table__find_load(table, place.file_offset) : NULL;
	if (!load)
		return true;
	of_file = user_place__of_file(&place);
	code->vaddr = load->vaddr + (place.file_offset - load->offset);
	code->table =
		table_unwind__get(&user->symbols->cache, table, place.mapping->file, &of_file);
	keep_page(user, place.file_offset, load, address, code);
	return true;
}

/* The first code of a program or of the dynamic linker, in assembler, has no caller. */
static bool begins_stacks(struct symbol_cache *cache, struct symbol_table *table, uint64_t offset)
{
	uint64_t vaddr;
	struct elf_symbol *symbol = symbol_table__find(table, offset, &vaddr);
	const char *name = symbol ? symbol_cache__name(cache, table, symbol) : NULL;

	return !name || !strcmp(name, "_start") || !strcmp(name, "_dl_start_user");
}

/*
 * Whether the stack ended for lack of call frame information that is found now.  Garbage on the
 * stack leads anywhere: only code that has a symbol counts.
 */
static bool is_completed(struct user_code *user, const struct unwind_frame *last)
{
	const uint64_t address = last->pc - !last->is_exact;
	uint32_t instructions = BUDGET_ROW_INSTRUCTIONS;
	const struct cfi_section *section;
	struct unwind_code code = { 0 };
	struct symbol_table *table;
	struct file_place of_file;
	struct user_place place;

	if (!find_code(user, address, &code) ||
	    (code.table && unwind_table__find(code.table, code.vaddr, &instructions, &section)) ||
	    !user_place__find(user->symbols, user->event->pid, user->event->time_ns, address,
			      &place))
		return false;
	table = user_place__table(user->symbols, &place);
	if (!table || begins_stacks(&user->symbols->cache, table, place.file_offset))
		return false;
	of_file = user_place__of_file(&place);
	memset(user->pages, 0, sizeof(user->pages));
	return table_unwind__complete(&user->symbols->cache, table, place.mapping->file, &of_file);
}

size_t user_unwind(struct peat_symbols *symbols, const struct peat_event *event,
		   struct unwind_frame frames[UNWIND_FRAMES_MAX])
{
	const char *arch = event->recorded ? event->recorded->arch : reg_names__here;
	const struct unwind_machine *machine = unwind_machine__of(arch);
	struct peat_user_state state = { .sz = sizeof(state) };
	struct user_code user = { .symbols = symbols, .event = event };
	struct unwind_memory memory;
	struct unwind_regs regs;
	size_t count;

	if (!machine || !peat_event__user_state(event, &state) || !state.stack_bytes ||
	    !unwind_regs__read(machine, &state.regs, &regs))
		return 0;
	memory = (struct unwind_memory){ .stack = state.stack,
					 .start = regs.value[machine->sp],
					 .bytes = state.stack_bytes,
					 .swapped = state.regs.values.swapped };
	do
		count = unwind_stack(machine, &regs, &memory, find_code, &user, frames,
				     UNWIND_FRAMES_MAX);
	while (count < UNWIND_FRAMES_MAX && is_completed(&user, &frames[count - 1]));
	return count;
}
