// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* page/page.c: the sink that writes events as one HTML file. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <peat/page.h>
#include <peat/recording.h>

#include "base/errors.h"
#include "base/json_value.h"
#include "base/log.h"
#include "base/opts.h"
#include "event/recorded.h"
#include "page/blocks.h"
#include "page/document.h"
#include "page/losses.h"
#include "page/rows.h"
#include "page/tables.h"
#include "stacks/event_stack.h"

struct page {
	struct peat_sink sink;
	int fd;
	int err; /* of writing: nothing is written after it */
	struct peat_page_opts opts;
	char *title, *recording; /* copies */
	int64_t wall_clock_ns;
	bool is_begun, is_finished;
	struct page_blocks blocks;
	struct strbuf bytes; /* of the next block */
	struct page_rows rows;
	struct page_losses losses;
	struct counted_stacks counted;
	struct page_type **types;
	uint32_t type_count, type_room;
	struct hash by_schema;
	struct page_type *last;
};

/* ---- types ----------------------------------------------------------------------------------- */

/* Records of perf itself have no schema: their types are numbers. */
static uint64_t key_of(const struct peat_event *event)
{
	return event->schema			? (uintptr_t)event->schema
	       : event->kind == PEAT_EVENT_TOOL ? event->type + 2ULL
						: 1;
}

static struct page_type **next_type(struct page *page)
{
	uint32_t room = page->type_room ? 2 * page->type_room : 16;
	struct page_type **types;

	if (page->type_count < page->type_room)
		return &page->types[page->type_count];
	types = realloc(page->types, room * sizeof(struct page_type *));
	if (!types)
		return NULL;
	page->types = types;
	page->type_room = room;
	return &types[page->type_count];
}

static struct page_type *add_type(struct page *page, const struct peat_event *event)
{
	struct page_type **place = next_type(page), *type;

	if (!place)
		return NULL;
	type = page_type__new(event, page->type_count);
	if (type && hash__add(&page->by_schema, &type->link, hash__number(key_of(event)))) {
		page_type__free(type);
		return NULL;
	}
	if (!type)
		return NULL;
	*place = type;
	page->type_count++;
	return type;
}

/* NULL: no memory. */
static struct page_type *type_of(struct page *page, const struct peat_event *event)
{
	struct hash_link *link;

	if (page->last && event->schema && page->last->schema == event->schema)
		return page->last;
	link = hash__first(&page->by_schema, hash__number(key_of(event)));
	page->last = link ? HASH_ENTRY(link, struct page_type, link) : add_type(page, event);
	return page->last;
}

/* ---- blocks ---------------------------------------------------------------------------------- */

static int begin(struct page *page)
{
	int err;

	if (page->is_begun)
		return 0;
	page->is_begun = true;
	page_document__head(&page->bytes, page->title ? page->title : "peat");
	err = strbuf__write(&page->bytes, page->fd);
	return err ? err : page_blocks__begin(&page->blocks, page->fd);
}

static int write_rows(struct page *page)
{
	uint32_t rows = page->rows.rows;

	if (!rows)
		return 0;
	page_rows__put(&page->rows, &page->bytes);
	return page_blocks__write(&page->blocks, "rows", 0, rows, &page->bytes);
}

static int write_type(struct page *page, struct page_type *type)
{
	uint32_t rows = type->rows;

	if (!rows)
		return 0;
	page_type__put(type, &page->bytes);
	return page_blocks__write(&page->blocks, "fields", type->number, rows, &page->bytes);
}

static int write_full_blocks(struct page *page, struct page_type *type)
{
	int err = page_type__is_full(type) ? write_type(page, type) : 0;

	return !err && page_rows__are_full(&page->rows) ? write_rows(page) : err;
}

/* ---- events ---------------------------------------------------------------------------------- */

static int add_stack(struct page *page, const struct peat_event *event, uint32_t *node)
{
	*node = PAGE_NO_STACK;
	if (event->kind != PEAT_EVENT_DATA || !event_stack__exists(event))
		return 0;
	return event_stack__add(&page->counted, page->opts.symbols, !page->opts.no_symbols, event,
				node);
}

static int add_event(struct page *page, const struct peat_event *event)
{
	uint32_t task = counted_frames__add_task(&page->counted.frames, event->comm, event->pid,
						 event->tid);
	struct page_type *type = type_of(page, event);
	uint32_t node;
	int err = type && task != COUNTED_NONE ? add_stack(page, event, &node) : -ENOMEM;

	if (err)
		return err;
	page_type__add(type, event);
	page_rows__add(&page->rows, type, event, task, node);
	return write_full_blocks(page, type);
}

static int note_error(struct page *page, int err)
{
	if (err && !page->err && err != -EPIPE)
		log__error("cannot write the page: %s", strerror(-err));
	if (err)
		page->err = err;
	return err;
}

static int write_event(struct peat_sink *sink, const struct peat_event *event)
{
	struct page *page = (struct page *)sink;
	int err = page->err ? page->err : begin(page);

	if (err)
		return note_error(page, err);
	if (event->recorded && event->recorded->wall_clock_ns)
		page->wall_clock_ns = event->recorded->wall_clock_ns;
	if (event->kind == PEAT_EVENT_LOST)
		return note_error(page, page_losses__add(&page->losses, event));
	return note_error(page, add_event(page, event));
}

