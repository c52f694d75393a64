/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* audited.h: an audit of pieces and ledgers that tests make by hand. */
#ifndef TESTS_UNIT_AUDIT_AUDITED_H
#define TESTS_UNIT_AUDIT_AUDITED_H

#include <string.h>

#include "audit/audit.h"
#include "unit/suite.h"

/* 2026-11-29T16:00:00Z */
#define AUDITED_RUN UINT64_C(1796054400000000000)

static inline struct audit *audited__new(const char *output)
{
	struct audit *audit = audit__new(output);

	ck_assert_ptr_nonnull(audit);
	return audit;
}

static inline int audited__piece(struct audit *audit, const char *host, uint64_t first,
				 uint64_t events)
{
	const struct piece_info info = {
		.host = host, .source = "exec", .run = AUDITED_RUN, .first = first, .events = events
	};

	return audit__add_piece(audit, &info);
}

/* Points of a ledger, sent at a time. */
struct audited_ledger {
	struct peat_batch *points;
	uint64_t time_ns;
};

static inline struct audited_ledger audited__ledger(uint64_t time_ns)
{
	const struct peat_batch_opts opts = { .sz = sizeof(opts), .source = "ledger" };
	struct audited_ledger ledger = { peat_batch__new(&opts), time_ns };

	ck_assert_ptr_nonnull(ledger.points);
	return ledger;
}

/* `label`: a cause, or an output; NULL: none. */
static inline void audited__count(const struct audited_ledger *ledger, const char *name,
				  const char *label, const char *value, uint64_t count)
{
	const struct peat_label labels[] = { { "source", "exec" }, { label, value } };
	const struct peat_point point = { .sz = sizeof(point),
					  .kind = PEAT_POINT_COUNTER,
					  .name = name,
					  .labels = labels,
					  .label_count = label ? 2 : 1,
					  .time_ns = ledger->time_ns,
					  .count = count };

	ck_assert_int_eq(peat_batch__add_point(ledger->points, &point), 0);
}

static inline void audited__flow(const struct audited_ledger *ledger, const char *output,
				 uint64_t offered, uint64_t dropped, uint64_t refused,
				 uint64_t acknowledged)
{
	audited__count(ledger, "peat.output.offered", "output", output, offered);
	audited__count(ledger, "peat.output.dropped", "output", output, dropped);
	audited__count(ledger, "peat.output.refused", "output", output, refused);
	audited__count(ledger, "peat.output.acknowledged", "output", output, acknowledged);
}

/* Adds the points of an agent's run, and frees them. */
static inline int audited__add_of(struct audit *audit, const char *host, uint64_t run,
				  const struct audited_ledger *ledger)
{
	const struct piece_info info = { .host = host, .source = "ledger", .run = run };
	int err = audit__add_points(audit, &info, ledger->points);

	peat_batch__unref(ledger->points);
	return err;
}

static inline int audited__add(struct audit *audit, const char *host,
			       const struct audited_ledger *ledger)
{
	return audited__add_of(audit, host, AUDITED_RUN, ledger);
}

#endif /* TESTS_UNIT_AUDIT_AUDITED_H */
