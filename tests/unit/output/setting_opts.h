/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* setting_opts.h: settings of an output as a configuration has them, and what is said of wrong
 * ones. */
#ifndef TESTS_UNIT_OUTPUT_SETTING_OPTS_H
#define TESTS_UNIT_OUTPUT_SETTING_OPTS_H

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include <peat/log.h>
#include <peat/output.h>

#include "unit/suite.h"

/* The last message. */
static char message[512];

static inline void keep_message(enum peat_log_level level, const char *text)
{
	(void)level;
	snprintf(message, sizeof(message), "%s", text);
}

/* The output `out`, `kind: target`, with one more setting; name NULL: none.  Keeps messages. */
static inline const struct peat_output_opts *setting_opts(const char *kind, const char *target,
							  const char *name, const char *value)
{
	static struct peat_setting settings[2];
	static struct peat_output_opts opts;

	settings[0] = (struct peat_setting){ kind, target, 3, 9 };
	settings[1] = (struct peat_setting){ name, value, 4, 11 };
	opts = (struct peat_output_opts){ .sz = sizeof(opts),
					  .name = "out",
					  .file = "peat.yaml",
					  .settings = settings,
					  .setting_count = name ? 2 : 1 };
	peat_set_print(keep_message);
	return &opts;
}

/* The result of the last reading: the second setting is refused, for this reason. */
static inline void check_setting_refused(int err, const char *reason)
{
	ck_assert_int_eq(err, -EINVAL);
	ck_assert_msg(strstr(message, reason), "%s", message);
	ck_assert_msg(strstr(message, "peat.yaml:4:11: output out: "), "%s", message);
}

#endif /* TESTS_UNIT_OUTPUT_SETTING_OPTS_H */
