// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_tables.c: maps as tables: of the session's objects, and of other programs. */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <linux/types.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <bpf/bpf.h>

#include <peat/peat.h>

#include "sys/cpus.h"
#include "support/machine/harness.h"
#include "support/machine/object.h"
#include "support/machine/process.h"
#include "live/bpf/tables.bpf.h"
#include "support/machine/command.h"
#include "support/recording/json_lines.h"
#include "tables/map_read.h"

EMBED_OBJECT(tables)

static struct peat_session *session;
static volatile uint32_t *number;
static const volatile uint64_t *counted; /* of each number, by the program itself */
static struct cpus online;

static void set_constant(const char *name, long value)
{
	char text[32];

	snprintf(text, sizeof(text), "%ld", value);
	ck_assert_int_eq(peat_session__set_variable(session, name, text), 0);
}

static int add_object(void)
{
	return peat_session__add(session, tables_object.name, tables_object.bytes,
				 *tables_object.count);
}

static void *variable_of(const char *name)
{
	struct peat_variable variable = { .sz = sizeof(variable) };

	ck_assert_int_eq(peat_session__variable(session, name, &variable), 0);
	return variable.memory;
}

static void start(void)
{
	session = peat_session__new(NULL);
	ck_assert_ptr_nonnull(session);
	ck_assert_int_eq(add_object(), 0);
	set_constant("only_pid", getpid());
	set_constant("getpgid_number", SYS_getpgid);
	ck_assert_int_eq(peat_session__start(session, NULL), 0);
	number = variable_of("number");
	counted = variable_of("counted");
	ck_assert_int_eq(cpus__read(&online, "online"), 0);
}

static void stop(void)
{
	peat_session__free(session);
	cpus__free(&online);
}

static uint64_t misses(void)
{
	struct peat_program_stats stats = { .sz = sizeof(stats) };

	ck_assert_int_eq(peat_session__program(session, 0, &stats), 1);
	return stats.misses;
}

/* Calls under this number, on all CPUs in turn.  Returns the calls that were counted. */
static uint64_t call(uint32_t key, uint32_t times_per_cpu)
{
	uint64_t before = counted[key], missed = misses(), added;

	*number = key;
	for_each_cpu (cpu, &online) {
		ck_assert_int_eq(process__pin_to(cpu), 0);
		for (uint32_t i = 0; i < times_per_cpu; i++)
			syscall(SYS_getpgid, 0);
	}
	added = counted[key] - before;
	ck_assert_uint_le(added, times_per_cpu * (uint64_t)cpus__count(&online));
	ck_assert_uint_ge(added + misses() - missed,
			  times_per_cpu * (uint64_t)cpus__count(&online));
	return added;
}

static struct peat_session_table table_of(const char *name)
{
	struct peat_session_table table = { .sz = sizeof(table) };

	for (uint32_t i = 0; peat_session__table(session, i, &table) > 0; i++)
		if (!strcmp(table.name, name))
			return table;
	ck_abort_msg("no table %s", name);
	return table;
}

static uint64_t number_in(const struct peat_table *table, const struct peat_table_row *row,
			  const char *name)
{
	const struct peat_field *field = peat_schema__find(peat_table__schema(table), name, NULL);
	uint64_t value;

	ck_assert_msg(field, "no column %s", name);
	ck_assert(peat_field__number(field, row->data, row->size, &value));
	return value;
}

/* Reads the table; the value of the row with this key, and the number of rows. */
static uint64_t read_value(struct peat_table *table, const char *key_name, uint64_t key,
			   const char *value_name, uint32_t *rows)
{
	struct peat_table_row row = { .sz = sizeof(row) };
	uint64_t value = UINT64_MAX;
	int count = peat_table__read(table);

	ck_assert_int_ge(count, 0);
	*rows = 0;
	while (peat_table__next(table, &row) > 0) {
		++*rows;
		if (number_in(table, &row, key_name) == key)
			value = number_in(table, &row, value_name);
	}
	ck_assert_uint_eq(*rows, (uint32_t)count);
	return value;
}

