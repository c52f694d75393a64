/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* pprof_file.h: profiles for pprof (profile.proto), read from files. */
#ifndef TESTS_SUPPORT_RECORDING_PPROF_FILE_H
#define TESTS_SUPPORT_RECORDING_PPROF_FILE_H

#include <profile.pb-c.h>

/* The profile in a file of at most 16 MiB; profile__profile__free_unpacked() frees it. */
Profile__Profile *pprof_file__read(const char *path);

/* The sum of a value of all samples. */
int64_t pprof_file__sum(const Profile__Profile *profile, size_t value);

#endif /* TESTS_SUPPORT_RECORDING_PPROF_FILE_H */
