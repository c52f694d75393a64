/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * channel/slot_lock.h: the reader's side of the slot lock; peat_lock() in impl.bpf.h is the
 * program's.
 *
 *     BPF program                          reader
 *
 *     CAS lock 0 -> index + 1   (A)        CAS lock 0 -> READER | pid   (C)
 *     STORE events, len, count             LOAD events, len, count
 *     XCHG or STORE lock 0      (B)        STORE len 0, count 0
 *                                          STORE-RELEASE lock 0         (D)
 *
 * (B) is an exchange, or a plain store if the machine keeps stores in order; it matches the acquire
 * in (C).  (D) matches (A), which is fully ordered, as BPF atomics that return a value are.
 *
 * PEAT_LOCK_ARMED is a second value for a free slot, which (D) stores in empty slots before the
 * reader sleeps, and from which (A) wakes it.  "Free", "empty" and "the reader sleeps" are one
 * word, so no other order is needed between the reader that falls asleep and a program.
 */
#ifndef PEAT_CHANNEL_SLOT_LOCK_H
#define PEAT_CHANNEL_SLOT_LOCK_H

#include <stdbool.h>
#include <stdint.h>

#include <peat/wire.h>

/* Sets the lock word to `to` if it is `from` (0: free). */
static inline bool slot_lock__swap(struct peat_slot *slot, uint32_t from, uint32_t to)
{
	return __atomic_compare_exchange_n(&slot->lock, &from, to, false, __ATOMIC_ACQUIRE,
					   __ATOMIC_RELAXED); /* C, matches B */
}

static inline void slot_lock__release(struct peat_slot *slot)
{
	__atomic_store_n(&slot->lock, 0, __ATOMIC_RELEASE); /* D, matches A */
}

/* Releases an empty slot such that the program that locks it next wakes the reader. */
static inline void slot_lock__arm(struct peat_slot *slot)
{
	__atomic_store_n(&slot->lock, PEAT_LOCK_ARMED, __ATOMIC_RELEASE); /* D, matches A */
}

/* The lock word: a hint, as it may change at once. */
static inline uint32_t slot_lock__read(const struct peat_slot *slot)
{
	return __atomic_load_n(&slot->lock, __ATOMIC_RELAXED);
}

#endif /* PEAT_CHANNEL_SLOT_LOCK_H */
