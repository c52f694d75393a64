// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* convert/topology_check.c: the ids of sockets in CPU_TOPOLOGY, as perf 6.1 tests them. */
#include <string.h>

#include "base/cursor.h"
#include "base/text.h"
#include "perf_data/features.h"
#include "convert/topology_check.h"

#define UNKNOWN_SOCKET UINT32_MAX

static struct cursor cursor_of(const struct perf_feature *feature, bool swapped)
{
	static const struct peat_layout in_order, reversed = { .swapped = true };
	struct cursor cur;

	cursor__init(&cur, feature->bytes, (const uint8_t *)feature->bytes + feature->bytes_count,
		     swapped ? &reversed : &in_order);
	return cur;
}

/* perf compares this many characters. */
static bool is_arch_with_any_ids(const char *arch)
{
	return begins_with(arch, "s390") || begins_with(arch, "aarch64");
}

void topology_check__note(struct topology_check *check, const struct perf_feature *feature,
			  bool swapped)
{
	struct cursor cur = cursor_of(feature, swapped);
	uint32_t number = cursor__u32(&cur);
	const char *arch;

	if (feature->bit == FEATURE_NRCPUS)
		check->cpus = number;
	if (feature->bit != FEATURE_ARCH)
		return;
	arch = cursor__bytes(&cur, number);
	check->has_any_ids = arch && memchr(arch, '\0', number) && is_arch_with_any_ids(arch);
}

/* The lists of siblings: a number, and as many texts with their size. */
static void skip_texts(struct cursor *cur)
{
	uint32_t count = cursor__u32(cur);

	for (uint32_t i = 0; i < count && !cur->bad; i++)
		cursor__bytes(cur, cursor__u32(cur));
}

bool topology_check__is_refused(const struct topology_check *check,
				const struct perf_feature *feature, bool swapped)
{
	struct cursor cur = cursor_of(feature, swapped);

	if (check->has_any_ids)
		return false;
	skip_texts(&cur);
	skip_texts(&cur);
	for (uint32_t i = 0; i < check->cpus && cursor__left(&cur); i++) {
		uint32_t socket;

		cursor__u32(&cur); /* the core */
		socket = cursor__u32(&cur);
		if (!cur.bad && socket != UNKNOWN_SOCKET && socket > check->cpus)
			return true;
	}
	return false;
}
