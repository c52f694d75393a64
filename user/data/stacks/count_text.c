// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* stacks/count_text.c: prints counts and weights for people. */
#include "stacks/count_text.h"
#include "field/field_text.h"
#include "field/field_type.h"

void count_text__put_grouped(struct strbuf *out, uint64_t number)
{
	if (number >= 1000) {
		count_text__put_grouped(out, number / 1000);
		strbuf__char(out, ',');
		strbuf__padded(out, number % 1000, 3);
	} else {
		strbuf__unsigned(out, number);
	}
}

void count_text__put_samples(struct strbuf *out, uint64_t count)
{
	count_text__put_grouped(out, count);
	strbuf__text(out, count == 1 ? " sample" : " samples");
}

void count_text__put_weight(struct strbuf *out, const struct peat_field *unit, uint64_t weight)
{
	const struct peat_field field = { .kind = unit->kind, .bytes = sizeof(weight), .span = 1 };

	if (field_type__of(unit)->unit)
		field_text__append(out, &field, &weight, sizeof(weight), SYMBOLS_NONE);
	else
		count_text__put_grouped(out, weight);
}
