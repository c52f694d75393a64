// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * fuzz_deferred.c: samples that wait for the user part of their callchain.
 *
 * Input: two bytes of limits, then records of two bytes, role and cookie, each followed by as many
 * calls of deferred__next() as the role's upper bits request.  All records are returned once and in
 * their order, samples with a part of the same cookie or with none.  The same bytes are also merged
 * as two callchains.
 */
#include <stdlib.h>
#include <string.h>

#include "event/deferred.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define RECORDS_MAX 512
#define WORDS_MAX   512

/* The data of a record. */
struct made {
	uint64_t number, cookie;
	enum deferred_role role;
};

static struct deferred deferred;
static uint64_t put, returned, missing;

static void require(bool holds)
{
	if (!holds)
		abort();
}

static struct made read_made(const struct peat_event *record)
{
	struct made made;

	require(record->size == sizeof(made));
	memcpy(&made, record->data, sizeof(made));
	return made;
}

static bool return_one(void)
{
	const struct peat_event *part;
	struct peat_event record;
	struct made made, of_part;

	if (!deferred__next(&deferred, &record, &part))
		return false;
	made = read_made(&record);
	require(made.number == returned++);
	missing += made.role == DEFERRED_SAMPLE && !part;
	require(deferred.missing == missing);
	if (!part)
		return true;
	of_part = read_made(part);
	require(made.role == DEFERRED_SAMPLE && of_part.role == DEFERRED_PART);
	require(of_part.cookie == made.cookie && of_part.number >= returned);
	return true;
}

static void put_one(uint8_t role, uint8_t cookie)
{
	struct made made;
	struct peat_event record = { .time_ns = put * 10, .size = sizeof(made), .data = &made };

	memset(&made, 0, sizeof(made));
	made.number = put++;
	made.role = (enum deferred_role)(role % 3);
	made.cookie = cookie % 16;
	require(!deferred__put(&deferred, &record, made.role, made.cookie));
	if (role & 128)
		deferred__release(&deferred);
}

static void merge(const uint8_t *data, size_t size)
{
	static uint64_t merged[WORDS_MAX];
	uint64_t words = size / sizeof(uint64_t), first = words / 2, cookie = 1;
	struct peat_words chain = { data, first, size & 1 };
	struct peat_words user = { data + first * sizeof(uint64_t), words - first, size & 2 };
	bool has_cookie = deferred__find_cookie(&chain, &cookie);

	if (words > WORDS_MAX)
		return;
	if (has_cookie)
		require(deferred__merge(&chain, &user, merged) == words - 1);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	size_t at = 2;

	if (size < 2)
		return 0;
	merge(data, size);
	put = returned = missing = 0;
	deferred__init(&deferred, data[0] ? data[0] * 64u : UINT64_MAX,
		       data[1] ? data[1] : UINT64_MAX);
	for (; at + 2 <= size && put < RECORDS_MAX; at += 2) {
		put_one(data[at], data[at + 1]);
		for (int i = 0; i < (data[at] >> 2 & 7) && return_one(); i++)
			;
	}
	deferred__release(&deferred);
	if (data[1] % 2)
		while (return_one())
			;
	require(!(data[1] % 2) || (returned == put && deferred__is_empty(&deferred)));
	require(deferred__is_empty(&deferred) || deferred.held_bytes);
	deferred__free(&deferred);
	return 0;
}
