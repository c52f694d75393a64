// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* staged_silent: the same without the constant peat_bells, like objects compiled before it existed.
 */
#define peat_bells peat_no_bells
#include "staged.bpf.c"
