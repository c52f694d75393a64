// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* channel/cells.c: reads the tables in which programs count events. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <bpf/bpf.h>

#include <peat/reader.h>

#include "channel/cells.h"
#include "channel/stage.h"
#include "field/fields.h"
#include "tables/table.h"

/* ---- sizes ----------------------------------------------------------------------------------- */

#define CELLS_MAX	2048
#define HALF_BYTES_MAX	(256 * 1024)
#define LOG2_OF_64_BITS 64

static size_t counts_bytes(uint32_t mode)
{
	if (mode == PEAT_MODE_COUNT)
		return sizeof(uint64_t);
	return mode == PEAT_MODE_NUMBERS ? offsetof(struct peat_cell, buckets)
					 : sizeof(struct peat_cell);
}

static uint32_t log2_up(uint64_t number)
{
	uint32_t bits = 0;

	while (1ULL << bits < number)
		bits++;
	return bits;
}

/* A table without a key needs one cell; two keep the shift of the hash below 64. */
void cells__choose_sizes(struct peat_count_by *by)
{
	uint32_t cells = 1;

	by->cell_shift = log2_up(counts_bytes(by->mode) + by->words * sizeof(uint64_t));
	if (by->words)
		cells = log2_up(CELLS_MAX);
	while (cells > 1 && 1U << (cells + by->cell_shift) > HALF_BYTES_MAX)
		cells--;
	by->hash_shift = LOG2_OF_64_BITS - cells;
	by->half_shift = by->cell_shift + cells;
}

/* ---- the map --------------------------------------------------------------------------------- */

int cells__open(struct cells *cells, uint32_t cpus)
{
	LIBBPF_OPTS(bpf_map_create_opts, opts, .map_flags = BPF_F_MMAPABLE);
	size_t page_bytes = (size_t)sysconf(_SC_PAGESIZE);
	void *memory;

	cells->cpus = cpus;
	cells->element_bytes = PEAT_TABLE_HEAD_BYTES + ((size_t)2 << cells->by.half_shift);
	cells->fd = bpf_map_create(BPF_MAP_TYPE_ARRAY, "peat_tables", 4,
				   (uint32_t)cells->element_bytes, cpus, &opts);
	if (cells->fd < 0)
		return -errno;
	cells->mapped_bytes = (cells->element_bytes * cpus + page_bytes - 1) & ~(page_bytes - 1);
	memory = mmap(NULL, cells->mapped_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, cells->fd, 0);
	if (memory == MAP_FAILED)
		return -errno;
	cells->memory = memory;
	cells->collected = calloc(cpus, sizeof(*cells->collected));
	cells->inactive = calloc(cpus, sizeof(*cells->inactive));
	return cells->collected && cells->inactive ? 0 : -ENOMEM;
}

void cells__close(struct cells *cells)
{
	if (cells->memory)
		munmap(cells->memory, cells->mapped_bytes);
	if (cells->fd >= 0)
		close(cells->fd);
	free(cells->collected);
	free(cells->inactive);
	*cells = (struct cells){ .fd = -1 };
}

static struct peat_table_head *head_of(const struct cells *cells, uint32_t cpu)
{
	return (void *)(cells->memory + cpu * cells->element_bytes);
}

uint64_t cells__counted(const struct cells *cells, uint32_t cpu)
{
	if (!cells->memory)
		return 0;
	return __atomic_load_n(&head_of(cells, cpu)->counted, __ATOMIC_ACQUIRE);
}

/* ---- a row ----------------------------------------------------------------------------------- */

/* An event that has nothing but its key, for table__add_counts(). */
struct key_event {
	struct peat_event event;
	unsigned char *data;
	char comm[16 + 1];
};

