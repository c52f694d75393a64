// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_stored.c: ids of messages, and the batches that they name; only with libnats. */
#ifdef HAVE_NATS

#include "jetstream/stored.h"
#include "unit/suite.h"

static struct stored stored;

static void teardown(void)
{
	strbuf__free(&stored.name);
}

static void parse(const char *id)
{
	stored__parse_id(&stored, id);
	stored.sequence = 1;
}

static bool has(const char *name, uint64_t run, uint64_t number)
{
	return stored__has(&stored, name, &(struct peat_origin){ .run = run, .number = number });
}

START_TEST(test_id_names_batches)
{
	const struct peat_origin first = { .run = UINT64_MAX, .number = 9 };
	const struct peat_origin last = { .run = UINT64_MAX, .number = 11 };
	struct strbuf id = { 0 };

	stored__append_id(&id, "h.x/out/a.5", &first, &last);
	ck_assert_str_eq(id.bytes, "h.x/out/a.5.18446744073709551615.9.11");
	parse(id.bytes);
	ck_assert_str_eq(stored.name.bytes, "h.x/out/a.5");
	ck_assert_uint_eq(stored.run, UINT64_MAX);
	ck_assert_uint_eq(stored.last, 11);
	ck_assert(has("h.x/out/a.5", UINT64_MAX, 1)); /* earlier ones were stored before */
	ck_assert(has("h.x/out/a.5", UINT64_MAX, 11));
	ck_assert(!has("h.x/out/a.5", UINT64_MAX, 12));
	ck_assert(!has("h.x/out/a.5", 8, 1));
	ck_assert(!has("h.x/out/a", UINT64_MAX, 1));
	stored.sequence = 0; /* the subject has no message */
	ck_assert(!has("h.x/out/a.5", UINT64_MAX, 1));
	strbuf__free(&id);
}
END_TEST

START_TEST(test_ids_of_other_programs)
{
	static const char *const ids[] = {
		"",	    ".",	"1",	  "1.2",
		"1.2.3",    "x",	"x.1.2",  "x.1.2.",
		"x.1.2.3x", "x.1.2.-3", "x.1..3", "x.1.2.99999999999999999999999",
	};

	for (size_t i = 0; i < sizeof(ids) / sizeof(*ids); i++) {
		parse(ids[i]);
		ck_assert_msg(!stored.name.count, "%s", ids[i]);
		ck_assert(!has("x", stored.run, 1));
	}
	parse("x.1.2.3");
	ck_assert(has("x", 1, 3));
}
END_TEST

SUITE(10)
{
	tcase_add_checked_fixture(tests, NULL, teardown);
	tcase_add_test(tests, test_id_names_batches);
	tcase_add_test(tests, test_ids_of_other_programs);
}

#endif /* HAVE_NATS */
