// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_kept_tables.c: peat count and top of tables that programs keep themselves. */
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <peat/peat.h>

#include "support/machine/command.h"
#include "support/machine/harness.h"
#include "support/recording/json_lines.h"
#include "support/machine/json_table.h"
#include "support/machine/object.h"
#include "support/machine/process.h"

EMBED_OBJECT(tables)

#define PEAT command__peat()

static char path[64], sets[2][48];

static void setup(void)
{
	FILE *file;

	snprintf(path, sizeof(path), "/tmp/peat-tables-%d.bpf.o", (int)getpid());
	file = fopen(path, "we");
	ck_assert_ptr_nonnull(file);
	ck_assert_uint_eq(fwrite(tables_object.bytes, *tables_object.count, 1, file), 1);
	ck_assert_int_eq(fclose(file), 0);
	snprintf(sets[0], sizeof(sets[0]), "only_pid=%d", (int)getpid());
	snprintf(sets[1], sizeof(sets[1]), "getpgid_number=%d", SYS_getpgid);
}

static void teardown(void)
{
	unlink(path);
}

/* The object, for calls of this process. */
#define TABLES path, "--set", sets[0], "--set", sets[1], "--set", "number=3"

static void start(struct command *peat, const char *const *argv)
{
	command__start(peat, ALL_CAPS, argv);
	command__expect(peat->err, "attached");
}

static void call(int count)
{
	while (count--)
		syscall(SYS_getpgid, 0);
}

static void stop(struct command *peat)
{
	kill(peat->pid, SIGINT);
	command__finish(peat);
	ck_assert_msg(peat->status == 0, "status %d: %s", peat->status, peat->err_text);
}

/* The document of this table. */
static const char *document(const struct json_lines *lines, const char *table)
{
	for (size_t i = 0; i < lines->count; i++)
		if (!strcmp(json_event__text(lines->lines[i], "table"), table))
			return lines->lines[i];
	ck_abort_msg("no table %s", table);
}

/* ---- tables of a source ---------------------------------------------------------------------- */

START_TEST(test_all_tables)
{
	struct command peat;
	struct json_lines lines;
	const char *hash;

	start(&peat, ARGV(PEAT, "count", "-v", "-j", TABLES));
	call(50);
	stop(&peat);
	lines = json_lines__split(peat.out_text);
	ck_assert_uint_eq(lines.count, 6);
	hash = document(&lines, "in_percpu_hash_table");
	ck_assert_uint_eq(json_table__number(hash, 0, "count"), 50);
	ck_assert_ptr_nonnull(strstr(document(&lines, "in_percpu_array"),
				     "\"slots\":[{\"min\":8,\"max\":15,\"count\":50}]"));
	json_lines__free(&lines);
	command__free(&peat);
}
END_TEST

START_TEST(test_one_table)
{
	struct command peat;

	start(&peat, ARGV(PEAT, "count", "-v", TABLES, "--table", "in_percpu_array"));
	call(7);
	stop(&peat);
	ck_assert_msg(strstr(peat.out_text, "in_percpu_array: a histogram per CPU (us)\n"), "%s",
		      peat.out_text);
	ck_assert_msg(strstr(peat.out_text, " 7 |@@@"), "%s", peat.out_text);
	ck_assert_ptr_null(strstr(peat.out_text, "in_hash"));
	command__free(&peat);
	start(&peat, ARGV(PEAT, "top", "-v", TABLES, "--table", "in_hash", "-i", "50ms"));
	call(7);
	stop(&peat);
	ck_assert_msg(strstr(peat.out_text, "in_hash: calls in a hash table\n"), "%s",
		      peat.out_text);
	ck_assert_msg(strstr(peat.out_text, "  7    3"), "%s", peat.out_text);
	command__free(&peat);
}
END_TEST

static void refuse(int status, const char *why, const char *const *argv)
{
	struct command peat;

	command__run(&peat, ALL_CAPS, argv);
	ck_assert_msg(peat.status == status && strstr(peat.err_text, why), "status %d: %s",
		      peat.status, peat.err_text);
	command__free(&peat);
}

START_TEST(test_refusals_name_table)
{
	refuse(64, "no source keeps a table 'nope'",
	       ARGV(PEAT, "count", TABLES, "--table", "nope"));
	refuse(64, "no source keeps a table", ARGV(PEAT, "count", "exec", "--table", "in_hash"));
	refuse(1, "no BPF map 'id=4294967295'", ARGV(PEAT, "count", "--map", "id=4294967295"));
}
END_TEST

/* ---- maps of other programs ------------------------------------------------------------------ */