/* ---- tables of the session ------------------------------------------------------------------- */

START_TEST(test_declared_tables)
{
	struct peat_session_table table = { .sz = sizeof(table) };
	uint32_t count = 0;

	session = peat_session__new(NULL);
	ck_assert_int_eq(add_object(), 0);
	while (peat_session__table(session, count, &table) > 0) {
		ck_assert_ptr_null(table.table);
		ck_assert_ptr_nonnull(table.schema);
		count++;
	}
	ck_assert_uint_eq(count, 6);
	table = table_of("in_percpu_array");
	ck_assert_str_eq(table.doc, "a histogram per CPU");
	ck_assert_str_eq(table.unit, "us");
	ck_assert_str_eq(table.source, "tables");
	table = table_of("in_hash");
	ck_assert_uint_eq(table.keys, 2);
	ck_assert_ptr_null(table.unit);
	ck_assert_ptr_nonnull(peat_schema__find(table.schema, "comm", NULL));
	stop();
}
END_TEST

static void check_counts(const char *name, const char *key, const char *value)
{
	struct peat_table *table = table_of(name).table;
	uint32_t rows;

	ck_assert_uint_eq(read_value(table, key, 3, value, &rows), counted[3]);
	ck_assert_uint_eq(rows, 2);
	ck_assert_uint_eq(read_value(table, key, 5, value, &rows), counted[5]);
}

START_TEST(test_sums_over_cpus)
{
	start();
	call(3, 10);
	call(5, 20);
	check_counts("in_hash", "number", "count");
	check_counts("in_percpu_hash_table", "number", "count");
	check_counts("in_lru", "key", "value");
	check_counts("in_percpu_lru", "key", "value");
	check_counts("in_array", "key", "value");
	stop();
}
END_TEST

START_TEST(test_other_fields)
{
	struct peat_table_row row = { .sz = sizeof(row) };
	struct peat_table *table;
	const struct peat_field *comm;
	char text[32], name[16] = "";

	start();
	ck_assert_int_eq(prctl(PR_GET_NAME, name), 0);
	call(7, 10);
	table = table_of("in_percpu_hash_table").table;
	ck_assert_int_eq(peat_table__read(table), 1);
	ck_assert_int_eq(peat_table__next(table, &row), 1);
	ck_assert_uint_eq(number_in(table, &row, "max"), 7);
	ck_assert_uint_eq(number_in(table, &row, "pid"), (uint32_t)getpid());
	comm = peat_schema__find(peat_table__schema(table), "comm", NULL);
	ck_assert_uint_gt(peat_field__text(comm, row.data, row.size, text, sizeof(text)), 0);
	ck_assert_str_eq(text, name);
	stop();
}
END_TEST

static void check_histogram(struct peat_table *table, uint64_t three, uint64_t five)
{
	const struct peat_schema *schema = peat_table__schema(table);
	const struct peat_field *slots = peat_schema__find(schema, "slots", NULL);
	struct peat_table_row row = { .sz = sizeof(row) };
	uint64_t numbers[PEAT_TABLE_SLOTS];

	ck_assert_int_eq(peat_table__read(table), 1);
	ck_assert_int_eq(peat_table__next(table, &row), 1);
	ck_assert_uint_eq(number_in(table, &row, "key"), 1);
	ck_assert_uint_eq(number_in(table, &row, "count"), three + five);
	memcpy(numbers, (const char *)row.data + slots->offset, sizeof(numbers));
	for (int i = 0; i < PEAT_TABLE_SLOTS; i++)
		ck_assert_uint_eq(numbers[i], i == 3 ? three : i == 5 ? five : 0);
}

START_TEST(test_histogram_is_read_and_cleared)
{
	struct peat_table *table;
	uint64_t three, five;

	start();
	table = table_of("in_percpu_array").table;
	ck_assert_int_eq(peat_table__read(table), 0);
	three = call(3, 10);
	five = call(5, 20);
	check_histogram(table, three, five);
	ck_assert_int_eq(peat_table__clear(table), 0);
	check_histogram(table, 0, call(5, 10));
	stop();
}
END_TEST

