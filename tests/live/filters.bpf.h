/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* filters.bpf.h: the events of filters.bpf.c. */
#ifndef FILTERS_H
#define FILTERS_H

/* Of the task that runs. */
struct called {
	unsigned long long check;
};

/* Of another one. */
struct told {
	unsigned long long check;
};

#define FILTERS_CHECK 0x5ca1ab1e0ddba11ULL

#endif /* FILTERS_H */
