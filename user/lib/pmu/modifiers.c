// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* pmu/modifiers.c: the letters after an event or a group. */
#include <errno.h>
#include <string.h>

#include "pmu/modifiers.h"

static const char supported[] = "ukhGHIpPSDeW";

bool pmu_modifiers__may_be(const char *letters, size_t bytes)
{
	for (size_t i = 0; i < bytes; i++)
		if (!memchr(supported, letters[i], sizeof(supported) - 1))
			return false;
	return bytes;
}

const char *pmu_modifiers__check(const char *letters, size_t bytes, uint32_t *at)
{
	uint32_t precise = 0;

	for (*at = 0; *at < bytes; ++*at) {
		char letter = letters[*at];

		precise += letter == 'p';
		if (letter == 'b')
			return "the modifier b, counting by BPF, is not supported: remove it";
		if (!letter || !strchr(supported, letter))
			return "no such modifier: use u, k, h, G, H, I, p, P, S, D, e or W";
		if (letter != 'p' && memchr(letters, letter, *at))
			return "this modifier is given twice: remove it";
		if (precise > 3)
			return "no event is more precise than :ppp";
	}
	return bytes ? NULL : "a modifier is missing: use a letter such as u, or remove the colon";
}

/* The first of u, k and h excludes everything else; the next ones include their part again. */
static void include_level(struct perf_event_attr *attr, char letter)
{
	if (!attr->exclude_user && !attr->exclude_kernel && !attr->exclude_hv)
		attr->exclude_user = attr->exclude_kernel = attr->exclude_hv = 1;
	attr->exclude_user &= letter != 'u';
	attr->exclude_kernel &= letter != 'k';
	attr->exclude_hv &= letter != 'h';
}

/* G and H likewise. */
static void include_side(struct perf_event_attr *attr, char letter)
{
	if (!attr->exclude_guest && !attr->exclude_host)
		attr->exclude_guest = attr->exclude_host = 1;
	attr->exclude_guest &= letter != 'G';
	attr->exclude_host &= letter != 'H';
}

static void apply_letter(struct pmu_event *event, char letter)
{
	struct perf_event_attr *attr = &event->attr;

	switch (letter) {
	case 'u':
	case 'k':
	case 'h':
		include_level(attr, letter);
		break;
	case 'G':
	case 'H':
		include_side(attr, letter);
		break;
	case 'I':
		attr->exclude_idle = 1;
		break;
	case 'p':
		attr->precise_ip = (attr->precise_ip + 1) & 3;
		break;
	case 'D':
		attr->pinned = 1;
		break;
	case 'e':
		attr->exclusive = 1;
		break;
	case 'P':
		event->is_precise_max = true;
		break;
	case 'S':
		event->is_read_by_leader = true;
		break;
	case 'W':
		event->is_weak = true;
		break;
	}
}

void pmu_modifiers__set(struct pmu_event *event, const char *letters, size_t bytes)
{
	for (size_t i = 0; i < bytes; i++)
		apply_letter(event, letters[i]);
}

int pmu_modifiers__add(struct pmu_event *event, const char *letters, size_t bytes)
{
	uint32_t precise = event->attr.precise_ip;

	for (size_t i = 0; i < bytes; i++) {
		precise += letters[i] == 'p';
		if (strchr("De", letters[i]) && !event->is_leader)
			continue;
		apply_letter(event, letters[i]);
	}
	return precise > 3 ? -EINVAL : 0;
}