/* Maps of the same name have the object's in front. */
START_TEST(test_two_objects)
{
	struct peat_session_table table = { .sz = sizeof(table) };

	session = peat_session__new(NULL);
	ck_assert_int_eq(add_object(), 0);
	ck_assert_int_eq(add_object(), 0);
	ck_assert_int_eq(peat_session__table(session, 11, &table), 1);
	ck_assert_int_eq(peat_session__table(session, 12, &table), 0);
	ck_assert_str_eq(table_of("tables.in_hash").doc, "calls in a hash table");
	ck_assert_str_eq(table_of("tables-2.in_hash").doc, "calls in a hash table");
	stop();
}
END_TEST

/* ---- intervals ------------------------------------------------------------------------------- */

static void check_interval(const char *name, const char *key, const char *value)
{
	struct peat_table *table = table_of(name).table;
	uint64_t later;
	uint32_t rows;

	call(1, 10);
	call(2, 10);
	ck_assert_uint_eq(read_value(table, key, 1, value, &rows), counted[1]);
	later = call(2, 10); /* between the reading and the clearing: not lost */
	ck_assert_int_eq(peat_table__clear(table), 0);
	later += call(2, 15);
	call(4, 10);
	ck_assert_uint_eq(read_value(table, key, 2, value, &rows), later);
	ck_assert_uint_eq(rows, 2);
	ck_assert_uint_eq(read_value(table, key, 4, value, &rows), counted[4]);
	ck_assert_int_eq(peat_table__clear(table), 0);
	ck_assert_uint_eq(read_value(table, key, 4, value, &rows), UINT64_MAX);
	ck_assert_uint_eq(rows, 0);
}

static void check_intervals_of(const char *name, const char *key, const char *value)
{
	start();
	check_interval(name, key, value);
	stop();
}

START_TEST(test_intervals_in_each_map)
{
	check_intervals_of("in_hash", "number", "count");
	check_intervals_of("in_percpu_hash_table", "number", "count");
	check_intervals_of("in_lru", "key", "value");
	check_intervals_of("in_percpu_lru", "key", "value");
	check_intervals_of("in_array", "key", "value");
}
END_TEST

/* Without a reading before: counts from now on. */
START_TEST(test_clear_first)
{
	struct peat_table *table;
	uint64_t later;
	uint32_t rows;

	start();
	table = table_of("in_hash").table;
	call(1, 10);
	ck_assert_int_eq(peat_table__clear(table), 0);
	later = call(1, 10);
	ck_assert_uint_eq(read_value(table, "number", 1, "count", &rows), later);
	ck_assert_int_eq(peat_table__clear(table), 0);
	ck_assert_int_eq(peat_table__clear(table), 0);
	ck_assert_uint_eq(read_value(table, "number", 1, "count", &rows), UINT64_MAX);
	stop();
}
END_TEST

/* An entry that is deleted and made again counts from 0. */
START_TEST(test_deleted_entries)
{
	struct tables_key key = { (uint32_t)getpid(), 1 };
	struct peat_table *table;
	uint64_t later;
	uint32_t rows;

	start();
	table = table_of("in_hash").table;
	call(1, 10);
	read_value(table, "number", 1, "count", &rows);
	ck_assert_int_eq(peat_table__clear(table), 0);
	ck_assert_int_eq(bpf_map_delete_elem(peat_session__map_fd(session, "in_hash"), &key), 0);
	later = call(1, 5); /* fewer than before */
	ck_assert_uint_eq(read_value(table, "number", 1, "count", &rows), later);
	stop();
}
END_TEST

/* ---- maps of other programs ------------------------------------------------------------------ */

/* Maps of the tests before may still be there, with the same names. */
static int open_table(const char *which)
{
	int fd;

	while ((fd = peat_map__open_table(which)) == -ENOTUNIQ)
		usleep(10000);
	return fd;
}

