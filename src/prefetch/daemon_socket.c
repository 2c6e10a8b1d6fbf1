/*
 * daemon_socket.c
 *		Connects to ssdpard's socket.
 *
 * Which messages go over it is not known here: client.c has the session's own
 * connection, daemon_status.c one for each question.
 */
#include "postgres.h"

#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/settings.h"
#include "prefetch/daemon_socket.h"

/*
 * Whom the kernel shows in place of each user that the server's user namespace
 * has no number for (kernel.overflowuid, unless it was changed).
 */
#define UNMAPPED_UID 65534

/*
 * A session hands out descriptors of tables.  Whoever listens has to be this
 * user, root, or the owner of the socket's directory, who could put any socket
 * there.  So in a directory that all may write to no other user is believed;
 * nor, in a container, any user outside because another one has the directory.
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
 * connect() to a socket of this kind does not wait for the other end to accept:
 * it fails at once where the queue of those not accepted is full (EAGAIN).
 * That counts as no daemon, and is tried again like that.
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
