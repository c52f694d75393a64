// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* convert/folded.c: writes a recording's callchains as folded stacks, the input of flame graphs. */
#include <fnmatch.h>
#include <stdlib.h>
#include <unistd.h>

#include <peat/recording.h>
#include <peat/where.h>

#include "base/internal.h"
#include "convert/mappings.h"
#include "replay/source.h"
#include "convert/output_file.h"
#include "sys/kallsyms.h"

/* The capacity of a pipe. */
#define WRITE_BYTES 65536

/* The kernel's limit is 127 by default; a record of 64 KiB has room for no more. */
#define FRAMES_MAX 8192

#define MODE 0666

struct fold {
	struct peat_reader *reader;
	struct perf_recording *recording;
	const char *to;
	int fd;
	bool no_symbols;
	struct mappings mappings;
	struct string_counts stacks;
	struct strbuf line;
	const char *const *events;    /* patterns; NULL: a single event */
	struct string_counts counted; /* names of the events that have stacks */
};

/* The address space of a frame, from one context marker to the next. */
enum frame_space { FRAME_KERNEL, FRAME_USER, FRAME_OTHER };

struct frame {
	uint64_t address;
	enum frame_space space;
};

static enum frame_space space_of_mode(uint16_t misc)
{
	switch (misc & PEAT_MISC_CPUMODE_MASK) {
	case PEAT_MISC_KERNEL:
		return FRAME_KERNEL;
	case PEAT_MISC_USER:
		return FRAME_USER;
	default:
		return FRAME_OTHER;
	}
}

static enum frame_space space_of_marker(uint64_t context)
{
	return context == PEAT_CONTEXT_KERNEL ? FRAME_KERNEL
	       : context == PEAT_CONTEXT_USER ? FRAME_USER
					      : FRAME_OTHER;
}

/* ---- frames ---------------------------------------------------------------------------------- */

/* Replaces the separators of a folded line with '_'. */
static void put_frame_text(struct strbuf *line, const char *text)
{
	for (; *text; text++)
		strbuf__char(line,
			     *text == ';' || (uint8_t)*text < ' ' || *text == 127 ? '_' : *text);
}

/* Without the offset in the function, which differs between samples. */
static void put_kernel_frame(struct strbuf *line, uint64_t address)
{
	size_t start = line->count;
	const char *plus;

	kallsyms__append(line, address, SYMBOLS_LASTING);
	plus = line->failed ? NULL : memchr(line->bytes + start, '+', line->count - start);
	if (plus)
		strbuf__cut(line, (size_t)(plus - line->bytes));
}

static void put_user_frame(struct strbuf *line, const struct mappings *mappings, uint32_t pid,
			   uint64_t address)
{
	uint64_t offset;
	const char *file = mappings__find(mappings, pid, address, &offset);

	if (!file) {
		strbuf__hex(line, address);
		return;
	}
	if (*file != '[')
		strbuf__char(line, '[');
	put_frame_text(line, file);
	if (*file != '[')
		strbuf__char(line, ']');
	strbuf__char(line, '+');
	strbuf__hex(line, offset);
}

static void put_frame(struct fold *fold, const struct peat_event *event, const struct frame *frame)
{
	strbuf__char(&fold->line, ';');
	if (frame->space == FRAME_KERNEL && event->recorded->same_kernel && !fold->no_symbols)
		put_kernel_frame(&fold->line, frame->address);
	else if (frame->space == FRAME_USER)
		put_user_frame(&fold->line, &fold->mappings, event->pid, frame->address);
	else
		strbuf__hex(&fold->line, frame->address);
}

static void put_task_name(struct strbuf *line, const struct peat_event *event)
{
	if (event->comm) {
		put_frame_text(line, event->comm);
	} else {
		strbuf__char(line, ':');
		strbuf__signed(line, (int32_t)event->tid);
	}
}

