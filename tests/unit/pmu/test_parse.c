// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_parse.c: lists of events, as text, into items and terms. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pmu/events.h"
#include "pmu/parse.h"
#include "unit/suite.h"

static char shown[2048];

static void show(const char *label, const char *text, struct pmu_span span)
{
	size_t used = strlen(shown);

	if (span.bytes)
		snprintf(shown + used, sizeof(shown) - used, " %s=%.*s", label, (int)span.bytes,
			 text + span.at);
}

static void show_item(const struct pmu_list *list, const char *text, const struct pmu_item *item)
{
	static const char *const forms[] = { "name", "tracepoint", "breakpoint", "numbers" };
	size_t used = strlen(shown);

	snprintf(shown + used, sizeof(shown) - used, "%s%s%s", used ? "; " : "", forms[item->form],
		 item->has_slashes ? "/" : "");
	show("name", text, item->name);
	show("event", text, item->event);
	show("filter", text, item->filter);
	for (uint32_t i = 0; i < item->term_count; i++) {
		show("term", text, list->terms[item->first_term + i].name);
		show("value", text, list->terms[item->first_term + i].value);
	}
	if (item->form == PMU_FORM_BREAKPOINT || item->form == PMU_FORM_NUMBERS) {
		used = strlen(shown);
		snprintf(shown + used, sizeof(shown) - used, " %#llx %#llx access=%u",
			 (unsigned long long)item->numbers[0], (unsigned long long)item->numbers[1],
			 item->access);
	}
	show("modifiers", text, item->modifiers);
	if (item->group != PMU_NO_GROUP) {
		used = strlen(shown);
		snprintf(shown + used, sizeof(shown) - used, " group=%u", item->group);
		show("with", text, list->groups[item->group]);
	}
}

/* The items, or the error with its place. */
static const char *parsed(const char *text)
{
	struct pmu_list list;
	int err = pmu_list__parse(&list, text);

	*shown = '\0';
	for (uint32_t i = 0; !err && i < list.count; i++)
		show_item(&list, text, &list.items[i]);
	if (err) {
		ck_assert_int_eq(err, -EINVAL);
		ck_assert_uint_le(list.error_at, strlen(text));
		snprintf(shown, sizeof(shown), "%u: %s", list.error_at, list.error);
	}
	pmu_list__free(&list);
	return shown;
}

START_TEST(test_parses_names)
{
	ck_assert_str_eq(parsed("cycles"), "name name=cycles");
	ck_assert_str_eq(parsed("cycles:u , faults"),
			 "name name=cycles modifiers=u; name name=faults");
	ck_assert_str_eq(parsed("L1-dcache-load-misses:k"),
			 "name name=L1-dcache-load-misses modifiers=k");
	ck_assert_str_eq(parsed("cycles/period=5/u"),
			 "name/ name=cycles term=period value=5 modifiers=u");
	ck_assert_str_eq(parsed("cycles/period=5/:u"),
			 "name/ name=cycles term=period value=5 modifiers=u");
	ck_assert_str_eq(parsed("energy-pkg"), "name name=energy-pkg");
}
END_TEST

START_TEST(test_parses_terms)
{
	ck_assert_str_eq(parsed("cpu/event=0x3c,umask=0x1,edge/"),
			 "name/ name=cpu term=event value=0x3c term=umask value=0x1 term=edge");
	ck_assert_str_eq(parsed("cpu//"), "name/ name=cpu");
	ck_assert_str_eq(parsed("*imc*/read/"), "name/ name=*imc* term=read");
	ck_assert_str_eq(parsed("cpu/ event=1 , name='a,b/c' /pp"),
			 "name/ name=cpu term=event value=1 term=name value=a,b/c modifiers=pp");
	ck_assert_str_eq(parsed("r1a8/name=x/"), "numbers/ name=r1a8 term=name value=x 0x4 0x1a8 "
						 "access=0");
}
END_TEST