/* Programs count no event that lacks a field of its key: all fields are there. */
static void set_presences(unsigned char *data, const struct peat_field *field,
			  const struct peat_field *end)
{
	for (; field < end; field += field->span) {
		const struct peat_field *presence = field->presence;

		if (presence)
			memset(data + presence->offset, UINT8_MAX, presence->bytes);
		if (fields__has_members(field))
			set_presences(data + field->offset, field + 1, field + field->span);
	}
}

/* Stores the word as the program loaded it: the lowest `width` bytes of a number. */
static void store_native(unsigned char *to, uint64_t word, uint32_t width)
{
	uint8_t one = (uint8_t)word;
	uint16_t two = (uint16_t)word;
	uint32_t four = (uint32_t)word;

	memcpy(to,
	       width == 1   ? (const void *)&one
	       : width == 2 ? (const void *)&two
	       : width == 4 ? (const void *)&four
			    : (const void *)&word,
	       width);
}

static void store_word(struct key_event *key, const struct peat_key_word *of, uint64_t word)
{
	struct peat_event *event = &key->event;

	if (of->kind == PEAT_KEY_CPU)
		event->cpu = (uint32_t)word;
	else if (of->kind == PEAT_KEY_COMM)
		memcpy(key->comm + of->offset, &word, sizeof(word));
	else if (of->offset >= PEAT_TERM_ORIGIN)
		store_native(key->data + of->offset - PEAT_TERM_ORIGIN, word, of->width);
	else if (of->offset == PEAT_TERM_ORIGIN - sizeof(uint32_t))
		event->tid = (uint32_t)word;
	else
		event->pid = (uint32_t)word;
}

/* Only the counts of the table's values, which the mode is chosen for, are set. */
static void read_counts(const struct peat_count_by *by, const struct peat_cell *cell,
			struct key_counts *counts)
{
	counts->count = cell->count;
	if (by->mode == PEAT_MODE_COUNT)
		return;
	counts->sum = cell->sum;
	counts->max = cell->max ^ by->flip;
	counts->min = ~cell->inverted_min ^ by->flip;
	if (by->mode != PEAT_MODE_NUMBERS)
		memcpy(counts->slots, cell->buckets, sizeof(counts->slots));
}

static int move_cell(const struct cells *cells, unsigned char *at, struct key_event *key,
		     struct peat_table *table)
{
	const struct peat_cell *cell = (void *)at;
	const uint64_t *words = (void *)(at + counts_bytes(cells->by.mode));
	struct key_counts counts;

	if (!cell->count)
		return 0;
	for (uint32_t i = 0; i < cells->by.words; i++)
		store_word(key, &cells->by.key[i], words[i]);
	read_counts(&cells->by, cell, &counts);
	return table__add_counts(table, &key->event, &counts);
}

/* ---- halves ---------------------------------------------------------------------------------- */

static unsigned char *half_of(const struct cells *cells, uint32_t cpu, uint32_t half)
{
	return cells->memory + cpu * cells->element_bytes + PEAT_TABLE_HEAD_BYTES +
	       ((size_t)half << cells->by.half_shift);
}

/* Cells that cannot be moved stay, for the next collection. */
static int move_half(struct cells *cells, uint32_t cpu, uint32_t half, struct key_event *key,
		     struct peat_table *table)
{
	unsigned char *first = half_of(cells, cpu, half);
	size_t bytes = (size_t)1 << cells->by.half_shift;
	size_t step = (size_t)1 << cells->by.cell_shift;

	for (size_t at = 0; at < bytes; at += step) {
		struct peat_cell *cell = (void *)(first + at);
		int err = move_cell(cells, first + at, key, table);

		if (err)
			return err;
		cells->collected[cpu] += cell->count;
		memset(cell, 0, step);
	}
	return 0;
}

/* Ordered after the clearing of that half. */
static void make_other_active(const struct cells *cells, uint32_t cpu)
{
	struct peat_table_head *head = head_of(cells, cpu);

	__atomic_store_n(&head->active, head->active ^ 1, __ATOMIC_RELEASE);
}

