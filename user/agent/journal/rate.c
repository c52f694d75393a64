// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* journal/rate.c: limits messages a second. */
#include "journal/rate.h"

bool rate__take(struct rate *rate, uint64_t now_ns)
{
	if (!rate->start_ns || now_ns - rate->start_ns >= RATE_NS) {
		rate->start_ns = now_ns;
		rate->sent = 0;
	}
	if (rate->sent >= rate->most) {
		rate->left_out++;
		return false;
	}
	rate->sent++;
	return true;
}

void rate__give_back(struct rate *rate)
{
	rate->sent--;
}

uint64_t rate__report_at(const struct rate *rate)
{
	return rate->left_out ? rate->start_ns + RATE_NS : UINT64_MAX;
}
