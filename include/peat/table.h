/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * table.h: tables: events counted by their fields, or BPF maps that programs fill themselves.
 *
 *	struct peat_table_opts opts = { .sz = sizeof(opts), .by = "comm,error" };
 *	struct peat_table *table = peat_table__new(&opts);
 *
 *	...peat_table__add(table, event) for each event...
 *	peat_table__read(table);
 *	while (peat_table__next(table, &row) > 0)
 *		use(row.data, row.size);	as peat_table__schema() describes them
 *	peat_table__free(table);
 *
 * With peat_session_opts.table or peat_channel_opts.table, programs count the events themselves,
 * without transporting them, if the kernel can.  The reader counts the others.
 */
#ifndef PEAT_TABLE_H
#define PEAT_TABLE_H

#include <peat/common.h>
#include <peat/schema.h>

PEAT_BEGIN_DECLS

struct peat_event;
struct peat_table;

/* The values of each key, or-ed.  The number of events, COUNT, is always there. */
enum peat_table_value {
	PEAT_TABLE_COUNT = 1,
	PEAT_TABLE_SUM = 2, /* 64 bits: it wraps; DURATION and SIZE if the field is */
	/*
	 * sum / count: a FLOAT of 8 bytes.  The average of a DURATION or a SIZE is a DURATION or a
	 * SIZE, rounded towards 0.
	 */
	PEAT_TABLE_AVERAGE = 4,
	PEAT_TABLE_MIN = 8, /* has the field's kind, like the next */
	PEAT_TABLE_MAX = 16,
	/*
	 * A histogram: slot i counts numbers from 2^i to 2^(i+1) - 1, slot 0 also 0.  If the field
	 * is signed, a column "negative" before the slots counts the numbers below 0.
	 */
	PEAT_TABLE_LOG2 = 32,
	PEAT_TABLE_LINEAR = 64 /* a histogram of slots of the same width */
};

#define PEAT_TABLE_SLOTS 64

struct peat_table_opts {
	size_t sz; /* sizeof(struct peat_table_opts) */
	/*
	 * Fields whose values are the key, separated by commas: fields of the event, "from.port",
	 * or pid tid comm cpu type, and uid cgroup of a channel's events, unless the event has a
	 * field of this name; or stack, with stack_id.  At most 16, and no structs and arrays. NULL
	 * or "": no key, one row.
	 */
	const char *by;
	const char *field; /* the values other than COUNT are computed from its number; or NULL */
	uint32_t values;   /* PEAT_TABLE_*, or-ed; 0: COUNT */
	uint32_t reserved; /* 0 */
	/*
	 * LINEAR: slot i counts numbers from linear_first + i * linear_width, the first slot also
	 * smaller, the last one also larger ones.
	 */
	int64_t linear_first;
	uint64_t linear_width;
	/*
	 * The order of rows: a column, "count", "sum", or a key; NULL: "count".  Descending for
	 * values, ascending for keys.  Rows where it is equal are ordered by their key.
	 */
	const char *sort;
	/*
	 * For the key "stack": stores the number of the stack of an event.  The caller decides
	 * which stacks are the same: those with the same addresses, or the same names.  The column
	 * is a PEAT_FIELD_STACK whose peat_field__number() is this number.  0 or a negative errno,
	 * which peat_table__add() returns.  NULL: "stack" cannot be a key.
	 */
	int (*stack_id)(void *arg, const struct peat_event *event, uint64_t *id);
	void *stack_arg;
	/*
	 * The most keys that get a row of their own, which bounds the memory; 0: no limit.  Events
	 * of further keys are counted in one row more, the last one: see peat_table_row.others.
	 */
	uint64_t max_rows;
};

#define PEAT_TABLE_OPTS_INIT                                                                       \
	{                                                                                          \
		sizeof(struct peat_table_opts), NULL, NULL, 0, 0, 0, 0, NULL, NULL, NULL, 0        \
	}

/*
 * Makes an empty table of events.  NULL and errno: EINVAL: wrong options, in the log; ENOMEM.
 */
PEAT_API struct peat_table *peat_table__new(const struct peat_table_opts *opts);

/*
 * Resolves the fields for a type of events; peat_table__add() does so at the first event of a type.
 * The schema has to live as long as the table; NULL: events without a schema.
 *
 *	1	the type has all of them
 *	0	it lacks one: its events are not counted
 *	-EINVAL	a key is a struct or an array; the numbers are no integers; or a field does not fit
 *		the field of another type: only integers of different sizes do.  See the log.
 *	-ENOMEM
 */
PEAT_API int peat_table__add_type(struct peat_table *table, const struct peat_schema *schema);

/*
 * Call it once all types are added: 0, or -EINVAL: none of them has a field, or all of the fields,
 * or fields that fit.  The log has the reason, and the fields that there are.
 */
PEAT_API int peat_table__check(const struct peat_table *table);

/*
 * Counts an event.
 *
 *	1		counted
 *	0		not counted: its type lacks a field, the event ends before a field, a field
 *			is absent, or it is PEAT_EVENT_LOST or PEAT_EVENT_TOOL
 *	-EINVAL		as peat_table__add_type(), whose message is logged once; or the table is of
 *			a BPF map
 *	-EMSGSIZE	the strings of its key are too long for a row of 65,535 bytes
 *	-ENOMEM		not counted for lack of memory; max_rows bounds it
 */
PEAT_API int peat_table__add(struct peat_table *table, const struct peat_event *event);

