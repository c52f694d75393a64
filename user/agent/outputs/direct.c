// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* outputs/direct.c: finds outputs that pipelines write themselves. */
#include "file/file.h"
#include "file/recorded_file.h"
#include "outputs/direct.h"

bool direct__is(const struct peat_output_ops *ops, const struct peat_output_opts *opts)
{
	return ops == &file_output && recorded_file__is_wanted(opts);
}