static void check_foreign(const char *which, const char *key, const char *value)
{
	int fd = open_table(which);
	struct peat_table *table;
	uint32_t rows;

	ck_assert_int_ge(fd, 0);
	table = peat_table__open_map(fd, NULL);
	ck_assert_int_eq(close(fd), 0);
	ck_assert_ptr_nonnull(table);
	ck_assert_uint_eq(read_value(table, key, 3, value, &rows), counted[3]);
	ck_assert_uint_eq(rows, 1);
	peat_table__free(table);
}

static uint32_t id_of_fd(int fd)
{
	struct bpf_map_info info = { 0 };
	uint32_t bytes = sizeof(info);

	ck_assert_int_eq(bpf_obj_get_info_by_fd(fd, &info, &bytes), 0);
	return info.id;
}

static uint32_t id_of(const char *map)
{
	return id_of_fd(peat_session__map_fd(session, map));
}

START_TEST(test_maps_of_others)
{
	static const char *const names[] = { "in_hash", "in_percpu_hash_table", "in_lru",
					     "in_percpu_lru", "in_array" };
	char which[32];

	start();
	call(3, 10);
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		snprintf(which, sizeof(which), "id=%u", id_of(names[i]));
		check_foreign(which, i < 2 ? "number" : "key", i < 2 ? "count" : "value");
	}
	check_foreign("name=in_percpu_hash_table", "number", "count");
	stop();
}
END_TEST

static int open_map(const char *map)
{
	char which[32];
	int fd;

	snprintf(which, sizeof(which), "id=%u", id_of(map));
	fd = peat_map__open_table(which);
	ck_assert_int_ge(fd, 0);
	return fd;
}

static int is_table(const char *map)
{
	char which[32];

	snprintf(which, sizeof(which), "id=%u", id_of(map));
	return peat_map__is_table(which);
}

START_TEST(test_is_table)
{
	start();
	ck_assert_int_eq(is_table("in_hash"), 1);
	ck_assert_int_eq(is_table("in_percpu_lru"), 1);
	ck_assert_int_eq(is_table("peat_ring"), 0);
	ck_assert_int_eq(peat_map__is_table("name=never there"), -ENOENT);
	ck_assert_int_eq(peat_map__is_table("in_hash"), -EINVAL);
	stop();
}
END_TEST

/* The fd does not allow changes, and the table makes none. */
START_TEST(test_others_are_only_read)
{
	uint32_t key = 3, rows;
	uint64_t value = 1;
	struct peat_table *table;
	int fd;

	start();
	call(3, 10);
	fd = open_map("in_lru");
	ck_assert_int_eq(bpf_map_update_elem(fd, &key, &value, BPF_ANY), -EPERM);
	table = peat_table__open_map(fd, NULL);
	ck_assert_ptr_nonnull(table);
	read_value(table, "key", 3, "value", &rows);
	ck_assert_int_eq(peat_table__clear(table), 0);
	ck_assert_int_eq(bpf_map_lookup_elem(fd, &key, &value), 0);
	ck_assert_uint_eq(value, counted[3]);
	peat_table__free(table);
	close(fd);
	stop();
}
END_TEST

/* The kernel keeps the tags with the BTF since Linux 5.16; `unit` does without. */
START_TEST(test_histogram_of_another)
{
	struct peat_map_table_opts opts = PEAT_MAP_TABLE_OPTS_INIT;
	struct peat_table *table;
	int fd;

	start();
	call(3, 10);
	call(5, 20);
	fd = open_map("in_percpu_array");
	opts.unit = "us";
	table = peat_table__open_map(fd, &opts);
	ck_assert_ptr_nonnull(table);
	ck_assert_str_eq(peat_table__unit(table), "us");
	check_histogram(table, counted[3], counted[5]);
	peat_table__free(table);
	close(fd);
	stop();
}
END_TEST

