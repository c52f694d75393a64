// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* fold.c: the stacks of a recording's samples, a line each, as flame graphs are made of. */
#include <stdlib.h>
#include <unistd.h>

#include <peat/recording.h>

#include "base/internal.h"
#include "convert/mappings.h"
#include "replay/source.h"
#include "convert/output_file.h"
#include "sys/kallsyms.h"

/* As much as a pipe takes at once. */
#define WRITE_BYTES 65536

/* A chain of the kernel's has 127 by default, and records are no longer than 64 KiB. */
#define FRAMES_MOST 8192

#define MODE 0666

struct fold {
	struct replay *replay;
	const char *to;
	int fd;
	struct mappings mappings;
	struct text_counts stacks;
	struct out line;
	bool any; /* sample had a chain */
};

/* Whose the addresses of a chain are, from one context to the next. */
enum whose { OF_KERNEL, OF_USER, OF_OTHERS };

struct frame {
	uint64_t address;
	enum whose whose;
};

static enum whose whose_mode(uint16_t misc)
{
	switch (misc & PEAT_MISC_CPUMODE_MASK) {
	case PEAT_MISC_KERNEL:
		return OF_KERNEL;
	case PEAT_MISC_USER:
		return OF_USER;
	default:
		return OF_OTHERS;
	}
}

static enum whose whose_context(uint64_t context)
{
	return context == PEAT_CONTEXT_KERNEL ? OF_KERNEL
	       : context == PEAT_CONTEXT_USER ? OF_USER
					      : OF_OTHERS;
}

/* ---- frames ---------------------------------------------------------------------------------- */

/* What separates the parts of a line cannot be in one. */
static void put_text(struct out *line, const char *text)
{
	for (; *text; text++)
		out__char(line, *text == ';' || (uint8_t)*text < ' ' || *text == 127 ? '_' : *text);
}

/* The function alone: where in it differs from sample to sample. */
static void put_kernel(struct out *line, uint64_t address)
{
	size_t start = line->count;
	const char *plus;

	symbols__append(line, address);
	plus = line->failed ? NULL : memchr(line->bytes + start, '+', line->count - start);
	if (plus)
		out__cut(line, (size_t)(plus - line->bytes));
}

static void put_user(struct out *line, const struct mappings *mappings, uint32_t pid,
		     uint64_t address)
{
	uint64_t offset;
	const char *file = mappings__find(mappings, pid, address, &offset);

	if (!file) {
		out__hex(line, address);
		return;
	}
	if (*file != '[')
		out__char(line, '[');
	put_text(line, file);
	if (*file != '[')
		out__char(line, ']');
	out__char(line, '+');
	out__hex(line, offset);
}

static void put_frame(struct fold *fold, const struct peat_event *event, const struct frame *frame)
{
	out__char(&fold->line, ';');
	if (frame->whose == OF_KERNEL && event->recorded->same_kernel)
		put_kernel(&fold->line, frame->address);
	else if (frame->whose == OF_USER)
		put_user(&fold->line, &fold->mappings, event->pid, frame->address);
	else
		out__hex(&fold->line, frame->address);
}

static void put_task(struct out *line, const struct peat_event *event)
{
	if (event->comm) {
		put_text(line, event->comm);
	} else {
		out__char(line, ':');
		out__signed(line, (int32_t)event->tid);
	}
}

/* Without the contexts; a cookie, which follows one of them, is no address. */
static size_t list_frames(const struct peat_record *rec, struct frame *frames)
{
	const struct peat_words *chain = &rec->sample.callchain;
	enum whose whose = whose_mode(rec->misc);
	size_t count = 0;

	for (uint64_t i = 0; i < chain->count && count < FRAMES_MOST; i++) {
		uint64_t address = peat_words__at(chain, i);

		if (address < PEAT_CONTEXT_MAX)
			frames[count++] = (struct frame){ address, whose };
		else
			whose = whose_context(address);
		i += address == PEAT_CONTEXT_USER_DEFERRED;
	}
	return count;
}

