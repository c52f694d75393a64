/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* sys/interfaces.h: network interfaces of this process's network namespace, by index. */
#ifndef PEAT_SYS_INTERFACES_H
#define PEAT_SYS_INTERFACES_H

#include <stdbool.h>
#include <stdint.h>
#include <net/if.h>

#include "base/strbuf.h"

struct interface {
	char name[IF_NAMESIZE];
	uint16_t hardware; /* ARPHRD_* */
};

/* 0 or a negative errno; -ENODEV: no such interface. */
int interfaces__read(uint32_t ifindex, struct interface *interface);

/*
 * Appends a line per interface, "1 772 lo\n": index, hardware, name; as many as fit into `most`
 * bytes.  Interfaces that end meanwhile are left out.  0 or a negative errno.
 */
int interfaces__list(struct strbuf *out, size_t most);

/* Finds an interface in such lines, which may be damaged.  False: it is not there. */
bool interfaces__find(const char *lines, size_t bytes, uint32_t ifindex,
		      struct interface *interface);

#endif /* PEAT_SYS_INTERFACES_H */
