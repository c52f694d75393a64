// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* symbols/symbols.c: struct peat_symbols: names of addresses. */
#include <stdio.h>
#include <stdlib.h>

#include "base/errors.h"
#include "base/log.h"
#include "base/monotonic.h"
#include "base/opts.h"
#include "replay/recorded.h"
#include "field/field_text.h"
#include "field/field_type.h"
#include "symbols/debug/debuginfod.h"
#include "symbols/namer/namer.h"
#include "symbols/processes/proc_spaces.h"
#include "symbols/symbols.h"
#include "symbols/stack_lines.h"
#include "symbols/user_unwind.h"
#include "sys/pid_namespace.h"

#define ADDRESSES_MIN 256

static void free_strings(char **strings)
{
	for (size_t i = 0; strings && strings[i]; i++)
		free(strings[i]);
	free(strings);
}

static char **copy_strings(const char *const *strings)
{
	size_t count = 0;
	char **copy;

	while (strings[count])
		count++;
	copy = calloc(count + 1, sizeof(*copy));
	for (size_t i = 0; copy && i < count; i++) {
		copy[i] = strdup(strings[i]);
		if (!copy[i]) {
			free_strings(copy);
			return NULL;
		}
	}
	return copy;
}

/* Sets the directories of debug files.  0, -ENOMEM, -ENOTSUP. */
static int set_debug_places(struct peat_symbols *symbols)
{
	struct debug_places *places = &symbols->cache.reader.places;

	if (symbols->opts.lines && !source_lines__are_available()) {
		log__error("lines: this libpeat was built without libdw, which reads them: build "
			   "it with libdw-dev");
		return -ENOTSUP;
	}
	if (symbols->opts.debuginfod && debuginfod__absence()) {
		log__error("debuginfod: %s", debuginfod__absence());
		return -ENOTSUP;
	}
	places->debuginfod = symbols->opts.debuginfod;
	if (!symbols->opts.debug_dirs)
		return 0;
	symbols->debug_dirs = copy_strings(symbols->opts.debug_dirs);
	places->dirs = (const char *const *)symbols->debug_dirs;
	return symbols->debug_dirs ? 0 : -ENOMEM;
}

static int set_namer(struct peat_symbols *symbols)
{
	if (!symbols->opts.namer)
		return 0;
	symbols->cache.reader.namer = namer__new(symbols->opts.namer);
	symbols->cache.reader.patience = symbols->opts.wait_ms ? NAMER_SHORTLY : NAMER_WAIT;
	symbols->cache.reader.wait_ms = symbols->opts.wait_ms;
	symbols->opts.namer = NULL; /* the caller's */
	if (!symbols->cache.reader.namer)
		return -ENOMEM;
	if (!symbols->opts.recorded)
		namer__start(symbols->cache.reader.namer);
	return 0;
}

static const struct frame_names frame_names = {
	.stack = peat_symbols__stack,
	.address = peat_symbols__address,
	.field = peat_symbols__field,
};

struct peat_symbols *peat_symbols__new(const struct peat_symbols_opts *opts)
{
	struct peat_symbols_opts ours = PEAT_SYMBOLS_OPTS_INIT;
	struct peat_symbols *symbols;
	int err = opts__read(&ours, sizeof(ours), opts, "peat_symbols_opts");

	if (!err)
		err = OPTS_CHECK_RESERVED(&ours, "peat_symbols_opts");
	if (err)
		return fail_null(err);
	symbols = calloc(1, sizeof(*symbols));
	if (!symbols)
		return fail_null(-ENOMEM);
	symbols->names = &frame_names;
	symbols->opts = ours;
	symbols->cache.most_bytes = ours.memory_bytes ? ours.memory_bytes : BUDGET_TABLES_BYTES;
	symbols->jit.most_bytes = symbols->cache.most_bytes / 2;
	symbols->jit.wait_ms = ours.wait_ms;
	symbols->cache.reader.no_demangle = ours.no_demangle;
	symbols->cache.quiet = ours.quiet;
	symbols->cache.reader.make_room = symbol_cache__make_room;
	symbols->cache.reader.room_arg = &symbols->cache;
	symbols->processes.files.release = symbol_cache__release;
	symbols->processes.files.arg = &symbols->cache;
	symbols->kernel_symbols = ours.recorded ? SYMBOLS_NONE : SYMBOLS_ALL;
	symbols->uses_proc = !ours.recorded && pid_namespace__is_initial();
	err = set_namer(symbols) ?: set_debug_places(symbols);
	if (!err)
		return symbols;
	peat_symbols__free(symbols);
	return fail_null(err);
}

