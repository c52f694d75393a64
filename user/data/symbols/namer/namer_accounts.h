/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * symbols/namer/namer_accounts.h: the time that files of each owner may take: 2 seconds of 10, else
 * none of their files are read for a minute.  Pure.
 */
#ifndef PEAT_SYMBOLS_NAMER_NAMER_ACCOUNTS_H
#define PEAT_SYMBOLS_NAMER_NAMER_ACCOUNTS_H

#include <stdbool.h>
#include <stdint.h>

/* Owners beyond that share the accounts of others. */
#define NAMER_ACCOUNTS 64

struct namer_account {
	uint64_t begin_ns, used_ns; /* of the last 10 seconds */
	uint64_t closed_until_ns;
};

struct namer_accounts {
	struct namer_account list[NAMER_ACCOUNTS];
};

/* Whether files of the owner may be read. */
bool namer_accounts__is_open(const struct namer_accounts *accounts, uint32_t owner,
			     uint64_t now_ns);

/* Charges the time that a file has taken.  False: the account is closed now. */
bool namer_accounts__charge(struct namer_accounts *accounts, uint32_t owner, uint64_t used_ns,
			    uint64_t now_ns);

#endif /* PEAT_SYMBOLS_NAMER_NAMER_ACCOUNTS_H */
