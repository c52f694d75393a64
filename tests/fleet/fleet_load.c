// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* fleet_load.c: emits events. */
#include <signal.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/monotonic.h"
#include "fleet_load.h"
#include "support/machine/harness.h"
#include "support/machine/process.h"

#define PAUSE_US     1000
#define CALLS_OF_CPU 1000 /* before the next CPU */
#define BEHIND_MS    20	  /* calls that are made later: a burst would fill the rings */

/* Shared with the process. */
static struct load {
	uint64_t rate;
	atomic_bool is_paused, has_paused;
	atomic_uint_fast64_t calls;
} * load;

static pid_t producer;

/* A CPU that is offline or not allowed is left out. */
static void call(pid_t self)
{
	static uint32_t cpu;
	const uint32_t cpus = (uint32_t)sysconf(_SC_NPROCESSORS_CONF);

	syscall(SYS_getpgid, self);
	if (++load->calls % CALLS_OF_CPU == 0)
		process__pin_to(cpu++ % cpus);
}

static int produce(void *arg)
{
	const double a_ns = (double)load->rate / FLEET_LOAD_EACH / 1e9;
	const pid_t self = getpid();
	uint64_t from_ns = monotonic_ns(), done = 0;

	(void)arg;
	for (;; usleep(PAUSE_US)) {
		uint64_t due = (uint64_t)((double)(monotonic_ns() - from_ns) * a_ns);

		if (load->is_paused)
			load->has_paused = true;
		if (load->is_paused || (double)(due - done) > BEHIND_MS * 1e6 * a_ns) {
			from_ns = monotonic_ns();
			done = 0;
			continue;
		}
		for (; done < due; done++)
			call(self);
	}
	return 0;
}

pid_t fleet_load__start(uint64_t rate)
{
	load = mmap(NULL, sizeof(*load), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	ck_assert_ptr_ne(load, MAP_FAILED);
	load->rate = rate;
	load->is_paused = true;
	producer = process__start(produce, NULL);
	return producer;
}

void fleet_load__resume(void)
{
	load->is_paused = false;
}

uint64_t fleet_load__pause(void)
{
	load->has_paused = false;
	load->is_paused = true;
	while (!load->has_paused)
		usleep(PAUSE_US);
	return load->calls;
}

void fleet_load__end(void)
{
	kill(producer, SIGKILL);
	process__wait(producer);
}
