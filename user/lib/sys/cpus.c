// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* sys/cpus.c: sets of CPU numbers, parsed from lists. */
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/log.h"
#include "sys/cpus.h"

bool cpus__has(const struct cpus *set, uint32_t cpu)
{
	return cpu < set->limit && (set->words[cpu / 64] >> (cpu % 64) & 1);
}

uint32_t cpus__count(const struct cpus *set)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < (set->limit + 63) / 64; i++)
		count += (uint32_t)__builtin_popcountll(set->words[i]);
	return count;
}

void cpus__free(struct cpus *set)
{
	free(set->words);
	*set = (struct cpus){ 0 };
}

int cpus__add(struct cpus *set, uint32_t cpu)
{
	uint32_t have = (set->limit + 63) / 64, need = cpu / 64 + 1;

	if (need > have) {
		uint64_t *words = realloc(set->words, need * sizeof(*words));

		if (!words)
			return -ENOMEM;
		memset(words + have, 0, (need - have) * sizeof(*words));
		set->words = words;
	}
	set->words[cpu / 64] |= 1ULL << (cpu % 64);
	if (cpu >= set->limit)
		set->limit = cpu + 1;
	return 0;
}

static const char *skip_blanks(const char *text)
{
	while (isspace((unsigned char)*text))
		text++;
	return text;
}

/* A decimal number without sign; moves `text` past it. */
static int parse_number(const char **text, uint32_t *value)
{
	const char *p = *text;

	if (!isdigit((unsigned char)*p))
		return -EINVAL;
	for (*value = 0; isdigit((unsigned char)*p); p++) {
		*value = *value * 10 + (uint32_t)(*p - '0');
		if (*value >= CPUS_MAX)
			return -ERANGE;
	}
	*text = p;
	return 0;
}

/* One list entry: N, N-M or N-M:USED/GROUP. */
struct range {
	uint32_t first, last, used, group;
};

static int parse_range(const char **text, struct range *r)
{
	int err = parse_number(text, &r->first);

	r->last = r->first;
	r->used = r->group = 1;
	if (err || **text != '-')
		return err;
	++*text;
	err = parse_number(text, &r->last);
	if (err || **text != ':')
		return err;
	++*text;
	err = parse_number(text, &r->used);
	if (err || **text != '/')
		return err ? err : -EINVAL;
	++*text;
	return parse_number(text, &r->group);
}

static int add_range(struct cpus *set, const struct range *r)
{
	if (r->last < r->first || !r->used || r->used > r->group)
		return -EINVAL;
	for (uint32_t cpu = r->first; cpu <= r->last; cpu++) {
		int err = (cpu - r->first) % r->group < r->used ? cpus__add(set, cpu) : 0;

		if (err)
			return err;
	}
	return 0;
}

static int parse_list(struct cpus *set, const char *p)
{
	p = skip_blanks(p);
	while (*p) {
		struct range r;
		int err = parse_range(&p, &r);

		if (!err)
			err = add_range(set, &r);
		if (err)
			return err;
		p = skip_blanks(p);
		if (*p == ',') {
			p = skip_blanks(p + 1);
			if (!*p)
				return -EINVAL;
		} else if (*p) {
			return -EINVAL;
		}
	}
	return 0;
}

int cpus__parse(struct cpus *set, const char *list)
{
	int err;

	*set = (struct cpus){ 0 };
	err = parse_list(set, list);
	if (err)
		cpus__free(set);
	return err;
}

int cpus__read(struct cpus *set, const char *which)
{
	char path[64], list[16384];
	ssize_t bytes;
	int fd;

	snprintf(path, sizeof(path), "/sys/devices/system/cpu/%s", which);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	bytes = read(fd, list, sizeof(list) - 1);
	if (bytes < 0 || bytes == sizeof(list) - 1) {
		int err = bytes < 0 ? -errno : -E2BIG;

		close(fd);
		return err;
	}
	close(fd);
	list[bytes] = '\0';
	return cpus__parse(set, list);
}

/* ---- CPUs of the user ------------------------------------------------------------------------ */

int cpus__read_logged(struct cpus *set, const char *which)
{
	int err = cpus__read(set, which);

	if (err)
		log__error("cannot read /sys/devices/system/cpu/%s: %s", which, strerror(-err));
	return err;
}

static int check_exist(const struct cpus *set)
{
	struct cpus possible;
	int err = cpus__read_logged(&possible, "possible");

	if (err)
		return err;
	for_each_cpu (cpu, set) {
		if (cpus__has(&possible, cpu))
			continue;
		log__error("this machine has no CPU %u: its CPUs are 0 to %u", cpu,
			   possible.limit - 1);
		err = -ENODEV;
		break;
	}
	cpus__free(&possible);
	return err;
}

static int check_any_online(const struct cpus *set)
{
	struct cpus online;
	int err = cpus__read_logged(&online, "online");
	bool any = false;

	if (err)
		return err;
	for_each_cpu (cpu, set)
		any |= cpus__has(&online, cpu);
	cpus__free(&online);
	if (any)
		return 0;
	log__error("none of the CPUs chosen is online");
	return -ENODEV;
}

int cpus__choose(struct cpus *set, const char *list)
{
	int err = cpus__parse(set, list);

	if (err) {
		log__error("'%s' is not a list of CPUs such as 0-3,8: %s", list, strerror(-err));
		return err;
	}
	err = check_exist(set);
	if (!err)
		err = check_any_online(set);
	if (err)
		cpus__free(set);
	return err;
}
