// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_selection.c: expressions and tables of sessions: of probes and kernel records. */
#include <sys/prctl.h>
#include <sys/syscall.h>

#include <peat/table.h>
#include <peat/where.h>

#include "support/load/channel_load.h"
#include "support/machine/mounts.h"

EMBED_OBJECT(stranger)

static struct peat_session *session;
static struct peat_where *where;
static struct peat_table *table;

static void setup(void)
{
	peat_set_print(keep_messages);
	pin_to(0);
}

static void begin(const char *expression, const char *by, const struct object_file *file)
{
	struct peat_session_opts opts = { .sz = sizeof(opts), .pid = 0 };
	struct peat_table_opts table_opts = PEAT_TABLE_OPTS_INIT;

	table_opts.by = by;
	opts.where = where = expression ? peat_where__parse(expression) : NULL;
	opts.table = table = by ? peat_table__new(&table_opts) : NULL;
	ck_assert_msg((where || !expression) && (table || !by), "%s", messages);
	session = peat_session__new(&opts);
	ck_assert_ptr_nonnull(session);
	if (file)
		ck_assert_int_eq(peat_session__add(session, file->name, file->bytes, *file->count),
				 0);
}

static void end(void)
{
	peat_session__free(session);
	peat_where__free(where);
	peat_table__free(table);
}

static void start(uint32_t kinds)
{
	struct peat_reader_opts opts = PEAT_READER_OPTS_INIT;

	opts.side_band = opts.where_side_band = kinds;
	opts.names = true;
	ck_assert_msg(!peat_session__start(session, &opts), "%s", messages);
}

static uint64_t read_all(void)
{
	const struct peat_event *event;
	struct peat_reader *from = peat_session__reader(session);
	uint64_t count = 0;

	peat_session__stop(session);
	peat_reader__flush(from);
	while (peat_reader__next(from, &event) > 0)
		count += event->kind == PEAT_EVENT_DATA || event->kind == PEAT_EVENT_RECORD;
	return count;
}

/* ---- probes ---------------------------------------------------------------------------------- */

static void begin_strangers(const char *expression, const char *by)
{
	begin(expression, by, &stranger_object);
	ck_assert_int_eq(peat_session__set_number(session, "only_pid", (uint64_t)getpid()), 0);
	ck_assert_int_eq(peat_session__set_number(session, "getpgid_number", SYS_getpgid), 0);
	start(0);
	for (int i = 0; i < 10; i++)
		syscall(SYS_getpgid, 0);
}

START_TEST(test_selects_events_of_probe)
{
	begin_strangers("color == BLUE && to.port == 443 && to.address == 2001::/16 && took > 1ms "
			"&& text ~ \"tab*\" && balance < 0 && large == 8000",
			NULL);
	ck_assert_uint_eq(read_all(), 10);
	end();
	begin_strangers("color == BLUE && to.port != 443", NULL);
	ck_assert_uint_eq(read_all(), 0);
	end();
}
END_TEST

START_TEST(test_probe_by_table)
{
	struct peat_table_row row = { .sz = sizeof(row) };
	char text[64];

	begin_strangers("small == 5", "color,to.port");
	ck_assert_uint_eq(read_all(), 0);
	ck_assert_int_eq(peat_table__read(table), 1);
	ck_assert_int_eq(peat_table__next(table, &row), 1);
	peat_field__text(peat_schema__find(peat_table__schema(table), "count", NULL), row.data,
			 row.size, text, sizeof(text));
	ck_assert_str_eq(text, "10");
	peat_field__text(peat_schema__fields(peat_table__schema(table), NULL), row.data, row.size,
			 text, sizeof(text));
	ck_assert_str_eq(text, "BLUE");
	end();
}
END_TEST

/* ---- kernel records -------------------------------------------------------------------------- */

START_TEST(test_selects_kernel_records)
{
	begin("comm == \"chosen\"", NULL, NULL);
	start(PEAT_SIDE_BAND_COMM);
	prctl(PR_SET_NAME, "other");
	prctl(PR_SET_NAME, "chosen");
	prctl(PR_SET_NAME, "another");
	ck_assert_uint_ge(read_all(), 1);
	end();
}
END_TEST

/* ---- refused --------------------------------------------------------------------------------- */

/* Values are looked at with each object, fields when all types are known. */
static void refuse(const char *expression, const char *by, const char *why)
{
	struct peat_reader_opts opts = PEAT_READER_OPTS_INIT;

	*messages = '\0';
	begin(expression, by, NULL);
	if (!peat_session__add(session, "stranger", stranger_object.bytes, *stranger_object.count))
		ck_assert_int_lt(peat_session__start(session, &opts), 0);
	ck_assert_int_eq(errno, EINVAL);
	ck_assert_msg(strstr(messages, why), "%s", messages);
	ck_assert_ptr_null(peat_session__reader(session));
	end();
}

START_TEST(test_refusals_suggest_names)
{
	refuse("colour == BLUE", NULL, "color");
	refuse("color == BLACK", NULL, "BLACK");
	refuse(NULL, "colour", "color");
}
END_TEST

START_TEST(test_pins_without_tables)
{
	struct peat_reader_opts opts = PEAT_READER_OPTS_INIT;

	mounts__own_bpffs();
	*messages = '\0';
	begin(NULL, "color", &stranger_object);
	ck_assert_int_eq(peat_session__pin(session, "/sys/fs/bpf/kept"), 0);
	ck_assert_int_lt(peat_session__start(session, &opts), 0);
	ck_assert_int_eq(errno, EINVAL);
	ck_assert_msg(strstr(messages, "cannot pin"), "%s", messages);
	end();
}
END_TEST

/* ---------------------------------------------------------------------------------------------- */

static Suite *selection_suite(void)
{
	TCase *tests;
	Suite *suite = harness__suite("selection", 30, &tests);

	tcase_add_checked_fixture(tests, setup, NULL);
	tcase_add_test(tests, test_selects_events_of_probe);
	tcase_add_test(tests, test_probe_by_table);
	tcase_add_test(tests, test_selects_kernel_records);
	tcase_add_test(tests, test_refusals_suggest_names);
	tcase_add_test(tests, test_pins_without_tables);
	return suite;
}

int main(int argc, char **argv)
{
	static const suite_fn suites[] = { selection_suite };

	return harness__main(argc, argv, suites, 1);
}
