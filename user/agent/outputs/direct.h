/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* outputs/direct.h: outputs that pipelines write themselves, without a queue: recordings. */
#ifndef PEAT_OUTPUTS_DIRECT_H
#define PEAT_OUTPUTS_DIRECT_H

#include <peat/output.h>

/* Whether pipelines write an output with these settings themselves: file/recorded_file.h. */
bool direct__is(const struct peat_output_ops *ops, const struct peat_output_opts *opts);

#endif /* PEAT_OUTPUTS_DIRECT_H */