/* Whether the CPU's cells have counts: all that was counted less all that was moved. */
static bool has_counts(const struct cells *cells, uint32_t cpu)
{
	return cells__counted(cells, cpu) != cells->collected[cpu];
}

/*
 * Makes the other half of each CPU active, unless the first one was not moved last time.  A program
 * may use the first half until it ends if it held the slot for too long, or if only programs may
 * lock slots.  Such a half waits for a grace period that begins afterwards.
 */
static void switch_half(struct cells *cells, struct stage *stage, uint32_t cpu)
{
	bool was_armed, locked;

	if (cells->inactive[cpu] != HALF_EMPTY || !has_counts(cells, cpu))
		return;
	locked = stage__lock_any(stage, cpu * PEAT_SLOTS, &was_armed);
	if (!locked && cells->grace.is_begun)
		return; /* when that is over */
	make_other_active(cells, cpu);
	cells->inactive[cpu] = locked ? HALF_COUNTED : HALF_IN_USE;
	if (locked)
		stage__unlock_any(stage, cpu * PEAT_SLOTS, was_armed);
}

static bool is_any(const struct cells *cells, enum half_state state)
{
	for (uint32_t cpu = 0; cpu < cells->cpus; cpu++)
		if (cells->inactive[cpu] == state)
			return true;
	return false;
}

/* Halves in use stay so if the grace period is not over, or has failed. */
static int wait_for_programs(struct cells *cells, int timeout_ms)
{
	int err;

	if (!is_any(cells, HALF_IN_USE))
		return 0;
	if (!cells->grace.is_begun)
		grace_thread__begin(&cells->grace);
	err = grace_thread__poll(&cells->grace, timeout_ms);
	for (uint32_t cpu = 0; !err && cpu < cells->cpus; cpu++)
		if (cells->inactive[cpu] == HALF_IN_USE)
			cells->inactive[cpu] = HALF_COUNTED;
	return err == -EAGAIN ? 0 : err;
}

static int move_halves(struct cells *cells, struct key_event *key, struct peat_table *table)
{
	int err = 0, failed;

	for (uint32_t cpu = 0; cpu < cells->cpus; cpu++) {
		if (cells->inactive[cpu] != HALF_COUNTED)
			continue;
		failed = move_half(cells, cpu, head_of(cells, cpu)->active ^ 1, key, table);
		cells->inactive[cpu] = failed ? HALF_COUNTED : HALF_EMPTY;
		err = err ? err : failed;
	}
	return err;
}

static int collect(struct cells *cells, struct stage *stage, struct key_event *key,
		   struct peat_table *table, int timeout_ms)
{
	int err;

	for (uint32_t cpu = 0; cpu < cells->cpus; cpu++)
		switch_half(cells, stage, cpu);
	err = wait_for_programs(cells, timeout_ms);
	return move_halves(cells, key, table) ?: err;
}

int cells__collect(struct cells *cells, struct stage *stage, struct peat_table *table,
		   int timeout_ms)
{
	struct key_event key = { .event = { .kind = PEAT_EVENT_DATA } };
	bool was_left;
	int err;

	if (!cells->memory)
		return 0;
	key.data = calloc(1, peat_schema__bytes(cells->schema) + sizeof(uint64_t));
	if (!key.data)
		return -ENOMEM;
	key.event.type = cells->type;
	key.event.schema = cells->schema;
	key.event.size = peat_schema__bytes(cells->schema);
	key.event.data = key.data;
	set_presences(key.data, cells->schema->fields, fields__end(cells->schema));
	key.event.comm = key.comm;
	was_left = is_any(cells, HALF_IN_USE) || is_any(cells, HALF_COUNTED);
	err = collect(cells, stage, &key, table, timeout_ms);
	if (!err && was_left) /* the other halves, too; the time is up, if there was a limit */
		err = collect(cells, stage, &key, table, timeout_ms < 0 ? -1 : 0);
	free(key.data);
	return err;
}
