/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * amount.h: repetitions of tests, which environment variables change if the number itself is not
 * tested:
 *
 *	PEAT_TEST_EVENTS	events of a run at full speed
 *	PEAT_TEST_PROCESSES	processes that are started, one after the other
 *	PEAT_TEST_ROUNDS	repetitions of a whole run
 *	PEAT_TEST_SECONDS	how long programs interrupt each other; 0.5: half a second
 *	PEAT_TEST_PAUSE_US	what a thread rests between two calls while CPUs are switched: one
 *				that never rests takes minutes to go, where it is emulated
 */
#ifndef TESTS_SUPPORT_MACHINE_AMOUNT_H
#define TESTS_SUPPORT_MACHINE_AMOUNT_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

/* The value of the environment variable, else the usual value. */
static inline uint64_t amount__of(const char *variable, uint64_t usual)
{
	const char *text = getenv(variable);

	return text ? strtoull(text, NULL, 10) : usual;
}

/* The same, but at most the usual value. */
static inline uint32_t amount__at_most(const char *variable, uint32_t usual)
{
	uint64_t amount = amount__of(variable, usual);

	return amount < usual ? (uint32_t)amount : usual;
}

/* $PEAT_TEST_SECONDS in nanoseconds. */
static inline uint64_t amount__ns(double usual_seconds)
{
	const char *text = getenv("PEAT_TEST_SECONDS");

	return (uint64_t)(1e9 * (text ? strtod(text, NULL) : usual_seconds));
}

/*
 * The step from one damaged byte or bit to the next.  Sanitizers make each copy of an object slow;
 * fuzzers, which have them too, try what is left out.
 */
static inline size_t amount__step(size_t usual, size_t sanitized)
{
#ifdef __SANITIZE_ADDRESS__
	(void)usual;
	return sanitized;
#else
	(void)sanitized;
	return usual;
#endif
}

#endif /* TESTS_SUPPORT_MACHINE_AMOUNT_H */