void peat_symbols__free(struct peat_symbols *symbols)
{
	struct namer *namer;

	if (!symbols)
		return;
	namer = symbols->cache.reader.namer;
	namer__kill(namer);
	processes__free(&symbols->processes);
	symbol_cache__free(&symbols->cache);
	kernel_names__free(&symbols->kernel);
	free_strings(symbols->debug_dirs);
	free(symbols->frames);
	free(symbols->addresses);
	namer__free(namer);
	free(symbols);
}

void peat_symbols__hurry(struct peat_symbols *symbols, uint32_t ms)
{
	if (symbols->cache.reader.namer)
		namer__hurry(symbols->cache.reader.namer, ms);
}

/* ---- records --------------------------------------------------------------------------------- */

/* Results of the call before are not valid any more. */
static void begin_call(struct peat_symbols *symbols)
{
	symbols->call++;
	symbols->frames_count = 0;
	symbol_cache__take_late(&symbols->cache);
	symbols->cache.other_bytes = symbols->jit.bytes;
	symbol_cache__trim(&symbols->cache);
}

/* Several recordings may be read at once. */
static void note_recording(struct peat_symbols *symbols, const struct peat_event *event)
{
	const struct peat_recorded *recorded = event->recorded;
	struct file_origin *origin = &symbols->origin;
	const char *arch;

	if (!recorded)
		return;
	symbols->kernel_symbols = recorded->same_kernel ? SYMBOLS_LASTING : SYMBOLS_NONE;
	origin->is_elsewhere = recorded->other_machine;
	origin->changed_ns = recorded->changed_ns;
	arch = recorded->arch ? recorded->arch : "";
	if (strcmp(origin->arch, arch) != 0)
		snprintf(origin->arch, sizeof(origin->arch), "%s", arch);
}

/*
 * A child of a process that began before the records: its mappings are those of its parent, which
 * can still be read.
 */
static int read_parent(struct peat_symbols *symbols, const struct peat_record *record)
{
	struct process *parent;

	if (!symbols->uses_proc || !processes__is_copied(record))
		return 0;
	parent = processes__get(&symbols->processes, record->task.ppid);
	if (!parent)
		return -ENOMEM;
	if (!parent->is_whole)
		proc_spaces__read(&symbols->processes, parent);
	return 0;
}

static bool is_mmap(const struct peat_record *record)
{
	return record->type == PEAT_RECORD_MMAP || record->type == PEAT_RECORD_MMAP2;
}

/*
 * A file in another mount namespace, or deleted by now, is out of reach once the process has ended,
 * so its table is read now.  Others are read when an address needs it.
 */
static void read_passing(struct peat_symbols *symbols, const struct peat_event *event)
{
	const struct peat_mmap *mmap = &event->record->mmap;
	struct mapped_file *file;
	struct user_place place;

	if (!symbols->uses_proc || !is_mmap(event->record) || mmap->data ||
	    !user_place__find(symbols, mmap->pid, event->time_ns, mmap->addr, &place))
		return;
	file = place.mapping->file;
	if (file->kind != MAPPED_FILE || file->is_looked_for)
		return;
	file->is_looked_for = true;
	if (!file->table && place.is_live && !symbol_file__is_lasting(file))
		user_place__table(symbols, &place);
}

/*
 * perf record lists build ids at the end of the file, unless it has --buildid-mmap.  perf before
 * Linux 3.16 and simpleperf record MMAP, which has neither an id nor an inode.
 */
static const struct peat_record *add_build_id(const struct peat_event *event,
					      struct peat_record *copy)
{
	const struct peat_record *record = event->record;
	const struct recorded_id *id;

