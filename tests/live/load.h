/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* load.h: burst.bpf.c, loaded for this process, and what it counted. */
#ifndef LOAD_H
#define LOAD_H

#include <errno.h>
#include <sched.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <check.h>

#include "burst.bpf.h"
#include "burst.skel.h"

static inline int quiet(enum libbpf_print_level level, const char *format, va_list args)
{
	return level == LIBBPF_WARN ? vfprintf(stderr, format, args) : 0;
}

static inline struct burst *load__open(void)
{
	struct burst *load;

	libbpf_set_print(quiet);
	load = burst__open();
	ck_assert_ptr_nonnull(load);
	load->rodata->only_pid = (uint32_t)getpid();
	load->rodata->getpgid_number = SYS_getpgid;
	ck_assert_int_eq(burst__load(load), 0);
	return load;
}

static inline int load__map_fd(const struct burst *load)
{
	return bpf_map__fd(load->maps.events);
}

static inline void load__pin(uint32_t cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	ck_assert_int_eq(sched_setaffinity(0, sizeof(set), &set), 0);
}

/* On this CPU: `calls` times per_call events. */
static inline void load__emit(uint32_t calls)
{
	while (calls--)
		syscall(SYS_getpgid, 0);
}

#endif /* LOAD_H */
