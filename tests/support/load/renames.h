/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* renames.h: renames.bpf.c, a program that does not use peat: its events and counters. */
#ifndef TESTS_SUPPORT_LOAD_RENAMES_H
#define TESTS_SUPPORT_LOAD_RENAMES_H

#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include <sys/prctl.h>
#include <bpf/bpf.h>
#include <check.h>

#include <peat/map.h>

/* Events by the result of bpf_perf_event_output(). */
struct renames_counts {
	uint64_t written;
	uint64_t no_space; /* -ENOSPC */
	uint64_t no_slot;  /* -ENOENT */
	uint64_t others;
};

/* Emits `count` events, numbered from `first`: "peat#17". */
static inline void renames__emit(unsigned first, unsigned count)
{
	char name[16];

	for (unsigned i = first; i < first + count; i++) {
		snprintf(name, sizeof(name), "peat#%u", i);
		prctl(PR_SET_NAME, name);
	}
	prctl(PR_SET_NAME, "renames");
}

/* The number of an event; UINT32_MAX: an event of another task. */
static inline unsigned renames__number(const void *data, uint32_t size)
{
	unsigned number;
	char name[17] = "";

	if (size < 16)
		return UINT32_MAX;
	memcpy(name, data, 16);
	return sscanf(name, "peat#%u", &number) == 1 ? number : UINT32_MAX;
}

/* Reads the counters.  False: not the map of the program's variables. */
static inline bool renames__read(int map_fd, struct renames_counts *counts)
{
	struct bpf_map_info info = { 0 };
	uint32_t bytes = sizeof(info), key = 0;

	return !bpf_obj_get_info_by_fd(map_fd, &info, &bytes) && strstr(info.name, ".bss") &&
	       info.value_size == sizeof(*counts) && !bpf_map_lookup_elem(map_fd, &key, counts);
}

/* The counters of a program that another process has loaded. */
static inline struct renames_counts renames__counts(uint32_t program)
{
	struct renames_counts counts = { 0 };
	uint32_t ids[8] = { 0 };
	struct bpf_prog_info info = { .nr_map_ids = 8, .map_ids = (uintptr_t)ids };
	uint32_t bytes = sizeof(info);
	int fd = bpf_prog_get_fd_by_id(program);
	bool found = false;

	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(bpf_obj_get_info_by_fd(fd, &info, &bytes), 0);
	close(fd);
	for (uint32_t i = 0; i < info.nr_map_ids && !found; i++) {
		fd = bpf_map_get_fd_by_id(ids[i]);
		found = renames__read(fd, &counts);
		close(fd);
	}
	ck_assert_msg(found, "program %u has no counts", program);
	return counts;
}

#endif /* TESTS_SUPPORT_LOAD_RENAMES_H */