/* ---- samples --------------------------------------------------------------------------------- */

static int take_sample(struct fold *fold, const struct peat_event *event)
{
	static _Thread_local struct frame frames[FRAMES_MOST];
	struct text_count *stack;
	size_t count;

	if (!(event->record->has & PEAT_SAMPLE_CALLCHAIN))
		return 0;
	fold->any = true;
	fold->line.count = 0;
	put_task(&fold->line, event);
	for (count = list_frames(event->record, frames); count; count--)
		put_frame(fold, event, &frames[count - 1]);
	if (fold->line.failed)
		return -ENOMEM;
	stack = text_counts__of(&fold->stacks, fold->line.bytes, fold->line.count);
	if (!stack)
		return -ENOMEM;
	stack->count++;
	return 0;
}

static int take(struct fold *fold, const struct peat_event *event)
{
	if (event->kind == PEAT_EVENT_DATA)
		return take_sample(fold, event);
	return event->kind == PEAT_EVENT_RECORD ? mappings__take(&fold->mappings, event->record)
						: 0;
}

/* To the end: 0, or -EBADMSG if it is not whole; or what failed. */
static int take_all(struct fold *fold)
{
	const struct peat_event *event;
	int ready, more = 0, err = 0;

	while (!err && more >= 0 && (ready = replay__wait(fold->replay, -1)) > 0)
		while (!err && (more = replay__next(fold->replay, &event)) > 0)
			err = take(fold, event);
	if (err)
		return perf_recording__explain(&fold->replay->in.rec, err, NULL);
	return more < 0 ? more : ready == -ENODATA ? 0 : ready;
}

/* ---- output ---------------------------------------------------------------------------------- */

static int write_sorted(struct fold *fold, const struct text_count *const *stacks)
{
	struct out *line = &fold->line;
	int err = 0;

	line->count = 0;
	for (; *stacks && !err; stacks++) {
		out__bytes(line, (*stacks)->text, (*stacks)->bytes);
		out__char(line, ' ');
		out__unsigned(line, (*stacks)->count);
		out__char(line, '\n');
		if (line->count >= WRITE_BYTES)
			err = out__write(line, fold->fd);
	}
	return err ? err : out__write(line, fold->fd);
}

static int write_stacks(struct fold *fold)
{
	const struct text_count **stacks = text_counts__sorted(&fold->stacks);
	int err = stacks ? write_sorted(fold, stacks) : -ENOMEM;

	free(stacks);
	if (err && err != -EPIPE)
		log__error("cannot write to %s: %s", fold->to, strerror(-err));
	return err;
}

static int fold_all(struct fold *fold)
{
	const char *path = fold->replay->path;
	int ended, err;

	fold->fd = result_file__open(&fold->replay->in.rec, fold->to, MODE);
	if (fold->fd < 0)
		return fold->fd;
	ended = take_all(fold);
	if (ended && ended != -EBADMSG)
		return ended;
	if (!fold->any)
		log__warn("%s: no sample has a callchain; perf record -g asks for them", path);
	err = write_stacks(fold);
	return err ? err : ended;
}

int peat_recording__fold(const char *path, const char *to)
{
	struct peat_reader_opts opts = PEAT_READER_OPTS_INIT;
	struct fold fold = { .to = to, .fd = -1 };
	int err;

	opts.kinds = PEAT_KIND_MMAP | PEAT_KIND_TASK | PEAT_KIND_COMM;
	opts.names = opts.ordered = true;
	err = replay__open(&fold.replay, path, &opts);
	if (!err)
		err = fold_all(&fold);
	if (fold.fd >= 0 && close(fold.fd) && !err) {
		err = -errno;
		log__error("cannot write to %s: %s", to, strerror(-err));
	}
	mappings__free(&fold.mappings);
	text_counts__free(&fold.stacks);
	out__free(&fold.line);
	replay__close(fold.replay);
	return err ? fail(err) : 0;
}
