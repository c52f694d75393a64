/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* operations.h: operations that the probes watch, in a loop on one CPU. */
#ifndef BENCH_GALLERY_OPERATIONS_H
#define BENCH_GALLERY_OPERATIONS_H

#include "gallery.h"

/* operations_tasks.c */
extern const struct gallery_operation gallery_exec;    /* starts a program and waits for its end */
extern const struct gallery_operation gallery_signal;  /* sends itself an ignored signal */
extern const struct gallery_operation gallery_switch;  /* passes a byte to a thread and back */
extern const struct gallery_operation gallery_lock;    /* passes a lock to a thread that waits */
extern const struct gallery_operation gallery_syscall; /* the cheapest system call */

/* operations_files.c */
extern const struct gallery_operation gallery_open;   /* opens and closes a file */
extern const struct gallery_operation gallery_read;   /* reads a byte of a file */
extern const struct gallery_operation gallery_rename; /* renames a file */
extern const struct gallery_operation gallery_disk;   /* reads 4 KiB of a disk, not of the cache */

/* operations_memory.c */
extern const struct gallery_operation gallery_fault;  /* touches a new page */
extern const struct gallery_operation gallery_malloc; /* allocates and frees 64 bytes */

/* operations_network.c */
extern const struct gallery_operation gallery_connect;	/* a TCP connection on loopback */
extern const struct gallery_operation gallery_datagram; /* a datagram on loopback */
extern const struct gallery_operation gallery_dropped;	/* a datagram to a port without socket */
extern const struct gallery_operation gallery_reset;	/* a TCP connection that is refused */
extern const struct gallery_operation gallery_listen;	/* binds and listens */
extern const struct gallery_operation gallery_resolve;	/* resolves "127.0.0.1" */

/* operations_security.c */
extern const struct gallery_operation gallery_chroot; /* checks CAP_SYS_CHROOT */
extern const struct gallery_operation gallery_setns;  /* a setns(2) that fails */

#endif /* BENCH_GALLERY_OPERATIONS_H */
