// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* print/frames.c: prints stacks and addresses of code, with their names. */
#include <stdlib.h>

#include "base/escape.h"
#include "base/json_value.h"
#include "event/bpf_frames.h"
#include "event/frame_names.h"
#include "event/stack.h"
#include "field/field_text.h"
#include "field/fields.h"
#include "print/frames.h"
#include "event/recorded.h"

/* Frames of most stacks: more are allocated. */
#define FRAMES 256

enum symbols frames__kernel_symbols(const struct peat_event *event, bool no_symbols)
{
	if (no_symbols)
		return SYMBOLS_NONE;
	if (!event->recorded)
		return SYMBOLS_ALL;
	return event->recorded->same_kernel ? SYMBOLS_LASTING : SYMBOLS_NONE;
}

struct address_names frames__names(const struct peat_event *event, bool no_symbols,
				   struct peat_symbols *symbols)
{
	return (struct address_names){ .kernel = frames__kernel_symbols(event, no_symbols),
				       .symbols = no_symbols ? NULL : symbols };
}

/*
 * On most machines the upper half of the addresses is the kernel's.  On others, such as s390x, only
 * the CPU mode says so.
 */
enum peat_space frames__space(const struct peat_record *record, uint64_t address)
{
	switch (record->misc & PEAT_MISC_CPUMODE_MASK) {
	case PEAT_MISC_KERNEL:
		return PEAT_SPACE_KERNEL;
	case PEAT_MISC_GUEST_KERNEL:
	case PEAT_MISC_GUEST_USER:
		return PEAT_SPACE_OTHER;
	default:
		return address >> 63 ? PEAT_SPACE_KERNEL : PEAT_SPACE_USER;
	}
}

/* ---- text ------------------------------------------------------------------------------------ */

/*
 * The texts of modules in the stack that is being printed: most frames have a module of the frames
 * before them, and escaping it again costs more than all the rest of the frame.
 */
struct module_text {
	const char *module; /* the same pointer for the same module within a stack */
	size_t at, bytes;   /* in `out` */
};

#define MODULE_TEXTS 4 /* a power of two */

struct module_texts {
	struct module_text of[MODULE_TEXTS];
	unsigned next;
};

/* False: the module was not printed before. */
static bool copy_module(struct strbuf *out, const struct peat_stack_frame *frame,
			const struct module_texts *texts)
{
	char *to;

	for (unsigned i = 0; texts && frame->symbol && i < MODULE_TEXTS; i++) {
		const struct module_text *text = &texts->of[i];

		if (text->module != frame->module)
			continue;
		to = strbuf__room(out, text->bytes);
		if (!to)
			return true;
		memcpy(to, out->bytes + text->at, text->bytes);
		out->count += text->bytes;
		return true;
	}
	return false;
}

/* Without a symbol, the text has the frame's offset, too. */
static void note_module(const struct strbuf *out, size_t start,
			const struct peat_stack_frame *frame, struct module_texts *texts)
{
	if (texts && frame->symbol && !out->failed)
		texts->of[texts->next++ % MODULE_TEXTS] =
			(struct module_text){ frame->module, start, out->count - start };
}

static void append_foreign(struct strbuf *out, const char *text)
{
	escape__text(out, text, strlen(text), 0);
}

/* The last part of a path. */
static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash && slash[1] ? slash + 1 : path;
}

static void append_offset(struct strbuf *out, uint64_t offset)
{
	strbuf__char(out, '+');
	strbuf__hex(out, offset);
}

/* " (libc.so.6)"; with the offset in the file if the function is unknown. */
static void append_module(struct strbuf *out, const struct peat_stack_frame *frame,
			  struct module_texts *texts)
{
	size_t start = out->count;

	if (!frame->module || copy_module(out, frame, texts))
		return;
	strbuf__text(out, " (");
	append_foreign(out, base_name(frame->module));
	if (!frame->symbol && frame->module_offset)
		append_offset(out, frame->module_offset);
	strbuf__char(out, ')');
	note_module(out, start, frame, texts);
}

static void append_line(struct strbuf *out, const struct peat_stack_frame *frame)
{
	if (!frame->file)
		return;
	strbuf__char(out, ' ');
	append_foreign(out, base_name(frame->file));
	if (!frame->line)
		return;
	strbuf__char(out, ':');
	strbuf__unsigned(out, frame->line);
}

static void append_frame(struct strbuf *out, const struct peat_stack_frame *frame,
			 struct module_texts *texts)
{
	if (frame->symbol)
		append_foreign(out, frame->symbol);
	else
		strbuf__hex(out, frame->address);
	if (frame->inlined) {
		strbuf__text(out, " (inlined)");
	} else {
		if (frame->symbol && frame->offset)
			append_offset(out, frame->offset);
		append_module(out, frame, texts);
	}
	append_line(out, frame);
	if (frame->is_guess)
		strbuf__text(out, " (guess)");
}

