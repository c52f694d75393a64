// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_losses.c: the losses of a page. */
#include "page/losses.h"
#include "unit/suite.h"

static void check_text(const struct page_losses *losses, const char *wanted)
{
	struct strbuf out = { 0 };

	page_losses__put(losses, 1000, &out);
	strbuf__char(&out, '\0');
	ck_assert_str_eq(out.bytes, wanted);
	strbuf__free(&out);
}

START_TEST(test_losses_have_reasons)
{
	const struct peat_record record = { .type = peat_record__find("LOST_SAMPLES") };
	struct peat_event event = { .kind = PEAT_EVENT_LOST, .lost = 5, .cpu = 1, .time_ns = 1500 };
	struct page_losses losses = { 0 };

	check_text(&losses, "[]");
	event.cause = PEAT_LOST_RING_FULL;
	ck_assert_int_eq(page_losses__add(&losses, &event), 0);
	event.record = &record;
	event.cpu = PEAT_NO_CPU;
	event.time_ns = 0;
	ck_assert_int_eq(page_losses__add(&losses, &event), 0);
	check_text(&losses, "[[500,1,5,\"ring_full\"],[0,null,5,\"LOST_SAMPLES\"]]");
	page_losses__free(&losses);
}
END_TEST

/* Memory is bounded, and the sum stays exact. */
START_TEST(test_many_losses_are_summed)
{
	const struct peat_event event = { .kind = PEAT_EVENT_LOST, .lost = 3 };
	struct page_losses losses = { 0 };
	uint64_t sum = 0;

	for (int i = 0; i < PAGE_LOSSES_MAX + 100; i++)
		ck_assert_int_eq(page_losses__add(&losses, &event), 0);
	ck_assert_uint_eq(losses.count, PAGE_LOSSES_MAX);
	for (uint32_t i = 0; i < losses.count; i++)
		sum += losses.at[i].events;
	ck_assert_uint_eq(sum, 3ULL * (PAGE_LOSSES_MAX + 100));
	page_losses__free(&losses);
}
END_TEST

SUITE(10)
{
	tcase_add_test(tests, test_losses_have_reasons);
	tcase_add_test(tests, test_many_losses_are_summed);
}
