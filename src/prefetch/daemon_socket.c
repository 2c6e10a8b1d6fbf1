/*
 * daemon_socket.c
 *		Connects to ssdpard's socket, and knows whether a daemon is there.
 *
 * The messages sent over it are not known here: client.c uses the session's
 * connection, daemon_status.c a separate one for each question.
 */
#include "postgres.h"

#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "port/atomics.h"

#include "base/settings.h"
#include "prefetch/daemon_socket.h"

/*
 * The uid that the kernel shows for users without a number in the server's
 * user namespace (kernel.overflowuid, unless changed).
 */
#define UNMAPPED_UID 65534

static pg_atomic_uint32 *shared = NULL; /* is a daemon there? */
static bool own = false;		/* used without shared memory */

Size
ssdpar_daemon_shmem_size(void)
{
	return sizeof(pg_atomic_uint32);
}

void
ssdpar_daemon_shmem_init(void *part)
{
	shared = part;
	pg_atomic_init_u32(shared, 0);
}

bool
ssdpar_daemon_is_there(void)
{
	return shared != NULL ? pg_atomic_read_u32(shared) != 0 : own;
}

void
ssdpar_daemon_note(bool there)
{
	if (shared == NULL)
		own = there;
	else if (ssdpar_daemon_is_there() != there)
		pg_atomic_write_u32(shared, there);
}

/* What the supervisor knows, a session does not know better. */
static void
note_attempt(bool there)
{
	if (shared == NULL || !ssdpar_daemon_autostart)
		ssdpar_daemon_note(there);
}

/*
 * A session hands out descriptors of tables, so the listener must run as this
 * user, as root, or as the owner of the socket's directory, who could put any
 * socket there.  Therefore no other user is trusted in a world-writable
 * directory.  In a container, a user without a number is not trusted either,
 * because the directory may belong to another user who looks the same.
 */
static bool
is_trusted(int fd)
{
	struct ucred peer;
	socklen_t	size = sizeof(peer);
	char		directory[MAXPGPATH];
	struct stat found;

	if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &size) < 0)
		return false;
	if (peer.uid == geteuid() || peer.uid == 0)
		return true;
	strlcpy(directory, ssdpar_daemon_socket, sizeof(directory));
	get_parent_directory(directory);
	if (stat(directory[0] == '\0' ? "." : directory, &found) < 0)
		return false;
	errno = EPERM;
	return found.st_uid == peer.uid && peer.uid != UNMAPPED_UID;
}

static void
close_keeping_errno(int fd)
{
	int			why = errno;

	close(fd);
	errno = why;
}

/*
 * connect() to a socket of this type does not wait for accept: it fails
 * immediately if the queue of pending connections is full (EAGAIN).  We treat
 * that as a missing daemon, and retry in the same way.
 */
int
ssdpar_open_daemon_socket(void)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	int			fd;

	if (strlcpy(address.sun_path, ssdpar_daemon_socket,
				sizeof(address.sun_path)) >= sizeof(address.sun_path))
	{
		errno = ENAMETOOLONG;
		return -1;
	}
	fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
	if (fd < 0)
		return -1;
	if (connect(fd, (struct sockaddr *) &address, sizeof(address)) < 0 ||
		!is_trusted(fd))
	{
		close_keeping_errno(fd);
		note_attempt(false);
		return -1;
	}
	note_attempt(true);
	return fd;
}