	if (!event->recorded || !event->recorded->build_ids || !is_mmap(record) ||
	    record->mmap.build_id)
		return record;
	id = build_ids__find(event->recorded->build_ids, record->mmap.filename);
	if (!id)
		return record;
	*copy = *record;
	copy->mmap.build_id = id->id;
	copy->mmap.build_id_bytes = id->bytes;
	return copy;
}

int peat_symbols__follow(struct peat_symbols *symbols, const struct peat_event *event)
{
	const struct peat_record *record;
	struct peat_record copy;
	int err;

	begin_call(symbols);
	note_recording(symbols, event);
	if (event->kind != PEAT_EVENT_RECORD || !event->record)
		return 0;
	/* Addresses of mappings will likely need names: children start beside other records. */
	if (symbols->cache.reader.namer && is_mmap(event->record))
		namer__start(symbols->cache.reader.namer);
	record = add_build_id(event, &copy);
	err = read_parent(symbols, record);
	if (!err)
		err = processes__apply(&symbols->processes, record, event->time_ns);
	if (!err)
		err = kernel_names__apply(&symbols->kernel, record, event->time_ns);
	if (err)
		return fail(err);
	read_passing(symbols, event);
	return 0;
}

/* ---- names ----------------------------------------------------------------------------------- */

/* The number of addresses of the event's stack, or -ENOMEM. */
static int read_addresses(struct peat_symbols *symbols, const struct peat_event *event)
{
	uint32_t room = symbols->addresses_room;
	struct peat_address *addresses;
	uint32_t count = peat_event__addresses(event, symbols->addresses, room);

	if (count <= room)
		return (int)count;
	room = count > ADDRESSES_MIN ? count : ADDRESSES_MIN;
	addresses = reallocarray(symbols->addresses, room, sizeof(*addresses));
	if (!addresses)
		return -ENOMEM;
	symbols->addresses = addresses;
	symbols->addresses_room = room;
	return (int)peat_event__addresses(event, addresses, room);
}

/* The first address of each space is where the task was, the others are returned to. */
static bool is_return(const struct peat_address *addresses, uint32_t i)
{
	return i && addresses[i].space == addresses[i - 1].space;
}

static uint32_t count_user(const struct peat_address *addresses, uint32_t count)
{
	uint32_t user = 0;

	for (uint32_t i = 0; i < count; i++)
		user += addresses[i].space == PEAT_SPACE_USER;
	return user;
}

/* Addresses of stacks beyond that are asked for one by one. */
#define ASKED_MAX 256

static void ask_lines(struct peat_symbols *symbols, const struct peat_event *event, uint32_t first,
		      uint32_t count)
{
	struct line_place list[ASKED_MAX];
	uint32_t asked = 0;

	if (!symbols->opts.lines)
		return;
	for (uint32_t i = first; i < count && asked < ASKED_MAX; i++)
		if (symbols->addresses[i].space == PEAT_SPACE_USER)
			list[asked++] = (struct line_place){ symbols->addresses[i].address,
							     is_return(symbols->addresses, i) };
	stack_lines__ask(symbols, event->pid, event->time_ns, list, asked);
}

/* Names the addresses; without those of user space if the user stack was unwound. */
static int name_addresses(struct peat_symbols *symbols, const struct peat_event *event,
			  uint32_t count, bool is_unwound)
{
	uint32_t first = bpf_frames__count(&symbols->machinery, event, symbols->addresses, count);
	int err = 0;

	if (!is_unwound)
		ask_lines(symbols, event, first, count);
	for (uint32_t i = first; i < count && !err; i++)
		if (!is_unwound || symbols->addresses[i].space != PEAT_SPACE_USER)
			err = stack_frames__add(symbols, &symbols->addresses[i], event->pid,
						event->time_ns, is_return(symbols->addresses, i));
	return err;
}

