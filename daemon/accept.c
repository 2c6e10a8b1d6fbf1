/*
 * accept.c
 *		Accepts connections of users who may use the daemon.
 *
 * The kernel reports the peer's uid (SO_PEERCRED), so nothing the client sends
 * has to be trusted, and access does not depend on the socket's permissions
 * only.
 */
#include "accept.h"

#include <errno.h>
#include <sys/socket.h>
#include <unistd.h>

#include "refusal.h"

/* Connections accepted before the loop returns to open sessions. */
#define ACCEPTS_PER_TURN 64

static bool
is_allowed(const SsdpardOptions *options, uid_t uid)
{
	if (options->nuids == 0)
		return uid == geteuid();
	for (int i = 0; i < options->nuids; i++)
		if (options->uids[i] == uid)
			return true;
	return false;
}

bool
ssdpard_accept(int listener, const SsdpardOptions *options,
			   SsdpardSessions *sessions)
{
	for (int i = 0; i < ACCEPTS_PER_TURN; i++)
	{
		struct ucred peer = {0, (uid_t) -1, (gid_t) -1};
		socklen_t	size = sizeof(peer);
		SsdparWireRefusal refusal = SSDPAR_WIRE_NOT_ALLOWED;
		int			fd = accept4(listener, NULL, NULL,
								 SOCK_CLOEXEC | SOCK_NONBLOCK);

		if (fd < 0 && (errno == ECONNABORTED || errno == EINTR))
			continue;
		if (fd < 0)
			return errno != EMFILE && errno != ENFILE && errno != ENOMEM &&
				errno != ENOBUFS;
		if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 &&
			is_allowed(options, peer.uid))
			refusal = ssdpard_session_open(sessions, fd, (uint32_t) peer.pid);
		if (refusal != SSDPAR_WIRE_OK)
		{
			ssdpard_refuse(sessions->state, fd, (uint32_t) peer.pid, 0,
						   refusal);
			close(fd);
		}
	}
	return true;
}