START_TEST(test_parses_tracepoints)
{
	ck_assert_str_eq(parsed("sched:sched_switch"), "tracepoint name=sched event=sched_switch");
	ck_assert_str_eq(parsed("sched:*:k"), "tracepoint name=sched event=* modifiers=k");
	ck_assert_str_eq(parsed("sched:sched_switch/prev_comm=='a,b}'&&next_pid<3/u,cs"),
			 "tracepoint/ name=sched event=sched_switch "
			 "filter=prev_comm=='a,b}'&&next_pid<3 modifiers=u; name name=cs");
	ck_assert_str_eq(parsed("a:open/path~\"\\/etc\\/*\"/"),
			 "tracepoint/ name=a event=open filter=path~\"\\/etc\\/*\"");
	ck_assert_str_eq(parsed("sched:sched_switch/call-graph=fp,name=x/"),
			 "tracepoint/ name=sched event=sched_switch term=call-graph value=fp "
			 "term=name value=x");
	ck_assert_str_eq(parsed("irq:irq_handler_entry/name==\"x\"/"),
			 "tracepoint/ name=irq event=irq_handler_entry filter=name==\"x\"");
	/* Only the machine can tell modifiers from such a tracepoint. */
	ck_assert_str_eq(parsed("probe:hup:u"), "tracepoint name=probe event=hup modifiers=u");
	ck_assert_str_eq(parsed("probe:hu"), "name name=probe modifiers=hu");
}
END_TEST

START_TEST(test_breakpoints_and_numbers)
{
	ck_assert_str_eq(parsed("mem:0x1000"), "breakpoint name=mem 0x1000 0 access=0");
	ck_assert_str_eq(parsed("mem:4096:w"), "breakpoint name=mem 0x1000 0 access=2");
	ck_assert_str_eq(parsed("mem:0x1000/8:rw:u"),
			 "breakpoint name=mem 0x1000 0x8 access=3 modifiers=u");
	ck_assert_str_eq(parsed("mem:0x1000:u"),
			 "breakpoint name=mem 0x1000 0 access=0 modifiers=u");
	ck_assert_str_eq(parsed("r1A8:u"), "numbers name=r1A8 0x4 0x1a8 access=0 modifiers=u");
	ck_assert_str_eq(parsed("r0x1a8"), "numbers name=r0x1a8 0x4 0x1a8 access=0");
	ck_assert_str_eq(parsed("rffffffffffffffff"),
			 "numbers name=rffffffffffffffff 0x4 0xffffffffffffffff access=0");
	ck_assert_str_eq(parsed("1:0x2:k"), "numbers name=1 0x1 0x2 access=0 modifiers=k");
}
END_TEST

START_TEST(test_parses_groups)
{
	ck_assert_str_eq(parsed("{cycles,faults:k}:u,cs,{cs}"),
			 "name name=cycles group=0 with=u; "
			 "name name=faults modifiers=k group=0 with=u; name name=cs; "
			 "name name=cs group=1");
	ck_assert_str_eq(parsed(" { cycles , cs } , cs "),
			 "name name=cycles group=0; name name=cs group=0; name name=cs");
}
END_TEST

