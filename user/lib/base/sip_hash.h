/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * base/sip_hash.h: SipHash-1-3, for tables whose keys strangers choose.
 *
 * Processes choose the pids, inodes, paths and ids of events and recordings.  A random seed keeps
 * them from choosing keys that collide.
 */
#ifndef PEAT_BASE_SIP_HASH_H
#define PEAT_BASE_SIP_HASH_H

#include <stddef.h>
#include <stdint.h>

/* Makes a random seed. */
void sip_hash__seed(uint64_t seed[2]);

uint64_t sip_hash(const uint64_t seed[2], const void *key, size_t bytes);

/* With a seed that this process has made once: for tables that have no seed of their own. */
uint64_t sip_hash__key(const void *key, size_t bytes);

#endif /* PEAT_BASE_SIP_HASH_H */
