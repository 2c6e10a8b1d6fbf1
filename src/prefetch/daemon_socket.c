/*
 * daemon_socket.c
 *		Connects to ssdpard's socket.
 *
 * The messages sent over it are not known here: client.c uses the session's
 * connection, daemon_status.c a separate one for each question.
 */
#include "postgres.h"

#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/settings.h"
#include "prefetch/daemon_socket.h"

/*
 * The uid that the kernel shows for users without a number in the server's
 * user namespace (kernel.overflowuid, unless changed).
 */
#define UNMAPPED_UID 65534

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
		return -1;
	}
	return fd;
}