START_TEST(test_errors_have_places)
{
	static const struct {
		const char *text, *error;
	} wrong[] = {
		{ "", "0: an event is missing" },
		{ ",cs", "0: an event is missing" },
		{ "cs,", "3: an event is missing" },
		{ "{}", "1: an event is missing" },
		{ "{cs", "3: the group has no end" },
		{ "{cs,{cs}}", "4: a group cannot contain a group" },
		{ "cs}", "2: a comma" },
		{ "cs cs", "3: a comma" },
		{ "{cs} :u", "5: a comma" },
		{ "cs:x", "3: no such modifier" },
		{ "cs:uu", "4: this modifier is given twice" },
		{ "cs:", "3: a modifier is missing" },
		{ "cpu/event=1", "11: the terms have no end" },
		{ "cpu/event=/", "10: a value is missing" },
		{ "cpu/,/", "4: a term is missing" },
		{ "cpu/event=1,/", "12: a term is missing" },
		{ "cpu/a b/", "6: a comma is missing" },
		{ "cpu/name='a/", "9: the quote has no end" },
		{ "a:bc/x==1", "4: the filter has no end" },
		{ "a:bc/x==1\\/", "4: the filter has no end" },
		{ "a:bc//", "4: the filter is empty" },
		{ "mem:", "4: the address is not a number" },
		{ "mem:12ab", "4: the address is not a number" },
		{ "mem:0x10000000000000000", "4: the address has more than 64 bits" },
		{ "mem:0x1000/9", "11: a breakpoint has a length" },
		{ "mem:0x1000/0", "11: a breakpoint has a length" },
		{ "mem:0x1000:q", "11: not an access" },
		{ "mem:0x1000:ww", "11: not an access" },
		{ "r12345678123456789", "0: a raw event has at most 16 digits" },
		{ "4294967296:1", "0: the type has more than 32 bits" },
		{ "1:x", "2: the config is not a number" },
	};

	for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++) {
		const char *error = parsed(wrong[i].text);

		ck_assert_msg(!strncmp(error, wrong[i].error, strlen(wrong[i].error)),
			      "%s: %s, not %s", wrong[i].text, error, wrong[i].error);
	}
}
END_TEST

START_TEST(test_long_lists)
{
	size_t bytes = (1 << 20) + 1;
	char *text = malloc(bytes + 1);
	struct pmu_list list;

	ck_assert_ptr_nonnull(text);
	memset(text, 'a', bytes);
	text[bytes] = '\0';
	ck_assert_int_eq(pmu_list__parse(&list, text), -EINVAL);
	pmu_list__free(&list);
	ck_assert_int_eq(pmu_list__parse_terms(&list, text), -EINVAL);
	pmu_list__free(&list);
	for (size_t i = 0; i < bytes; i++)
		text[i] = i % 2 ? ',' : 'a';
	text[bytes - 2] = '\0';
	ck_assert_int_eq(pmu_list__parse(&list, text), 0);
	ck_assert_uint_eq(list.count, (bytes - 1) / 2);
	pmu_list__free(&list);
	free(text);
}
END_TEST

START_TEST(test_terms_alone)
{
	struct pmu_list list;

	ck_assert_int_eq(pmu_list__parse_terms(&list, "event=0x3c,domain=?"), 0);
	ck_assert_uint_eq(list.term_count, 2);
	pmu_list__free(&list);
	ck_assert_int_eq(pmu_list__parse_terms(&list, ""), 0);
	ck_assert_uint_eq(list.term_count, 0);
	pmu_list__free(&list);
	ck_assert_int_eq(pmu_list__parse_terms(&list, "event=1/"), -EINVAL);
	pmu_list__free(&list);
}
END_TEST

START_TEST(test_parses_numbers)
{
	uint64_t value;

	ck_assert_int_eq(pmu_number__parse("18446744073709551615", 20, &value), 0);
	ck_assert_uint_eq(value, UINT64_MAX);
	ck_assert_int_eq(pmu_number__parse("18446744073709551616", 20, &value), -ERANGE);
	ck_assert_int_eq(pmu_number__parse("0xFf", 4, &value), 0);
	ck_assert_uint_eq(value, 255);
	ck_assert_int_eq(pmu_number__parse("0x", 2, &value), -EINVAL);
	ck_assert_int_eq(pmu_number__parse("", 0, &value), -EINVAL);
	ck_assert_int_eq(pmu_number__parse("-1", 2, &value), -EINVAL);
	ck_assert_int_eq(pmu_number__parse("12g", 3, &value), -EINVAL);
}
END_TEST

SUITE(10)
{
	tcase_add_test(tests, test_parses_names);
	tcase_add_test(tests, test_parses_terms);
	tcase_add_test(tests, test_parses_tracepoints);
	tcase_add_test(tests, test_breakpoints_and_numbers);
	tcase_add_test(tests, test_parses_groups);
	tcase_add_test(tests, test_errors_have_places);
	tcase_add_test(tests, test_long_lists);
	tcase_add_test(tests, test_terms_alone);
	tcase_add_test(tests, test_parses_numbers);
}
