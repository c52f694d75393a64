// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* symbols/namer/namer_accounts.c: the time that files of each owner may take. */
#include "symbols/namer/namer_accounts.h"

#define SECOND_NS UINT64_C(1000000000)
#define PERIOD_NS (10 * SECOND_NS)
#define MOST_NS	  (2 * SECOND_NS)
#define CLOSED_NS (60 * SECOND_NS)

/* Ids of users are given one after the other, those of containers in blocks of 65,536. */
static uint32_t place_of(uint32_t owner)
{
	return (owner ^ owner >> 16) % NAMER_ACCOUNTS;
}

bool namer_accounts__is_open(const struct namer_accounts *accounts, uint32_t owner, uint64_t now_ns)
{
	return now_ns >= accounts->list[place_of(owner)].closed_until_ns;
}

bool namer_accounts__charge(struct namer_accounts *accounts, uint32_t owner, uint64_t used_ns,
			    uint64_t now_ns)
{
	struct namer_account *account = &accounts->list[place_of(owner)];

	if (now_ns - account->begin_ns > PERIOD_NS)
		*account = (struct namer_account){ .begin_ns = now_ns };
	account->used_ns += used_ns;
	if (account->used_ns <= MOST_NS)
		return true;
	account->closed_until_ns = now_ns + CLOSED_NS;
	return false;
}