/* "id=17": the map of this name that a process holds. */
static const char *map_of(const struct command *keeper, const char *name)
{
	struct peat_maps *maps = peat_maps__new_tables();
	const struct peat_map *map;
	static char text[32];

	*text = '\0';
	for (uint32_t i = 0; (map = peat_maps__at(maps, i)); i++)
		for (uint32_t j = 0; j < map->holder_count; j++)
			if (map->holders[j].pid == (uint32_t)keeper->pid &&
			    !strcmp(map->name, name))
				snprintf(text, sizeof(text), "id=%u", map->id);
	peat_maps__free(maps);
	ck_assert_msg(*text, "no map %s", name);
	return text;
}

static uint64_t count_of(const char *line)
{
	return json_table__number(line, 0, "count");
}

START_TEST(test_map_of_another_program)
{
	struct command keeper, peat;
	struct json_lines lines;
	const char *map;

	start(&keeper, ARGV(PEAT, "count", "-v", TABLES));
	map = map_of(&keeper, "in_percpu_hash_");
	call(20);
	command__run(&peat, ALL_CAPS, ARGV(PEAT, "count", "-j", "--map", map));
	ck_assert_msg(peat.status == 0, "%s", peat.err_text);
	lines = json_lines__split(peat.out_text);
	ck_assert_uint_eq(lines.count, 1);
	ck_assert_uint_eq(count_of(lines.lines[0]), 20);
	json_lines__free(&lines);
	command__free(&peat);
	refuse(64, "COMMAND cannot be used", ARGV(PEAT, "count", "--map", map, "--", "true"));
	refuse(64, "is a table", ARGV(PEAT, "count", "--map", map, "--by", "pid"));
	stop(&keeper);
	ck_assert_msg(strstr(keeper.out_text, " 20 "), "%s", keeper.out_text);
	command__free(&keeper);
}
END_TEST

START_TEST(test_histogram_of_map)
{
	struct command keeper, peat;
	const char *map;

	start(&keeper, ARGV(PEAT, "count", "-v", TABLES));
	call(20);
	map = map_of(&keeper, "in_percpu_array");
	command__run(&peat, ALL_CAPS, ARGV(PEAT, "hist", "--map", map));
	ck_assert_msg(peat.status == 0 && strstr(peat.out_text, "[8, 16)") &&
			      strstr(peat.out_text, " 20 |@@@"),
		      "%s%s", peat.out_text, peat.err_text);
	command__free(&peat);
	command__run(&peat, ALL_CAPS, ARGV(PEAT, "hist", "-j", "--map", map));
	ck_assert_msg(strstr(peat.out_text, "\"slots\":[{\"min\":8,\"max\":15,\"count\":20}]"),
		      "%s%s", peat.out_text, peat.err_text);
	command__free(&peat);
	refuse(64, "is a table", ARGV(PEAT, "hist", "--map", map, "slots"));
	refuse(64, "is a table", ARGV(PEAT, "hist", "--linear", "--map", map));
	refuse(64, "has no histogram", ARGV(PEAT, "hist", "--map", map_of(&keeper, "in_hash")));
	stop(&keeper);
	command__free(&keeper);
}
END_TEST

/* An interval has what was added since the one before, and nothing of the time before peat. */
START_TEST(test_intervals_have_what_was_added)
{
	struct command keeper, peat;
	struct json_lines lines;
	uint64_t sum = 0;
	const char *map;

	start(&keeper, ARGV(PEAT, "count", "-v", TABLES));
	map = map_of(&keeper, "in_percpu_hash_");
	call(20);
	command__start(&peat, ALL_CAPS, ARGV(PEAT, "top", "-j", "-i", "20ms", "--map", map));
	command__expect(peat.out, "\"rows\":[]"); /* the map has been read */
	for (int i = 0; i < 10; i++) {
		call(3);
		usleep(15 * 1000);
	}
	stop(&peat);
	lines = json_lines__split(peat.out_text);
	for (size_t i = 0; i < lines.count; i++)
		if (!strstr(lines.lines[i], "\"rows\":[]"))
			sum += count_of(lines.lines[i]);
	ck_assert_uint_eq(sum, 30);
	json_lines__free(&lines);
	command__free(&peat);
	stop(&keeper);
	command__free(&keeper);
}
END_TEST

/* ---------------------------------------------------------------------------------------------- */

static Suite *kept_tables_suite(void)
{
	TCase *tests;
	Suite *suite = harness__suite("kept_tables", 60, &tests);

	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_add_test(tests, test_all_tables);
	tcase_add_test(tests, test_one_table);
	tcase_add_test(tests, test_refusals_name_table);
	tcase_add_test(tests, test_map_of_another_program);
	tcase_add_test(tests, test_histogram_of_map);
	tcase_add_test(tests, test_intervals_have_what_was_added);
	return suite;
}

int main(int argc, char **argv)
{
	static const suite_fn suites[] = { kept_tables_suite };

	return harness__main(argc, argv, suites, 1);
}