START_TEST(test_map_without_btf)
{
	int fd = bpf_map_create(BPF_MAP_TYPE_PERCPU_HASH, "plain", 4, 8, 10, NULL);
	int cpus = libbpf_num_possible_cpus();
	uint64_t *values = calloc((size_t)cpus, sizeof(*values));
	struct peat_table *table;
	uint32_t rows, key = 77;

	ck_assert_int_ge(fd, 0);
	ck_assert_ptr_nonnull(values);
	for (int i = 0; i < cpus; i++)
		values[i] = 100;
	ck_assert_int_eq(bpf_map_update_elem(fd, &key, values, BPF_ANY), 0);
	table = peat_table__open_map(fd, NULL);
	ck_assert_ptr_nonnull(table);
	ck_assert_uint_eq(read_value(table, "key", 77, "value", &rows), 100 * (uint64_t)cpus);
	peat_table__free(table);
	free(values);
	close(fd);
}
END_TEST

/* bpftrace's keys of comm and str() have no type. */
START_TEST(test_text_keys_without_btf)
{
	static const char keys[][16] = { "bash", "a name, 15 char", "kworker/u9:2",
					 "\xc3\xa9t\xc3\xa9" };
	int fd = bpf_map_create(BPF_MAP_TYPE_HASH, "texts", sizeof(*keys), 8, 4, NULL);
	static const uint8_t bytes[16] = { 'a', 0, 'b' };
	struct peat_table *table;
	uint64_t value = 5;
	struct command peat;
	char map[16];

	ck_assert_int_ge(fd, 0);
	for (size_t i = 0; i < 4; i++)
		ck_assert_int_eq(bpf_map_update_elem(fd, keys[i], &value, BPF_ANY), 0);
	table = peat_table__open_map(fd, NULL);
	ck_assert_ptr_nonnull(table);
	ck_assert_int_eq(peat_schema__fields(peat_table__schema(table), &(uint32_t){ 0 })->kind,
			 PEAT_FIELD_STRING);
	peat_table__free(table);
	snprintf(map, sizeof(map), "id=%u", id_of_fd(fd));
	command__run(&peat, ALL_CAPS, ARGV(command__peat(), "count", "--map", map));
	ck_assert_msg(strstr(peat.out_text, "\na name, 15 char"), "%s", peat.out_text);
	ck_assert_msg(strstr(peat.err_text, "is full: it has 4 entries"), "%s", peat.err_text);
	command__free(&peat);
	/* Bytes after the first zero: a struct. */
	ck_assert_int_eq(bpf_map_delete_elem(fd, keys[0]), 0);
	ck_assert_int_eq(bpf_map_update_elem(fd, bytes, &value, BPF_ANY), 0);
	table = peat_table__open_map(fd, NULL);
	ck_assert_ptr_nonnull(table);
	ck_assert_int_eq(peat_schema__fields(peat_table__schema(table), &(uint32_t){ 0 })->kind,
			 PEAT_FIELD_BYTES);
	peat_table__free(table);
	close(fd);
}
END_TEST

/* A map of one entry is a variable, and is always full. */
START_TEST(test_map_of_one_entry)
{
	int fd = bpf_map_create(BPF_MAP_TYPE_HASH, "one", 4, 8, 1, NULL);
	uint64_t value = 7;
	uint32_t key = 0;
	struct command peat;
	char map[16];

	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(bpf_map_update_elem(fd, &key, &value, BPF_ANY), 0);
	snprintf(map, sizeof(map), "id=%u", id_of_fd(fd));
	command__run(&peat, ALL_CAPS, ARGV(command__peat(), "count", "--map", map));
	ck_assert_int_eq(peat.status, 0);
	ck_assert_msg(!strstr(peat.err_text, "full"), "%s", peat.err_text);
	command__free(&peat);
	close(fd);
}
END_TEST

START_TEST(test_wrong_maps)
{
	int fd = bpf_map_create(BPF_MAP_TYPE_RINGBUF, "ring", 0, 0, 4096 * 16, NULL);

	ck_assert_int_ge(fd, 0);
	errno = 0;
	ck_assert_ptr_null(peat_table__open_map(fd, NULL));
	ck_assert_int_eq(errno, EINVAL);
	ck_assert_ptr_null(peat_table__open_map(STDERR_FILENO, NULL));
	ck_assert_int_eq(peat_map__open_table("id=4294967295"), -ENOENT);
	ck_assert_int_eq(peat_map__open_table("name="), -ENOENT);
	close(fd);
}
END_TEST