/* ---- the end --------------------------------------------------------------------------------- */

static void put_member(struct strbuf *out, const char *name)
{
	strbuf__text(out, out->count ? ",\n\"" : "{\"");
	strbuf__text(out, name);
	strbuf__text(out, "\":");
}

static void put_times(struct page *page, struct strbuf *out)
{
	put_member(out, "first_ns");
	strbuf__char(out, '"');
	strbuf__unsigned(out, page->rows.first_ns);
	strbuf__char(out, '"');
	put_member(out, "wall_clock_ns");
	strbuf__char(out, '"');
	strbuf__signed(out, page->wall_clock_ns);
	strbuf__char(out, '"');
	put_member(out, "events");
	strbuf__unsigned(out, page->rows.events);
}

static void put_text(struct strbuf *out, const char *text)
{
	if (text)
		json_value__name(out, text);
	else
		strbuf__text(out, "null");
}

static void put_tables(struct page *page, const struct merged_stacks *merged)
{
	struct strbuf *out = &page->bytes;

	put_member(out, "title");
	put_text(out, page->title);
	put_times(page, out);
	put_member(out, "types");
	page_tables__types(out, page->types, page->type_count);
	put_member(out, "tasks");
	page_tables__tasks(out, &page->counted.frames);
	put_member(out, "frames");
	page_tables__frames(out, merged);
	put_member(out, "losses");
	page_losses__put(&page->losses, page->rows.first_ns, out);
	put_member(out, "recording");
	put_text(out, page->recording);
	put_member(out, "stats");
	page_tables__written(out, peat_recording__write_stats, page->recording);
	put_member(out, "header");
	page_tables__written(out, peat_recording__write_header, page->recording);
	strbuf__char(out, '}');
}

static int write_tables(struct page *page)
{
	struct merged_stacks merged;
	int err = merged_stacks__make(&merged, &page->counted);

	if (!err) {
		page_tables__stacks(&page->bytes, &merged, &page->counted.tree);
		err = page_blocks__write(&page->blocks, "stacks", 0, 0, &page->bytes);
	}
	if (!err) {
		put_tables(page, &merged);
		err = page_blocks__write(&page->blocks, "tables", 0, 0, &page->bytes);
	}
	merged_stacks__free(&merged);
	return err;
}

static int write_rest(struct page *page)
{
	int err = begin(page) ?: write_rows(page);

	for (uint32_t i = 0; !err && i < page->type_count; i++)
		err = write_type(page, page->types[i]);
	if (!err)
		err = write_tables(page);
	if (err)
		return err;
	page_document__tail(&page->bytes);
	return strbuf__write(&page->bytes, page->fd);
}

static int finish(struct peat_sink *sink)
{
	struct page *page = (struct page *)sink;

	if (page->is_finished || page->err)
		return page->err;
	page->is_finished = true;
	return note_error(page, write_rest(page));
}

/* Blocks are written when they are full, and by finish(). */
static int flush(struct peat_sink *sink)
{
	return ((struct page *)sink)->err;
}

static void free_page(struct peat_sink *sink)
{
	struct page *page = (struct page *)sink;

	for (uint32_t i = 0; i < page->type_count; i++)
		page_type__free(page->types[i]);
	free(page->types);
	hash__free(&page->by_schema);
	page_rows__free(&page->rows);
	page_losses__free(&page->losses);
	page_blocks__end(&page->blocks);
	strbuf__free(&page->bytes);
	counted_frames__free(&page->counted.frames);
	stack_tree__free(&page->counted.tree);
	free(page->title);
	free(page->recording);
	free(page);
}

/* ---- making it ------------------------------------------------------------------------------- */

static int check_opts(int fd, const struct peat_page_opts *opts)
{
	if (fd < 0) {
		log__error("peat_sink__new_page: invalid file descriptor %d", fd);
		return -EINVAL;
	}
	return OPTS_CHECK_RESERVED(opts, "peat_page_opts");
}

static bool copy_texts(struct page *page)
{
	const struct peat_page_opts *opts = &page->opts;

	page->title = opts->title ? strdup(opts->title) : NULL;
	page->recording = opts->recording ? strdup(opts->recording) : NULL;
	return (page->title || !opts->title) && (page->recording || !opts->recording);
}

struct peat_sink *peat_sink__new_page(int fd, const struct peat_page_opts *callers)
{
	struct peat_page_opts opts = { .sz = sizeof(opts) };
	int err = opts__read(&opts, sizeof(opts), callers, "peat_page_opts");
	struct page *page;

	if (!err)
		err = check_opts(fd, &opts);
	if (err)
		return fail_null(err);
	page = calloc(1, sizeof(*page));
	if (!page)
		return fail_null(-ENOMEM);
	page->sink = (struct peat_sink){
		.sz = sizeof(page->sink),
		.write = write_event,
		.flush = flush,
		.finish = finish,
		.free = free_page,
	};
	page->fd = fd;
	page->opts = opts;
	page->wall_clock_ns = opts.wall_clock_ns;
	if (!copy_texts(page)) {
		free_page(&page->sink);
		return fail_null(-ENOMEM);
	}
	return &page->sink;
}
