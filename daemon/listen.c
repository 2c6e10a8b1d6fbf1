/*
 * listen.c
 *		The daemon's socket, and status notifications to the service
 *		manager.
 *
 * systemd's protocols (LISTEN_FDS, NOTIFY_SOCKET) are implemented here because
 * they take only a few lines and save a library.  accept.c decides who may
 * connect.
 */
#include "listen.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#define SOCKET_TYPE (SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK)
#define BACKLOG 256

/* SD_LISTEN_FDS_START of sd_listen_fds(3) */
#define FIRST_PASSED_FD 3

/*
 * Two seconds, because the lock is held for a few system calls only.  While
 * sessions are being served, they are not made to wait for it.
 */
#define LOCK_TRIES 40
#define LOCK_TRIES_SERVING 1
#define LOCK_PAUSE_US 50000

/*
 * A unit with ListenStream would seem to work until the first message.
 * ADDRESS is all zero.
 */
static bool
is_listening_seqpacket(int fd, struct sockaddr_un *address)
{
	int			type = 0;
	int			accepts = 0;
	socklen_t	size = sizeof(int);

	if (getsockopt(fd, SOL_SOCKET, SO_TYPE, &type, &size) != 0)
		return false;
	size = sizeof(int);
	if (getsockopt(fd, SOL_SOCKET, SO_ACCEPTCONN, &accepts, &size) != 0)
		return false;
	size = sizeof(*address);
	return getsockname(fd, (struct sockaddr *) address, &size) == 0 &&
		address->sun_family == AF_UNIX && type == SOCK_SEQPACKET && accepts;
}

/*
 * Remembers the identity of the file at the path.  The socket keeps its inode
 * even if the file is removed, so no other file can get the same number while
 * the socket is open.
 */
static void
remember_file(SsdpardListener *listener, const char *path)
{
	struct stat status;

	if (lstat(path, &status) != 0)
		return;
	snprintf(listener->path, sizeof(listener->path), "%s", path);
	listener->device = status.st_dev;
	listener->inode = status.st_ino;
}

static bool
is_same_file(const SsdpardListener *listener)
{
	struct stat status;

	return lstat(listener->path, &status) == 0 &&
		status.st_dev == listener->device &&
		status.st_ino == listener->inode;
}

static bool
take_passed_socket(SsdpardListener *listener, char *problem)
{
	int			fd = FIRST_PASSED_FD;
	struct sockaddr_un address = {0};

	if (strcmp(getenv("LISTEN_FDS"), "1") != 0)
		return ssdpard_fail(problem, "got %.20s sockets from systemd, and "
							"there is use for one only; give ssdpard.socket "
							"one ListenSequentialPacket line",
							getenv("LISTEN_FDS"));
	if (!is_listening_seqpacket(fd, &address))
		return ssdpard_fail(problem, "the descriptor from systemd is no "
							"listening UNIX socket of sequential packets; use "
							"ListenSequentialPacket with a path in "
							"ssdpard.socket");
	if (fcntl(fd, F_SETFD, FD_CLOEXEC) != 0 ||
		fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK) != 0)
		return ssdpard_fail(problem, "could not use the socket from systemd: "
							"%s", strerror(errno));

	/* not to be inherited by child processes */
	unsetenv("LISTEN_PID");
	unsetenv("LISTEN_FDS");
	remember_file(listener, address.sun_path);
	listener->fd = fd;
	return true;
}

static void
fill_address(struct sockaddr_un *address, const char *path)
{
	memset(address, 0, sizeof(*address));
	address->sun_family = AF_UNIX;

	/* options.c and ssdpard_notify() have checked that it fits */
	memcpy(address->sun_path, path,
		   strnlen(path, sizeof(address->sun_path) - 1));
}

/* Does a process listen at PATH? Returns 0 if so, else an errno. */
static int
try_connect(const char *path)
{
	struct sockaddr_un address;
	int			fd = socket(AF_UNIX, SOCKET_TYPE, 0);
	int			result = 0;

	if (fd < 0)
		return errno;
	fill_address(&address, path);
	if (connect(fd, (struct sockaddr *) &address, sizeof(address)) != 0)
		result = errno;
	close(fd);
	return result;
}

static bool
another_owner(const char *path, char *problem)
{
	return ssdpard_fail(problem, "\"%.200s\" belongs to something else, which "
						"is left alone; remove it, or choose another path",
						path);
}

/*
 * Removes the socket that a dead daemon left at PATH, or reports what is
 * there.  Only ECONNREFUSED proves that the file is a socket on which no
 * process listens.  A file of another user is not removed, even if the
 * directory permits it.
 */
static bool
remove_stale(const char *path, char *problem)
{
	struct stat status;

	if (lstat(path, &status) != 0)
		return errno == ENOENT ||
			ssdpard_fail(problem, "could not look at \"%.200s\": %s; the "
						 "directory must exist and be searchable", path,
						 strerror(errno));
	if (!S_ISSOCK(status.st_mode))
		return ssdpard_fail(problem, "\"%.200s\" exists and is no socket, so "
							"it is left alone; remove it, or choose another "
							"path", path);
	switch (try_connect(path))
	{
		case ECONNREFUSED:
			if (status.st_uid != geteuid())
				return another_owner(path, problem);
			return unlink(path) == 0 || errno == ENOENT ||
				ssdpard_fail(problem, "could not remove \"%.200s\", which a "
							 "dead daemon left: %s", path, strerror(errno));
		case 0:
		case EAGAIN:			/* its backlog is full */
			return ssdpard_fail(problem, "another daemon listens on "
								"\"%.200s\"; stop it, or choose another path",
								path);
		case ENOENT:
			return true;
		default:
			return another_owner(path, problem);
	}
}