void frames__append(struct strbuf *out, const struct peat_stack_frame *frame)
{
	append_frame(out, frame, NULL);
}

/* ---- JSON ------------------------------------------------------------------------------------ */

static void append_string(struct strbuf *out, const char *key, const char *text)
{
	strbuf__text(out, key);
	json_value__string(out, text, strlen(text));
}

static void append_number(struct strbuf *out, const char *key, uint64_t number)
{
	strbuf__text(out, key);
	strbuf__unsigned(out, number);
}

static void append_json_symbol(struct strbuf *out, const struct peat_stack_frame *frame)
{
	if (!frame->symbol)
		return;
	append_string(out, "\"symbol\":", frame->symbol);
	if (frame->raw_symbol && strcmp(frame->raw_symbol, frame->symbol) != 0)
		append_string(out, ",\"raw_symbol\":", frame->raw_symbol);
	if (!frame->inlined)
		append_number(out, ",\"offset\":", frame->offset);
	strbuf__char(out, ',');
}

static void append_json_module(struct strbuf *out, const struct peat_stack_frame *frame,
			       struct module_texts *texts)
{
	size_t start = out->count;

	if (!frame->module || copy_module(out, frame, texts))
		return;
	append_string(out, "\"module\":", frame->module);
	if (!frame->symbol && frame->module_offset)
		append_number(out, ",\"module_offset\":", frame->module_offset);
	if (frame->build_id_bytes) {
		strbuf__text(out, ",\"build_id\":");
		json_value__hex(out, frame->build_id, frame->build_id_bytes);
	}
	strbuf__char(out, ',');
	note_module(out, start, frame, texts);
}

static void append_json_frame(struct strbuf *out, const struct peat_stack_frame *frame,
			      struct module_texts *texts)
{
	strbuf__char(out, '{');
	append_json_symbol(out, frame);
	append_json_module(out, frame, texts);
	strbuf__text(out, "\"address\":\"");
	strbuf__hex(out, frame->address);
	strbuf__char(out, '"');
	if (frame->file)
		append_string(out, ",\"file\":", frame->file);
	if (frame->line)
		append_number(out, ",\"line\":", frame->line);
	if (frame->inlined)
		strbuf__text(out, ",\"inlined\":true");
	if (frame->is_guess)
		strbuf__text(out, ",\"guess\":true");
	strbuf__char(out, '}');
}

void frames__append_json(struct strbuf *out, const struct peat_stack_frame *frame)
{
	append_json_frame(out, frame, NULL);
}

/* ---- one address ----------------------------------------------------------------------------- */

/* A frame with the name that the kernel's symbols have for the address. */
static struct peat_stack_frame kernel_frame(enum symbols kernel, enum peat_space space,
					    uint64_t address)
{
	struct peat_stack_frame frame = { .address = address, .space = space };

	if (space == PEAT_SPACE_KERNEL)
		frame.symbol = kallsyms__name(address, kernel, &frame.offset);
	return frame;
}

/* The innermost function, if others are inlined; without memory, the address alone. */
static struct peat_stack_frame name_address(const struct peat_event *event,
					    const struct address_names *names,
					    enum peat_space space, uint64_t address)
{
	const struct peat_stack_frame *frames;

	if (names->symbols && space != PEAT_SPACE_OTHER &&
	    frame_names__of(names->symbols)
			    ->address(names->symbols, space, event->pid, event->time_ns, address,
				      &frames) > 0)
		return frames[0];
	return kernel_frame(names->kernel, space, address);
}

void frames__append_address(struct strbuf *out, const struct peat_event *event,
			    const struct address_names *names, enum peat_space space,
			    uint64_t address)
{
	struct peat_stack_frame frame = name_address(event, names, space, address);

	if (!frame.symbol) {
		strbuf__hex(out, address);
		return;
	}
	field_text__append_string(out, frame.symbol, strlen(frame.symbol));
	if (frame.offset)
		append_offset(out, frame.offset);
}

void frames__append_json_address(struct strbuf *out, const struct peat_event *event,
				 const struct address_names *names, enum peat_space space,
				 uint64_t address)
{
	struct peat_stack_frame frame = name_address(event, names, space, address);

	frames__append_json(out, &frame);
}

void frames__append_json_kernel(struct strbuf *out, enum symbols kernel, uint64_t address)
{
	struct peat_stack_frame frame = kernel_frame(kernel, PEAT_SPACE_KERNEL, address);

	frames__append_json(out, &frame);
}

/* ---- stacks ---------------------------------------------------------------------------------- */

/* Called for each frame of a stack. */
typedef void (*use_frame)(struct strbuf *out, const struct peat_stack_frame *frame,
			  struct module_texts *texts, bool is_first);