/* ---- while programs change the map ----------------------------------------------------------- */

#define CHURN 512U

static int churn_fd;

/* Deletes and adds the upper half of the keys until it is killed. */
static int churn(void *nothing)
{
	uint64_t one = 1;

	(void)nothing;
	for (uint32_t i = 0;; i++) {
		uint32_t key = CHURN + i % CHURN;

		if (bpf_map_delete_elem(churn_fd, &key))
			bpf_map_update_elem(churn_fd, &key, &one, BPF_ANY);
	}
	return 0;
}

static void check_churned(struct peat_table *table)
{
	struct peat_table_row row = { .sz = sizeof(row) };
	bool seen[2 * CHURN] = { false };
	uint32_t lasting = 0;

	ck_assert_int_ge(peat_table__read(table), (int)CHURN);
	while (peat_table__next(table, &row) > 0) {
		uint64_t key = number_in(table, &row, "key");

		ck_assert_uint_lt(key, 2 * CHURN);
		ck_assert(!seen[key]);
		seen[key] = true;
		lasting += key < CHURN;
	}
	ck_assert_uint_eq(lasting, CHURN);
}

static void fill_churned(void)
{
	uint64_t one = 1;

	churn_fd = bpf_map_create(BPF_MAP_TYPE_HASH, "churned", 4, 8, 2 * CHURN, NULL);
	ck_assert_int_ge(churn_fd, 0);
	for (uint32_t key = 0; key < 2 * CHURN; key++)
		ck_assert_int_eq(bpf_map_update_elem(churn_fd, &key, &one, BPF_ANY), 0);
}

/* Keys that stay are read, and once, whatever happens to the others. */
START_TEST(test_changing_map)
{
	struct peat_table *table;
	pid_t child;

	fill_churned();
	table = peat_table__open_map(churn_fd, NULL);
	ck_assert_ptr_nonnull(table);
	child = process__start(churn, NULL);
	for (int i = 0; i < 200; i++)
		check_churned(table);
	kill(child, SIGKILL);
	process__wait(child);
	peat_table__free(table);
	close(churn_fd);
}
END_TEST

#define LARGE_ENTRIES 16U
#define LARGE_BYTES   (1200U * 1024)

static int count_large(void *context, const void *key, const void *values)
{
	uint32_t *seen = context, number, first, last;

	memcpy(&number, key, sizeof(number));
	memcpy(&first, values, sizeof(first));
	memcpy(&last, (const char *)values + LARGE_BYTES - sizeof(last), sizeof(last));
	ck_assert_uint_lt(number, LARGE_ENTRIES);
	ck_assert_uint_eq(first, number);
	ck_assert_uint_eq(last, number);
	seen[number]++;
	return 0;
}

/* One value fills a batch, but a bucket of the hash table can have several: the batch grows. */
START_TEST(test_large_values)
{
	int fd = bpf_map_create(BPF_MAP_TYPE_HASH, "large", 4, LARGE_BYTES, LARGE_ENTRIES, NULL);
	uint32_t *value = calloc(1, LARGE_BYTES), seen[LARGE_ENTRIES] = { 0 };
	struct map_reader reader;

	ck_assert_int_ge(fd, 0);
	ck_assert_ptr_nonnull(value);
	for (uint32_t key = 0; key < LARGE_ENTRIES; key++) {
		value[0] = value[LARGE_BYTES / sizeof(*value) - 1] = key;
		ck_assert_int_eq(bpf_map_update_elem(fd, &key, value, BPF_ANY), 0);
	}
	ck_assert_int_eq(map_read__init(&reader, fd), 0);
	ck_assert_int_eq(map_read__all(&reader, count_large, seen), 0);
	for (uint32_t key = 0; key < LARGE_ENTRIES; key++)
		ck_assert_uint_eq(seen[key], 1);
	free(value);
	close(fd);
}
END_TEST

