// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* base/fork_mark.c: tells a child of fork() from its parent. */
#include <sys/mman.h>

#include "base/errors.h"
#include "base/fork_mark.h"
#include "base/log.h"

struct fork_mark *fork_mark__new(void)
{
	struct fork_mark *mark = mmap(NULL, sizeof(*mark), PROT_READ | PROT_WRITE,
				      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	int err;

	if (mark == MAP_FAILED)
		return fail_null(-errno);
	if (madvise(mark, sizeof(*mark), MADV_WIPEONFORK)) {
		err = -errno;
		fork_mark__free(mark);
		return fail_null(err);
	}
	mark->is_mine = true;
	return mark;
}

void fork_mark__free(struct fork_mark *mark)
{
	if (mark)
		munmap(mark, sizeof(*mark));
}

__attribute__((noinline)) int fork_mark__refuse(const char *what)
{
	log__error("%s was made before fork(): this child process can only free it", what);
	return -ECHILD;
}
