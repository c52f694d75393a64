/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* read_maps.h: runs of peat that read maps of other programs. */
#ifndef TESTS_LIVE_SESSION_READ_MAPS_H
#define TESTS_LIVE_SESSION_READ_MAPS_H

#include <peat/peat.h>

#include "support/machine/harness.h"
#include "support/machine/mounts.h"
#include "support/machine/object.h"
#include "support/machine/tracing.h"

#define PEAT command__peat()
#define PIN  "/sys/fs/bpf/kept"

static char messages[4096];

static inline void keep_message(enum peat_log_level level, const char *text)
{
	size_t used = strlen(messages);

	if (level <= PEAT_LOG_WARN)
		snprintf(messages + used, sizeof(messages) - used, "%s\n", text);
}

static inline void setup(void)
{
	mounts__own_bpffs();
	peat_set_print(keep_message);
}

static inline const char *file_of(const struct object_file *file_object)
{
	static char path[64];
	FILE *file;

	snprintf(path, sizeof(path), "/tmp/peat-%s-%d.bpf.o", file_object->name, (int)getpid());
	file = fopen(path, "we");
	ck_assert_ptr_nonnull(file);
	ck_assert_uint_eq(fwrite(file_object->bytes, *file_object->count, 1, file), 1);
	ck_assert_int_eq(fclose(file), 0);
	return path;
}

static inline void check_exit(struct command *peat, int status, const char *word)
{
	ck_assert_msg(peat->status == status && strstr(peat->err_text, word),
		      "status %d, and '%s' not in: %s", peat->status, word, peat->err_text);
	ck_assert_str_eq(peat->out_text, "");
	command__free(peat);
}

#endif /* TESTS_LIVE_SESSION_READ_MAPS_H */