/* Names of user space are unknown.  Frames of a BPF program that took the stack are left out. */
static void use_addresses(struct strbuf *out, const struct peat_event *event, enum symbols kernel,
			  const struct peat_address *at, uint32_t count, use_frame use)
{
	struct bpf_frames machinery = { 0 };
	uint32_t first = bpf_frames__count(&machinery, event, at, count);

	for (uint32_t i = first; i < count; i++) {
		struct peat_stack_frame frame = kernel_frame(kernel, at[i].space, at[i].address);

		use(out, &frame, NULL, i == first);
	}
}

static void each_address(struct strbuf *out, const struct peat_event *event, enum symbols kernel,
			 use_frame use)
{
	struct peat_address few[FRAMES], *at = few;
	uint32_t count = peat_event__addresses(event, few, FRAMES);

	if (count > FRAMES) {
		at = calloc(count, sizeof(*at));
		if (!at) {
			out->failed = true;
			return;
		}
		peat_event__addresses(event, at, count);
	}
	use_addresses(out, event, kernel, at, count, use);
	if (at != few)
		free(at);
}

static void each_frame(struct strbuf *out, const struct peat_event *event,
		       const struct address_names *names, use_frame use)
{
	const struct peat_stack_frame *frames;
	struct module_texts texts = { 0 };
	int count;

	if (!names->symbols) {
		each_address(out, event, names->kernel, use);
		return;
	}
	count = frame_names__of(names->symbols)->stack(names->symbols, event, &frames);
	for (int i = 0; i < count; i++)
		use(out, &frames[i], &texts, i == 0);
	out->failed |= count < 0;
}

static void add_line(struct strbuf *out, const struct peat_stack_frame *frame,
		     struct module_texts *texts, bool is_first)
{
	(void)is_first;
	strbuf__text(out, "\n" FIELD_TEXT_FRAME_INDENT);
	append_frame(out, frame, texts);
}

void frames__append_stack(struct strbuf *out, const struct peat_event *event,
			  const struct address_names *names)
{
	if (stack__may_be_in(event))
		each_frame(out, event, names, add_line);
}

static int name_user(const struct peat_event *event, const struct address_names *names,
		     const struct peat_field *field, const struct peat_stack_frame **frames)
{
	if (!names->symbols || field_type__of(field)->frames != FIELD_USER_FRAMES)
		return 0;
	return frame_names__of(names->symbols)
		->field(names->symbols, field, event->data, event->size, event->pid, event->time_ns,
			frames);
}

void frames__append_user_fields(struct strbuf *out, const struct peat_event *event,
				const struct address_names *names)
{
	const struct peat_stack_frame *frames;
	const struct peat_field *fields, *field;
	uint32_t count = 0;

	fields = event->schema ? peat_schema__fields(event->schema, &count) : NULL;
	for (uint32_t at = 0; at < count; at += field->span) {
		int frame_count;

		field = &fields[at];
		frame_count = name_user(event, names, field, &frames);

		if (frame_count > 0) {
			strbuf__text(out, "\n" FIELD_TEXT_STACK_INDENT);
			append_foreign(out, field->name);
			strbuf__char(out, ':');
		}
		for (int i = 0; i < frame_count; i++) {
			strbuf__text(out, "\n" FIELD_TEXT_FRAME_INDENT);
			append_frame(out, &frames[i], NULL);
		}
		out->failed |= frame_count < 0;
	}
}

bool frames__append_json_user(struct strbuf *out, const struct peat_event *event,
			      const struct address_names *names, const struct peat_field *field)
{
	const struct peat_stack_frame *frames;
	int count = name_user(event, names, field, &frames);

	for (int i = 0; i < count; i++) {
		strbuf__char(out, i ? ',' : '[');
		append_json_frame(out, &frames[i], NULL);
	}
	if (count > 0)
		strbuf__char(out, ']');
	return count > 0;
}

static void add_element(struct strbuf *out, const struct peat_stack_frame *frame,
			struct module_texts *texts, bool is_first)
{
	strbuf__char(out, is_first ? '[' : ',');
	append_json_frame(out, frame, texts);
}

void frames__append_json_stack(struct strbuf *out, const struct peat_event *event,
			       const struct address_names *names)
{
	size_t before = out->count, begin;
	const char *key;

	if (!stack__may_be_in(event))
		return;
	/* Members of a JSON object are unique.  Stacks of the event itself are no field. */
	key = fields__find(event->schema, "stack") ? ",\"sample_stack\":" : ",\"stack\":";
	begin = before + strlen(key);
	strbuf__text(out, key);
	each_frame(out, event, names, add_element);
	if (out->count > begin)
		strbuf__char(out, ']');
	else
		strbuf__cut(out, before);
}
