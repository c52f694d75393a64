/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * base/array.h: arrays that grow to twice their room.
 *
 *	if (!ARRAY_RESERVE(list->at, list->count, list->room))
 *		return -ENOMEM;
 *	list->at[list->count++] = element;
 *
 * The counts are unsigned, of any size.  Arguments are evaluated more than once.  New elements are
 * not zeroed.
 */
#ifndef PEAT_BASE_ARRAY_H
#define PEAT_BASE_ARRAY_H

#include <stdbool.h>
#include <stddef.h>

#define ARRAY_LEAST 8

/* True: there is room for one more element, or for `more`.  False: no memory; nothing changed. */
#define ARRAY_RESERVE(at, count, room) ARRAY_RESERVE_MORE(at, count, room, 1)
#define ARRAY_RESERVE_MORE(at, count, room, more)                                                  \
	((size_t)(more) <= (size_t)((room) - (count)) || ({                                        \
		 size_t array_room_ = (room);                                                      \
		 __typeof__(at) array_at_ = array__grow((at), (count), (more), &array_room_,       \
							(__typeof__(room))-1, sizeof(*(at)));      \
		 if (array_at_) {                                                                  \
			 (at) = array_at_;                                                         \
			 (room) = (__typeof__(room))array_room_;                                   \
		 }                                                                                 \
		 array_at_ != NULL;                                                                \
	 }))

/* For an array without a room, which follows from the count: it grows by this alone. */
#define ARRAY_RESERVE_NEXT(at, count)                                                              \
	(!array__is_full(count) || ({                                                              \
		size_t array_room_ = (count);                                                      \
		__typeof__(at) array_at_ = array__grow((at), (count), 1, &array_room_,             \
						       (__typeof__(count))-1, sizeof(*(at)));      \
		if (array_at_)                                                                     \
			(at) = array_at_;                                                          \
		array_at_ != NULL;                                                                 \
	}))

static inline bool array__is_full(size_t count)
{
	return !count || (count >= ARRAY_LEAST && !(count & (count - 1)));
}

/*
 * Moves the array of `room` elements to memory for at least `count` + `more`, and sets `room`, at
 * most `most`.  NULL: no memory, or too many elements; the array stays where it is.
 */
void *array__grow(void *at, size_t count, size_t more, size_t *room, size_t most, size_t bytes);

#endif /* PEAT_BASE_ARRAY_H */
