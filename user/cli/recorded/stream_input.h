/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* stream_input.h: a stream of NATS as standard input, by peat-recv, for verbs that read recordings.
 */
#ifndef PEAT_CLI_STREAM_INPUT_H
#define PEAT_CLI_STREAM_INPUT_H

#include <stdbool.h>

/* Whether it is nats:// or tls://. */
bool stream_input__is(const char *name);

/*
 * Starts peat-recv, which writes all events of the stream "SERVERS[/STREAM]" to our standard input.
 * 0, or an exit status: the reason is printed.
 */
int stream_input__begin(const char *name);

/* Waits for peat-recv, if it was started.  The exit status of the verb: its own, or EXIT_FAILED. */
int stream_input__end(int status);

#endif /* PEAT_CLI_STREAM_INPUT_H */
