// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* sys/hotplug.c: notices CPUs that go online or offline. */
#include <errno.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/timerfd.h>
#include <fcntl.h>
#include <time.h>
#include <unistd.h>
#include <linux/filter.h>
#include <linux/netlink.h>
#include <linux/nsfs.h>

#include "base/log.h"
#include "sys/hotplug.h"

/* The inode of the initial user namespace: PROC_USER_INIT_INO. */
#define FIRST_USER_NS 0xEFFFFFFDU

/* Uevents received per call; if there are more, the fd stays readable. */
#define UEVENTS_AT_ONCE 64

#define TIMER_MS 500

/* ---- uevents --------------------------------------------------------------------------------- */

/*
 * The kernel sends uevents to network namespaces of the initial user namespace only.  In others it
 * lets a socket bind that never receives any (uevent_net_init(), Linux 4.18).
 */
static bool are_uevents_sent_here(void)
{
	struct stat stat = { 0 };
	int net_fd = open("/proc/self/ns/net", O_RDONLY | O_CLOEXEC);
	int user_fd = net_fd < 0 ? -1 : ioctl(net_fd, NS_GET_USERNS);
	bool is_first = user_fd >= 0 && !fstat(user_fd, &stat) && stat.st_ino == FIRST_USER_NS;

	if (user_fd >= 0)
		close(user_fd);
	if (net_fd >= 0)
		close(net_fd);
	return is_first;
}

/*
 * Passes only online@... and offline@..., so that other uevents do not wake the reader.  A failure
 * only costs wakeups.
 */
static void set_socket_filter(int fd)
{
	struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, 0),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 0x6f6e6c69, 1, 0), /* onli */
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 0x6f66666c, 0, 1), /* offl */
		BPF_STMT(BPF_RET | BPF_K, UINT32_MAX),
		BPF_STMT(BPF_RET | BPF_K, 0),
	};
	struct sock_fprog program = { sizeof(code) / sizeof(*code), code };

	if (setsockopt(fd, SOL_SOCKET, SO_ATTACH_FILTER, &program, sizeof(program)))
		log__debug("cannot filter uevents: %s", strerror(errno));
}

static int open_socket(void)
{
	struct sockaddr_nl kernel = { .nl_family = AF_NETLINK, .nl_groups = 1 };
	int fd = are_uevents_sent_here()
			 ? socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC | SOCK_NONBLOCK,
				  NETLINK_KOBJECT_UEVENT)
			 : -1;

	if (fd < 0)
		return fd;
	set_socket_filter(fd);
	if (!bind(fd, (struct sockaddr *)&kernel, sizeof(kernel)))
		return fd;
	close(fd);
	return -1;
}

static int open_timer(void)
{
	struct timespec tick = { TIMER_MS / 1000, TIMER_MS % 1000 * 1000000 };
	struct itimerspec spec = { .it_interval = tick, .it_value = tick };
	int fd = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);

	if (fd < 0 || !timerfd_settime(fd, 0, &spec, NULL))
		return fd;
	close(fd);
	return -1;
}

int hotplug__open(struct hotplug *hotplug)
{
	*hotplug = (struct hotplug){ .fd = open_socket() };
	hotplug->has_uevents = hotplug->fd >= 0;
	if (hotplug->has_uevents)
		return 0;
	log__debug("uevents do not arrive here: checking the CPUs every %u ms", TIMER_MS);
	hotplug->fd = open_timer();
	return hotplug->fd < 0 ? -errno : 0;
}

void hotplug__close(struct hotplug *hotplug)
{
	if (hotplug->fd >= 0)
		close(hotplug->fd);
	hotplug->fd = -1;
	cpus__free(&hotplug->named);
	cpus__free(&hotplug->failed);
}

int hotplug__parse_uevent(const char *message, size_t bytes)
{
	static const char path[] = "/devices/system/cpu/cpu";
	const char *end = message + bytes, *at = memchr(message, '@', bytes);
	int cpu = -1;

	if (!at || (size_t)(end - ++at) < sizeof(path) || memcmp(at, path, sizeof(path) - 1))
		return -1;
	for (at += sizeof(path) - 1; at < end && *at >= '0' && *at <= '9'; at++) {
		if (cpu > (int)CPUS_MAX)
			return -1;
		cpu = (cpu < 0 ? 0 : cpu) * 10 + (*at - '0');
	}
	return cpu;
}

/* Uevents lost because the socket was full (ENOBUFS) may have named any CPU. */
static void note_uevent(struct hotplug *hotplug, const char *message, ssize_t bytes)
{
	int cpu = bytes < 0 ? -1 : hotplug__parse_uevent(message, (size_t)bytes);

	hotplug->any |= bytes < 0 || (cpu >= 0 && cpus__add(&hotplug->named, (uint32_t)cpu));
}

static bool receive_uevents(struct hotplug *hotplug)
{
	char message[64]; /* longer ones are cut: the CPU is at the start */

	for (int i = 0; i < UEVENTS_AT_ONCE; i++) {
		ssize_t bytes = recv(hotplug->fd, message, sizeof(message), 0);

		if (bytes < 0 && errno != ENOBUFS)
			break;
		note_uevent(hotplug, message, bytes);
	}
	return hotplug->any || cpus__count(&hotplug->named);
}

bool hotplug__poll(struct hotplug *hotplug)
{
	uint64_t ticks;

	if (hotplug->has_uevents)
		return receive_uevents(hotplug);
	hotplug->any |= read(hotplug->fd, &ticks, sizeof(ticks)) > 0;
	return hotplug->any;
}
