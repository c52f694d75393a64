// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* symbols/user_place.c: the mapping of an address, from records or from /proc. */
#include "symbols/processes/proc_spaces.h"
#include "symbols/symbols.h"

/* NULL: unknown, or no memory. */
static struct process *find_process(struct peat_symbols *symbols, uint32_t pid)
{
	struct process *process = processes__find(&symbols->processes, pid);

	if (!symbols->uses_proc || pid == PEAT_NO_TASK)
		return process;
	if (!process)
		process = processes__get(&symbols->processes, pid);
	if (!process)
		return NULL;
	if (!process->is_whole)
		proc_spaces__read(&symbols->processes, process);
	proc_spaces__update(&symbols->processes, process);
	return process;
}

static const struct mapping *find_mapping(struct process *process, uint64_t time_ns,
					  uint64_t address)
{
	return address_space__find(process__space(process, time_ns), time_ns, address);
}

bool user_place__find(struct peat_symbols *symbols, uint32_t pid, uint64_t time_ns,
		      uint64_t address, struct user_place *place)
{
	struct process *process = find_process(symbols, pid);
	const struct mapping *mapping;

	if (!process)
		return false;
	mapping = find_mapping(process, time_ns, address);
	if (!mapping && symbols->uses_proc && proc_spaces__read(&symbols->processes, process))
		mapping = find_mapping(process, time_ns, address);
	if (!mapping)
		return false;
	*place = (struct user_place){
		.process = process,
		.mapping = mapping,
		.file_offset = address - mapping->begin + mapping->pgoff,
		.is_live = symbols->uses_proc && !process->has_ended,
		.origin = symbols->opts.recorded ? &symbols->origin : NULL,
	};
	/* Records have the address as the offset of special mappings. */
	if (mapping->file->kind != MAPPED_FILE)
		place->file_offset = address - mapping->begin;
	return true;
}

struct file_place user_place__of_file(const struct user_place *place)
{
	return (struct file_place){
		.pid = place->process->pid,
		.begin = place->mapping->begin,
		.end = place->mapping->end,
		.is_live = place->is_live,
		.origin = place->origin,
	};
}

struct symbol_table *user_place__table(struct peat_symbols *symbols, const struct user_place *place)
{
	struct mapped_file *file = place->mapping->file;
	struct file_place of_file = user_place__of_file(place);

	/* The vdso of another kernel is another one. */
	if (file->kind == MAPPED_VDSO && symbols->opts.recorded &&
	    symbols->kernel_symbols == SYMBOLS_NONE)
		return NULL;
	return symbol_cache__get(&symbols->cache, file, &of_file);
}