/* Kernels without batches for a type of map, such as per-CPU arrays before Linux 5.13. */
static int count_key(void *context, const void *key, const void *values)
{
	uint32_t *seen = context, number;
	uint64_t value;

	memcpy(&number, key, sizeof(number));
	memcpy(&value, values, sizeof(value));
	ck_assert_uint_lt(number, 2 * CHURN);
	ck_assert_uint_eq(value, 1);
	seen[number]++;
	return 0;
}

static int read_one_by_one(uint32_t *seen)
{
	struct map_reader reader;

	memset(seen, 0, 2 * CHURN * sizeof(*seen));
	ck_assert_int_eq(map_read__init(&reader, churn_fd), 0);
	ck_assert_uint_eq(reader.cpus, 1);
	reader.one_by_one = true;
	return map_read__all(&reader, count_key, seen);
}

static bool has_all_that_stay(const uint32_t *seen)
{
	for (uint32_t key = 0; key < CHURN; key++)
		if (!seen[key])
			return false;
	return true;
}

/* The kernel itself rarely leaves keys out: see map_read__all(). */
START_TEST(test_one_by_one)
{
	uint32_t seen[2 * CHURN];
	int incomplete = 0;
	pid_t child;

	fill_churned();
	ck_assert_int_eq(read_one_by_one(seen), 0);
	for (uint32_t key = 0; key < 2 * CHURN; key++)
		ck_assert_uint_eq(seen[key], 1);
	child = process__start(churn, NULL);
	for (int i = 0; i < 20; i++) {
		int err = read_one_by_one(seen);

		ck_assert_msg(!err || err == -EAGAIN, "%s", strerror(-err));
		incomplete += !err && !has_all_that_stay(seen);
	}
	ck_assert_int_le(incomplete, 3);
	kill(child, SIGKILL);
	process__wait(child);
	close(churn_fd);
}
END_TEST

/* ---- the list of maps ------------------------------------------------------------------------ */

static const struct peat_map *find_map(const struct peat_maps *maps, uint32_t id)
{
	const struct peat_map *map;

	for (uint32_t i = 0; (map = peat_maps__at(maps, i)); i++)
		if (map->id == id)
			return map;
	return NULL;
}

START_TEST(test_lists_tables)
{
	struct peat_maps *maps;
	const struct peat_map *map;

	start();
	maps = peat_maps__new_tables();
	ck_assert_ptr_nonnull(maps);
	map = find_map(maps, id_of("in_percpu_hash_table"));
	ck_assert_ptr_nonnull(map);
	ck_assert_str_eq(map->name, "in_percpu_hash_");
	ck_assert_str_eq(map->type, "percpu_hash");
	ck_assert_str_eq(map->key_type, "struct tables_key");
	ck_assert_str_eq(map->value_type, "struct tables_value");
	ck_assert_uint_eq(map->key_bytes, sizeof(struct tables_key));
	ck_assert_uint_eq(map->value_bytes, sizeof(struct tables_value));
	ck_assert_uint_eq(map->slots, 4096);
	ck_assert_uint_eq(map->program_count, 1);
	ck_assert_str_eq(map->programs[0].name, "count_calls");
	map = find_map(maps, id_of("untagged"));
	ck_assert_ptr_nonnull(map);
	ck_assert_str_eq(map->value_type, "__u32");
	ck_assert_ptr_null(find_map(maps, id_of("peat_ring")));
	for (uint32_t i = 0; (map = peat_maps__at(maps, i)); i++)
		ck_assert_str_ne(map->name, "tables.bss");
	peat_maps__free(maps);
	stop();
}
END_TEST