struct peat_table_row {
	size_t sz; /* sizeof(struct peat_table_row), set by the caller */
	/*
	 * 8-byte aligned; valid, and unchanged, until the next peat_table__read(), __clear() or
	 * __free().
	 */
	const void *data;
	uint32_t size; /* bytes of `data` */
	/*
	 * 1: the counts of all keys above peat_table_opts.max_rows, as exact as of one key; the
	 * columns of the key are zeroes, and mean nothing.  0: a key.
	 */
	uint32_t others;
};

/*
 * Reads the counts of the kernel, if there are any, and sorts the rows; peat_table__next() begins
 * with the first.  The number of rows, or a negative errno: there are no rows then, but what the
 * reader counted is kept for the next call.  -ECHILD: programs count for the parent process.
 *
 * The reader's rings are not read meanwhile.  A program that is preempted while it counts an event
 * can delay the counts of its CPU for seconds (Linux 7.x): the call waits for 50
 * milliseconds at most, and the next call has them.  None are missing after peat_session__stop().
 * Before Linux 5.12 each call waits for all programs that run, some milliseconds.
 */
PEAT_API int peat_table__read(struct peat_table *table);

/* 1: *row is set; 0: there are no more rows; or a negative errno. */
PEAT_API int peat_table__next(struct peat_table *table, struct peat_table_row *row);

/*
 * The columns of a row, after the first peat_table__read(): the fields of the key by their names,
 * then "count", and "sum", "average", "min", "max" of `values`; a histogram is an array "slots" of
 * PEAT_TABLE_SLOTS numbers.  A field of the key that is named as one of these gets an underscore.
 * Valid as long as the table.
 *
 * Integers have 8 bytes.  Strings, and bytes, are where a PEAT_PLACE_DATA_LOC states.  An unknown
 * comm has no bytes, and an unknown pid, tid or cpu is -1: "-" as text and null as JSON.  Use
 * peat_field__number(), peat_field__text() and peat_field__json().  A sink is for events, and would
 * print "pid" and "comm" twice.
 *
 * NULL and errno ENOENT: nothing was read, or no type of events has all fields.
 */
PEAT_API const struct peat_schema *peat_table__schema(const struct peat_table *table);

/* The number of columns that are the key: the first ones. */
PEAT_API uint32_t peat_table__keys(const struct peat_table *table);

/*
 * The unit of the numbers that a histogram counts: "ns" and "bytes" for fields that are durations
 * and sizes; of a BPF map, as PEAT_HIST() says.  NULL: unknown.
 */
PEAT_API const char *peat_table__unit(const struct peat_table *table);

/*
 * Sets the counts of the last peat_table__read() to 0: the rows are gone.  All that programs count
 * between the two calls is in the next rows: for a row per interval, no event is lost.  Without a
 * reading since the last call, all counts until now.
 *
 * 0 or a negative errno: the counts are still there.
 */
PEAT_API int peat_table__clear(struct peat_table *table);

/* Accepts NULL. */
PEAT_API void peat_table__free(struct peat_table *table);

/* ---- BPF maps that programs fill --------------------------------------------------------------
 */

struct peat_map_table_opts {
	size_t sz;	  /* sizeof(struct peat_map_table_opts) */
	const char *sort; /* see peat_table_opts; NULL: "count", or the first number of the value */
	/*
	 * The value is a log2 histogram of numbers in this unit: "ns", "us", "bytes", or any other
	 * word; NULL: as PEAT_HIST() of peat.bpf.h says.
	 */
	const char *unit;
};

#define PEAT_MAP_TABLE_OPTS_INIT                                                                   \
	{                                                                                          \
		sizeof(struct peat_map_table_opts), NULL, NULL                                     \
	}

/*
 * Makes a table of a BPF map of any program: a hash table or an array, also an LRU or per-CPU one,
 * or an LPM trie.  The map is only read.  map_fd stays the caller's: the table duplicates it.
 *
 * The columns are the fields of the key, then of the value, or "key" and "value" if these are
 * no structs.  A field of the value whose name the key has, too, is called "pid_".  Without BTF,
 * which needs CAP_SYS_ADMIN to be read, keys and values are numbers or bytes.
 *
 * In a map with values per CPU, amounts (numbers, durations, sizes) are summed, "min" and "max",
 * also "max_x" and "x_max", are the smallest and the largest, of other fields the first CPU's that
 * is not 0 is taken; PEAT_MERGE() of peat.bpf.h decides otherwise.  No amounts are pid, tid, tgid,
 * uid, gid, cpu, ts, x_ts, and fields whose name the key has, too.  A sum that exceeds its field is
 * the field's largest number.
 *
 * An array named "slots", or any other with PEAT_HIST() or opts.unit, is a log2 histogram.  It
 * becomes the array "slots" of PEAT_TABLE_SLOTS numbers, and "count" is their sum, unless the value
 * has such a field.
 *
 * peat_table__clear() leaves the map as it is.  Later rows have what was added to amounts since the
 * peat_table__read() before it, and entries without any change are no rows.  No count is lost
 * between two readings, except of entries that are deleted, or evicted (LRU), between them; an
 * entry that was deleted and made again counts from 0.  A program that changes an entry while it is
 * read may be seen with some of its fields changed; the others follow with the next reading.
 *
 * NULL and errno; the log has the reason:
 *	EINVAL	a map of another type, or types that cannot be shown
 *	EBADMSG	invalid BTF
 *	ENOMEM, or another error of reading the map
 */
PEAT_API struct peat_table *peat_table__open_map(int map_fd,
						 const struct peat_map_table_opts *opts);

PEAT_END_DECLS

#endif /* PEAT_TABLE_H */
