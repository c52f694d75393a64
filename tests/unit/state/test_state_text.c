// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_state_text.c: a state is the same after it was printed and parsed; damage is found. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "state/state.h"
#include "unit/suite.h"

static struct state_source sources[2] = {
	{ .name = "one", .pin = (char *)"/sys/fs/bpf/with space", .pinned_ns = 17, .read = 18 },
	{ .name = "two" },
};
static struct state_flow flows[] = {
	{ "one", "out", { 1, 2, 3, 4, 5, 6, UINT64_MAX, 7, { 8, 9, 10 } } },
	{ "two", "out", { .offered = 1 } },
};

static char *printed(void)
{
	const struct state state = { .start_ns = 5,
				     .agents = 6,
				     .sources = sources,
				     .source_count = 2,
				     .flows = flows,
				     .flow_count = 2 };
	char *text;

	sources[0].own.has_ledger = true;
	sources[0].own.delivered = sources[0].own.ledger.delivered = 7;
	sources[0].own.agent_died = 8;
	sources[0].programs.ledger.emitted = 9;
	sources[0].programs.ledger.lost_no_ring = 10;
	text = state__print(&state);
	ck_assert_ptr_nonnull(text);
	return text;
}

static void check_counts(const struct flow_counts *one, const struct flow_counts *other)
{
	ck_assert_uint_eq(one->offered, other->offered);
	ck_assert_uint_eq(one->dropped, other->dropped);
	ck_assert_uint_eq(one->waiting, other->waiting);
	ck_assert_uint_eq(one->spooled, other->spooled);
	ck_assert_uint_eq(one->acknowledged, other->acknowledged);
	ck_assert_uint_eq(one->refused, other->refused);
	ck_assert_uint_eq(one->agent_died, other->agent_died);
	ck_assert_uint_eq(one->spool_id, other->spool_id);
	ck_assert_uint_eq(one->ends.acknowledged, other->ends.acknowledged);
	ck_assert_uint_eq(one->ends.refused, other->ends.refused);
	ck_assert_uint_eq(one->ends.dropped, other->ends.dropped);
}

START_TEST(test_printed_state_is_parsed)
{
	struct state state;
	char *text = printed(), *again;

	ck_assert_int_eq(state__parse(&state, text, strlen(text)), 0);
	ck_assert_uint_eq(state.start_ns, 5);
	ck_assert_uint_eq(state.agents, 6);
	ck_assert_uint_eq(state.source_count, 2);
	ck_assert_str_eq(state.sources[0].name, "one");
	ck_assert_str_eq(state.sources[0].pin, "/sys/fs/bpf/with space");
	ck_assert_uint_eq(state.sources[0].pinned_ns, 17);
	ck_assert_uint_eq(state.sources[0].read, 18);
	ck_assert_uint_eq(state.sources[0].own.ledger.delivered, 7);
	ck_assert_uint_eq(state.sources[0].own.agent_died, 8);
	ck_assert_uint_eq(state.sources[0].programs.ledger.emitted, 9);
	ck_assert_uint_eq(state.sources[0].programs.ledger.lost_no_ring, 10);
	ck_assert_ptr_null(state.sources[1].pin);
	ck_assert_uint_eq(state.flow_count, 2);
	check_counts(&state.flows[0].counts, &flows[0].counts);
	check_counts(&state.flows[1].counts, &flows[1].counts);
	again = state__print(&state);
	ck_assert_str_eq(again, text);
	state__free(&state);
	free(again);
	free(text);
}
END_TEST

/* A state that was cut anywhere is not a whole one. */
START_TEST(test_cut_state_is_refused)
{
	struct state state;
	char *text = printed();
	size_t bytes = strlen(text);

	for (size_t i = 0; i < bytes; i++) {
		ck_assert_int_eq(state__parse(&state, text, i), -EBADMSG);
		ck_assert_uint_eq(state.source_count, 0);
	}
	free(text);
}
END_TEST

static const char *const wrong[] = {
	"",
	"{}\n",
	"peat-agent state 2\nend\n",
	"peat-agent state 1\nend\nmore\n",
	"peat-agent state 1\nend\n\n",
	"peat-agent state 1\nagent start_ns 1\nend\n",
	"peat-agent state 1\nagent start_ns -1 agents 1\nend\n",
	"peat-agent state 1\nagent start_ns 18446744073709551616 agents 1\nend\n",
	"peat-agent state 1\nagent start_ns 1 agents 1 x\nend\n",
	"peat-agent state 1\npin /x\nend\n",
	"peat-agent state 1\nsource a pinned_ns 1 read 1\npin x\nend\n",
	"peat-agent state 1\nsource a pinned_ns 1 read 1\npin /x\npin /y\nend\n",
	"peat-agent state 1\nsource  pinned_ns 1 read 1\nend\n",
	"peat-agent state 1\nflow a b offered 1\nend\n",
	("peat-agent state 1\nflow a b offered 1 dropped 0 waiting 0 acknowledged 1 refused 0 "
	 "agent_died 0 spooled 0 spool_id 5 spool_acknowledged 1 spool_refused 0\nend\n"),
	"peat-agent state 1\n\nend\n",
	"peat-agent state 1\nother\nend\n",
};

START_TEST(test_other_text_is_refused)
{
	struct state state;
	char name[200] = "peat-agent state 1\nsource ";

	for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++)
		ck_assert_msg(state__parse(&state, wrong[i], strlen(wrong[i])) == -EBADMSG, "%s",
			      wrong[i]);
	ck_assert_int_eq(state__parse(&state, "peat-agent state 1\nend\n\0", 24), -EBADMSG);
	memset(name + strlen(name), 'a', STATE_NAME);
	strcat(name, " pinned_ns 1 read 1\nend\n");
	ck_assert_int_eq(state__parse(&state, name, strlen(name)), -EBADMSG);
	ck_assert_int_eq(state__parse(&state, "peat-agent state 1\nend\n", 23), 0);
	state__free(&state);
}
END_TEST

SUITE(10)
{
	tcase_add_test(tests, test_printed_state_is_parsed);
	tcase_add_test(tests, test_cut_state_is_refused);
	tcase_add_test(tests, test_other_text_is_refused);
}