START_TEST(test_list_maps)
{
	struct command peat;
	const char *wrong;
	size_t at;

	start();
	command__run(&peat, ALL_CAPS, ARGV(command__peat(), "list", "--maps"));
	ck_assert_int_eq(peat.status, 0);
	ck_assert_msg(strstr(peat.out_text, " in_percpu_hash_: percpu_hash, at most 4096 entries\n"
					    "  key      struct tables_key, 8 bytes\n"
					    "  value    struct tables_value, 32 bytes\n"
					    "  held by  ") &&
			      strstr(peat.out_text, " count_calls, raw_tracepoint: "),
		      "%s", peat.out_text);
	command__free(&peat);
	command__run(&peat, ALL_CAPS, ARGV(command__peat(), "list", "--maps", "-j"));
	ck_assert_int_eq(peat.status, 0);
	wrong = json_lines__check(peat.out_text, strlen(peat.out_text), &at);
	ck_assert_msg(!wrong, "%s at: %s", wrong, peat.out_text + at);
	ck_assert_ptr_nonnull(strstr(peat.out_text,
				     "\"name\":\"in_lru\",\"type\":\"lru_hash\","
				     "\"max_entries\":4096,\"key_bytes\":4,\"value_bytes\":8,"
				     "\"key_type\":\"__u32\",\"value_type\":\"__u64\""));
	command__free(&peat);
	stop();
}
END_TEST

static void write_object(const char *path)
{
	FILE *file = fopen(path, "we");

	ck_assert_ptr_nonnull(file);
	ck_assert_uint_eq(fwrite(tables_object.bytes, *tables_object.count, 1, file), 1);
	ck_assert_int_eq(fclose(file), 0);
}

START_TEST(test_list_object)
{
	static const char text[] = "  table in_percpu_array, histogram of us: a histogram per CPU\n"
				   "    key              number\n"
				   "    unused           number\n"
				   "    count            number\n"
				   "    slots            number, several\n";
	struct command peat;
	char path[64];

	snprintf(path, sizeof(path), "/tmp/peat-tables-%d.bpf.o", (int)getpid());
	write_object(path);
	command__run(&peat, ALL_CAPS, ARGV(command__peat(), "list", "-v", path));
	ck_assert_int_eq(peat.status, 0);
	ck_assert_msg(strstr(peat.out_text, " calls in a hash table\n") &&
			      strstr(peat.out_text, text),
		      "%s", peat.out_text);
	command__free(&peat);
	command__run(&peat, ALL_CAPS, ARGV(command__peat(), "list", "-j", path));
	ck_assert_msg(strstr(peat.out_text, "{\"name\":\"in_percpu_array\",\"doc\":\"a histogram "
					    "per CPU\",\"unit\":\"us\",\"keys\":1,\"fields\":["),
		      "%s", peat.out_text);
	command__free(&peat);
	ck_assert_int_eq(unlink(path), 0);
}
END_TEST

static Suite *tables_suite(void)
{
	TCase *tests;
	Suite *suite = harness__suite("tables", 60, &tests);

	tcase_add_test(tests, test_declared_tables);
	tcase_add_test(tests, test_two_objects);
	tcase_add_test(tests, test_sums_over_cpus);
	tcase_add_test(tests, test_other_fields);
	tcase_add_test(tests, test_histogram_is_read_and_cleared);
	tcase_add_test(tests, test_intervals_in_each_map);
	tcase_add_test(tests, test_clear_first);
	tcase_add_test(tests, test_deleted_entries);
	tcase_add_test(tests, test_maps_of_others);
	tcase_add_test(tests, test_is_table);
	tcase_add_test(tests, test_others_are_only_read);
	tcase_add_test(tests, test_histogram_of_another);
	tcase_add_test(tests, test_map_without_btf);
	tcase_add_test(tests, test_text_keys_without_btf);
	tcase_add_test(tests, test_map_of_one_entry);
	tcase_add_test(tests, test_wrong_maps);
	tcase_add_test(tests, test_changing_map);
	tcase_add_test(tests, test_large_values);
	tcase_add_test(tests, test_one_by_one);
	tcase_add_test(tests, test_lists_tables);
	tcase_add_test(tests, test_list_maps);
	tcase_add_test(tests, test_list_object);
	return suite;
}

int main(int argc, char **argv)
{
	static const suite_fn suites[] = { tables_suite };

	return harness__main(argc, argv, suites, 1);
}
