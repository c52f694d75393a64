// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* batch/spare_buffers.c: keeps memory of batches that have ended, for the next ones. */
#include <pthread.h>

#include "batch/spare_buffers.h"

#define KEPT_MOST  16
#define BYTES_MIN  (128u << 10) /* smaller blocks are not mapped */
#define BYTES_MOST (512u << 10)

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* guards the rest */
static struct strbuf kept[KEPT_MOST];
static size_t kept_count;

bool spare_buffers__take(struct strbuf *buffer, size_t bytes)
{
	bool is_found = false;

	if (bytes < BYTES_MIN)
		return false;
	pthread_mutex_lock(&lock);
	if (kept_count && kept[kept_count - 1].room > bytes) {
		*buffer = kept[--kept_count];
		is_found = true;
	}
	pthread_mutex_unlock(&lock);
	return is_found;
}

void spare_buffers__give(struct strbuf *buffer)
{
	if (buffer->room > BYTES_MIN && buffer->room <= BYTES_MOST && !buffer->failed) {
		pthread_mutex_lock(&lock);
		if (kept_count < KEPT_MOST) {
			kept[kept_count++] =
				(struct strbuf){ .bytes = buffer->bytes, .room = buffer->room };
			*buffer = (struct strbuf){ 0 };
		}
		pthread_mutex_unlock(&lock);
	}
	strbuf__free(buffer);
}