/* Lists the addresses without context markers and without the cookie of a deferred callchain. */
static size_t list_frames(const struct peat_record *rec, struct frame *frames)
{
	const struct peat_words *chain = &rec->sample.callchain;
	enum frame_space space = space_of_mode(rec->misc);
	size_t count = 0;

	for (uint64_t i = 0; i < chain->count && count < FRAMES_MAX; i++) {
		uint64_t address = peat_words__at(chain, i);

		if (address < PEAT_CONTEXT_MAX)
			frames[count++] = (struct frame){ address, space };
		else
			space = space_of_marker(address);
		i += address == PEAT_CONTEXT_USER_DEFERRED;
	}
	return count;
}

/* ---- samples --------------------------------------------------------------------------------- */

static const char *name_of(const struct peat_event *event)
{
	return event->schema ? peat_schema__name(event->schema) : "unknown";
}

static bool is_chosen(const struct fold *fold, const struct peat_event *event)
{
	const char *const *pattern = fold->events;

	while (pattern && *pattern && fnmatch(*pattern, name_of(event), 0))
		pattern++;
	return !pattern || *pattern;
}

static int note_event(struct fold *fold, const struct peat_event *event)
{
	const char *name = name_of(event);
	struct string_count *counted = string_counts__add(&fold->counted, name, strlen(name));

	if (!counted)
		return -ENOMEM;
	counted->count++;
	return 0;
}

static int count_sample(struct fold *fold, const struct peat_event *event)
{
	static _Thread_local struct frame frames[FRAMES_MAX];
	struct string_count *stack;
	size_t count;

	if (!(event->record->has & PEAT_SAMPLE_CALLCHAIN) || !is_chosen(fold, event))
		return 0;
	if (note_event(fold, event))
		return -ENOMEM;
	fold->line.count = 0;
	put_task_name(&fold->line, event);
	for (count = list_frames(event->record, frames); count; count--)
		put_frame(fold, event, &frames[count - 1]);
	if (fold->line.failed)
		return -ENOMEM;
	stack = string_counts__add(&fold->stacks, fold->line.bytes, fold->line.count);
	if (!stack)
		return -ENOMEM;
	stack->count++;
	return 0;
}

static int fold_event(struct fold *fold, const struct peat_event *event)
{
	if (event->kind == PEAT_EVENT_DATA)
		return count_sample(fold, event);
	return event->kind == PEAT_EVENT_RECORD ? mappings__apply(&fold->mappings, event->record)
						: 0;
}

/* Folds all events.  0; -EBADMSG: the recording is incomplete; or another error. */
static int fold_events(struct fold *fold)
{
	const struct peat_event *event;
	int ready, more = 0, err = 0;

	while (!err && more >= 0 && (ready = peat_reader__wait(fold->reader, -1)) > 0)
		while (!err && (more = peat_reader__next(fold->reader, &event)) > 0)
			err = fold_event(fold, event);
	if (err)
		return perf_recording__log_error(fold->recording, err, NULL);
	return more < 0 ? more : ready == -ENODATA ? 0 : ready;
}

/* ---- output ---------------------------------------------------------------------------------- */

static int write_sorted(struct fold *fold, const struct string_count *const *stacks)
{
	struct strbuf *line = &fold->line;
	int err = 0;

	line->count = 0;
	for (; *stacks && !err; stacks++) {
		strbuf__bytes(line, (*stacks)->text, (*stacks)->bytes);
		strbuf__char(line, ' ');
		strbuf__unsigned(line, (*stacks)->count);
		strbuf__char(line, '\n');
		if (line->count >= WRITE_BYTES)
			err = strbuf__write(line, fold->fd);
	}
	return err ? err : strbuf__write(line, fold->fd);
}

static int write_stacks(struct fold *fold)
{
	const struct string_count **stacks = string_counts__sorted(&fold->stacks);
	int err = stacks ? write_sorted(fold, stacks) : -ENOMEM;

	free(stacks);
	if (err && err != -EPIPE)
		log__error("cannot write to %s: %s", fold->to, strerror(-err));
	return err;
}