static int name_unwound(struct peat_symbols *symbols, const struct peat_event *event,
			const struct unwind_frame *frames, size_t count)
{
	struct line_place list[UNWIND_FRAMES_MAX];
	int err = 0;

	for (size_t i = 0; i < count; i++)
		list[i] = (struct line_place){ frames[i].pc, !frames[i].is_exact };
	stack_lines__ask(symbols, event->pid, event->time_ns, list, (uint32_t)count);
	for (size_t i = 0; i < count && !err; i++) {
		const struct peat_address address = { frames[i].pc, PEAT_SPACE_USER };
		const size_t first = symbols->frames_count;

		err = stack_frames__add(symbols, &address, event->pid, event->time_ns,
					!frames[i].is_exact);
		for (size_t j = first; j < symbols->frames_count; j++)
			symbols->frames[j].is_guess = frames[i].is_guess;
	}
	return err;
}

/* The user stack may be there twice: by frame pointers, and to be unwound.  The longer one counts.
 */
int peat_symbols__stack(struct peat_symbols *symbols, const struct peat_event *event,
			const struct peat_stack_frame **frames)
{
	struct unwind_frame unwound[UNWIND_FRAMES_MAX];
	size_t unwound_count;
	int count, err;

	begin_call(symbols);
	note_recording(symbols, event);
	count = read_addresses(symbols, event);
	if (count < 0)
		return fail(count);
	unwound_count = user_unwind(symbols, event, unwound);
	if (unwound_count < count_user(symbols->addresses, (uint32_t)count))
		unwound_count = 0;
	err = name_addresses(symbols, event, (uint32_t)count, unwound_count);
	if (!err)
		err = name_unwound(symbols, event, unwound, unwound_count);
	if (err)
		return fail(err);
	*frames = symbols->frames;
	return (int)symbols->frames_count;
}

int peat_symbols__address(struct peat_symbols *symbols, enum peat_space space, uint32_t pid,
			  uint64_t time_ns, uint64_t address,
			  const struct peat_stack_frame **frames)
{
	const struct peat_address named = { address, space };
	int err;

	begin_call(symbols);
	err = stack_frames__add(symbols, &named, pid, time_ns, false);
	if (err)
		return fail(err);
	*frames = symbols->frames;
	return (int)symbols->frames_count;
}

/* A time without records: the newest one that the process had. */
static uint64_t time_or_now(uint64_t time_ns)
{
	return time_ns ? time_ns : monotonic_ns();
}

/* The stack of a uretprobe begins with an address that is returned to. */
static int name_field(struct peat_symbols *symbols, enum peat_space space, uint32_t pid,
		      uint64_t time_ns, const uint64_t *addresses, uint32_t count)
{
	int err = 0;

	for (uint32_t i = 0; i < count && !err; i++) {
		const struct peat_address address = { addresses[i], space };

		err = stack_frames__add(symbols, &address, pid, time_ns, i > 0);
	}
	return err;
}

int peat_symbols__field(struct peat_symbols *symbols, const struct peat_field *field,
			const void *data, uint32_t bytes, uint32_t pid, uint64_t time_ns,
			const struct peat_stack_frame **frames)
{
	enum field_frames frames_of = field_type__of(field)->frames;
	uint64_t number, *addresses;
	uint32_t count;
	int64_t id;
	int err;

	if (!frames_of)
		return 0;
	begin_call(symbols);
	if (!peat_field__number(field, data, bytes, &number))
		return 0;
	addresses = field_text__stack(field, number, &id, &count);
	err = name_field(symbols,
			 frames_of == FIELD_USER_FRAMES ? PEAT_SPACE_USER : PEAT_SPACE_KERNEL, pid,
			 time_or_now(time_ns), addresses, count);
	free(addresses);
	if (err)
		return fail(err);
	*frames = symbols->frames;
	return (int)symbols->frames_count;
}

int peat_symbols__stats(const struct peat_symbols *symbols, struct peat_symbols_stats *stats)
{
	const struct peat_symbols_stats ours = {
		.sz = sizeof(ours),
		.memory_bytes = symbols->cache.memory_bytes,
		.tables = symbols->cache.loaded,
		.read = symbols->cache.read,
		.dropped = symbols->cache.dropped,
		.named = symbols->named,
		.unnamed = symbols->unnamed,
	};

	return opts__write(stats, &ours, sizeof(ours), "peat_symbols_stats");
}
