/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#ifndef STOP_H
#define STOP_H

#include <stdbool.h>

struct peat_reader;

/* From now on SIGINT and SIGTERM ask for an end, and a closed pipe is an error of write(). */
void stop__catch(void);

/* Likewise the end of a child. */
void stop__at_child(void);

bool stop__is_asked(void);

/* The reader whose wait they end; NULL: none, before it is freed. */
void stop__breaks(struct peat_reader *reader);

#endif /* STOP_H */