static bool
bind_socket(const SsdpardOptions *options, SsdpardListener *listener,
			char *problem)
{
	struct sockaddr_un address;
	mode_t		closed = 0177;
	mode_t		mask;
	int			result;

	listener->fd = socket(AF_UNIX, SOCKET_TYPE, 0);
	if (listener->fd < 0)
		return ssdpard_fail(problem, "could not make a socket: %s",
							strerror(errno));
	fill_address(&address, options->socket);

	/* open to all only if other users may connect; accept.c checks the uid */
	for (int i = 0; i < options->nuids; i++)
		if (options->uids[i] != geteuid())
			closed = 0111;

	/* before bind: a later chmod would leave a window in between */
	mask = umask(closed);
	result = bind(listener->fd, (struct sockaddr *) &address,
				  sizeof(address));
	umask(mask);
	if (result != 0)
		return ssdpard_fail(problem, "could not make the socket \"%.200s\": "
							"%s; the directory must exist and be writable for "
							"the daemon's user", options->socket,
							strerror(errno));
	listener->ours = true;
	remember_file(listener, options->socket);
	return listen(listener->fd, BACKLOG) == 0 ||
		ssdpard_fail(problem, "could not listen on \"%.200s\": %s",
					 options->socket, strerror(errno));
}

/*
 * Two daemons that start at the same time must not both consider the other's
 * socket stale, so each holds a lock on the directory while checking.  If the
 * lock is not available (-1, or after the last try), check without it: the
 * directory may not be readable, and starting matters more.  If the other's
 * socket is removed that way, the other daemon notices.
 */
static int
lock_directory(const char *path, int tries)
{
	char		copy[SSDPARD_PATH];
	int			fd;

	snprintf(copy, sizeof(copy), "%s", path);
	fd = open(dirname(copy), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0)
		return -1;
	for (int i = 0; i < tries && flock(fd, LOCK_EX | LOCK_NB) != 0; i++)
		usleep(LOCK_PAUSE_US);
	return fd;
}

static bool
make_socket(const SsdpardOptions *options, SsdpardListener *listener,
			int lock_tries, char *problem)
{
	int			lock = lock_directory(options->socket, lock_tries);
	bool		good;

	memset(listener, 0, sizeof(*listener));
	listener->fd = -1;
	good = remove_stale(options->socket, problem) &&
		bind_socket(options, listener, problem);
	if (!good)
		ssdpard_stop_listening(listener);
	if (lock >= 0)
		close(lock);
	return good;
}

/* The pid guards against variables inherited from another service. */
bool
ssdpard_socket_is_passed(void)
{
	const char *pid = getenv("LISTEN_PID");

	return pid != NULL && getenv("LISTEN_FDS") != NULL &&
		strtol(pid, NULL, 10) == (long) getpid();
}

bool
ssdpard_listen(const SsdpardOptions *options, SsdpardListener *listener,
			   char problem[SSDPARD_PROBLEM])
{
	memset(listener, 0, sizeof(*listener));
	listener->fd = -1;

	if (ssdpard_socket_is_passed())
		return take_passed_socket(listener, problem);
	return make_socket(options, listener, LOCK_TRIES, problem);
}

/* If we created the file, also check whether its user may still connect. */
bool
ssdpard_is_reachable(const SsdpardListener *listener)
{
	if (listener->fd < 0)
		return false;
	if (listener->path[0] == '\0')
		return true;
	return is_same_file(listener) &&
		(!listener->ours || access(listener->path, W_OK) == 0);
}

bool
ssdpard_listen_again(const SsdpardOptions *options, SsdpardListener *listener,
					 char problem[SSDPARD_PROBLEM])
{
	if (listener->fd >= 0 && !listener->ours)
		return ssdpard_fail(problem, "\"%.200s\", the socket from systemd, was "
							"removed or replaced; restart ssdpard.socket",
							listener->path);
	ssdpard_stop_listening(listener);
	return make_socket(options, listener, LOCK_TRIES_SERVING, problem);
}

/*
 * Remove the file before closing the socket, because no other file can have
 * its inode number until then.
 */
void
ssdpard_stop_listening(SsdpardListener *listener)
{
	if (listener->ours && is_same_file(listener))
		unlink(listener->path);
	listener->ours = false;
	if (listener->fd >= 0)
		close(listener->fd);
	listener->fd = -1;
}

void
ssdpard_notify(const char *state)
{
	const char *path = getenv("NOTIFY_SOCKET");
	struct sockaddr_un address;
	socklen_t	size;
	int			fd;

	if (path == NULL || (path[0] != '/' && path[0] != '@') ||
		strlen(path) >= sizeof(address.sun_path))
		return;
	fill_address(&address, path);
	size = (socklen_t) (offsetof(struct sockaddr_un, sun_path) + strlen(path));
	if (path[0] == '@')
		address.sun_path[0] = '\0'; /* abstract name space */
	fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	if (fd < 0)
		return;

	/* not our error if the service manager is not ready, so continue */
	(void) sendto(fd, state, strlen(state), MSG_NOSIGNAL | MSG_DONTWAIT,
				  (struct sockaddr *) &address, size);
	close(fd);
}
