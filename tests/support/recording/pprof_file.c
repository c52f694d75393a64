// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* pprof_file.c: profiles for pprof, read from files. */
#include <stdlib.h>
#include <zlib.h>

#include "support/machine/harness.h"
#include "support/recording/pprof_file.h"

#define PROFILE_MOST (16 << 20)

Profile__Profile *pprof_file__read(const char *path)
{
	uint8_t *bytes = malloc(PROFILE_MOST);
	gzFile file = gzopen(path, "r");
	Profile__Profile *profile;
	int count;

	ck_assert(file && bytes);
	count = gzread(file, bytes, PROFILE_MOST);
	ck_assert_int_gt(count, 0);
	ck_assert_int_eq(gzclose(file), Z_OK);
	profile = profile__profile__unpack(NULL, (size_t)count, bytes);
	ck_assert_ptr_nonnull(profile);
	free(bytes);
	return profile;
}

int64_t pprof_file__sum(const Profile__Profile *profile, size_t value)
{
	int64_t sum = 0;

	for (size_t i = 0; i < profile->n_sample; i++) {
		ck_assert_uint_lt(value, profile->sample[i]->n_value);
		sum += profile->sample[i]->value[value];
	}
	return sum;
}