static int refuse_several(struct fold *fold)
{
	const struct string_count **names = string_counts__sorted(&fold->counted);
	struct strbuf list = { 0 };

	for (const struct string_count **name = names; name && *name; name++) {
		strbuf__text(&list, name == names ? "" : ", ");
		strbuf__bytes(&list, (*name)->text, (*name)->bytes);
	}
	strbuf__char(&list, 0);
	log__error("%s has stacks of several events: %s: choose one: peat convert FILE EVENT",
		   fold->recording->path, names && !list.failed ? list.bytes : "(no memory)");
	strbuf__free(&list);
	free(names);
	return -EINVAL;
}

static int check_events(struct fold *fold)
{
	if (!fold->events && fold->counted.count > 1)
		return refuse_several(fold);
	if (!fold->counted.count && fold->events)
		log__warn("%s: no sample of the chosen events has a callchain: peat replay --stats "
			  "lists the events",
			  fold->recording->path);
	else if (!fold->counted.count)
		log__warn("%s: no sample has a callchain: record with perf record -g",
			  fold->recording->path);
	return 0;
}

static int fold_all(struct fold *fold)
{
	int ended, err;

	fold->fd = output_file__open(fold->recording, fold->to, MODE);
	if (fold->fd < 0)
		return fold->fd;
	ended = fold_events(fold);
	if (ended && ended != -EBADMSG)
		return ended;
	err = check_events(fold);
	if (!err)
		err = write_stacks(fold);
	return err ? err : ended;
}

/* The events of a pipe arrive with it: they are not checked. */
static int check_where(struct fold *fold, struct peat_where *where)
{
	const struct peat_schema *type;
	int found = 0;
	uint32_t i;

	for (i = 0; where && found >= 0 && (type = peat_reader__type(fold->reader, i)); i++)
		found = peat_where__add_type(where, type);
	if (found < 0)
		return found;
	return i && where ? peat_where__check(where) : 0;
}

static bool all_zero_reserved(const struct peat_fold_opts *opts)
{
	for (size_t i = 0; i < sizeof(opts->reserved); i++)
		if (opts->reserved[i]) {
			log__error("peat_fold_opts.reserved must be 0");
			return false;
		}
	return true;
}

int peat_recording__fold(const char *path, const char *to,
			 const struct peat_fold_opts *callers_opts)
{
	struct peat_fold_opts fold_opts = { .sz = sizeof(fold_opts) };
	struct peat_replay_opts opts = PEAT_REPLAY_OPTS_INIT;
	struct fold fold = { .to = to, .fd = -1 };
	int err = opts__read(&fold_opts, sizeof(fold_opts), callers_opts, "peat_fold_opts");

	if (err)
		return fail(err);
	if (!all_zero_reserved(&fold_opts))
		return fail(-EINVAL);
	fold.events = fold_opts.events;
	fold.no_symbols = fold_opts.no_symbols;
	opts.kinds = PEAT_KIND_MMAP | PEAT_KIND_TASK | PEAT_KIND_COMM;
	opts.names = opts.ordered = true;
	opts.where = fold_opts.where;
	fold.reader = peat_reader__open(path, &opts);
	if (!fold.reader)
		return -errno;
	fold.recording = replay__recording(fold.reader);
	err = check_where(&fold, opts.where);
	if (!err)
		err = fold_all(&fold);
	if (fold.fd >= 0 && close(fold.fd) && !err) {
		err = -errno;
		log__error("cannot write to %s: %s", to, strerror(-err));
	}
	mappings__free(&fold.mappings);
	string_counts__free(&fold.stacks);
	string_counts__free(&fold.counted);
	strbuf__free(&fold.line);
	peat_reader__free(fold.reader);
	return err ? fail(err) : 0;
}
