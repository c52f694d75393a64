/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* filters.bpf.h: the events of filters.bpf.c. */
#ifndef TESTS_LIVE_BPF_FILTERS_BPF_H
#define TESTS_LIVE_BPF_FILTERS_BPF_H

/* An event of the current task. */
struct called {
	unsigned long long check;
};

/* An event of another task. */
struct told {
	unsigned long long check;
};

#define FILTERS_CHECK 0x5ca1ab1e0ddba11ULL

#endif /* TESTS_LIVE_BPF_FILTERS_BPF_H */
