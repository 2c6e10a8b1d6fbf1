/*
 * accept.c
 *		Who may become a client, and what those are told who may not, or who
 *		break the rules later.
 */
#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "log.h"
#include "server.h"

#define ACCEPTS_A_TURN 64
#define COMPLAINT_PAUSE 1000000 /* us */

static void
say_error(int fd, uint32_t sequence, SsdparRefusal refusal)
{
	unsigned char buffer[SSDPAR_MAX_MESSAGE];
	SsdparMessage message;
	size_t size;

	memset(&message, 0, sizeof(message));
	message.type = SSDPAR_ERROR;
	message.sequence = sequence;
	message.u.error.code = refusal;
	strncpy(message.u.error.text, ssdpar_protocol_refusal(refusal),
			SSDPAR_ERROR_TEXT - 1);
	size = ssdpar_protocol_encode(&message, buffer);
	/* if there is no room, it is only less polite */
	(void) send(fd, buffer, size, MSG_DONTWAIT | MSG_NOSIGNAL);
}

/* Somebody who tries all day must not fill the disk with the log. */
static void
complain(SsdpardServer *server, uint32_t pid, SsdparRefusal refusal)
{
	server->totals.refused++;
	if (server->complained != 0 &&
		server->now - server->complained < COMPLAINT_PAUSE)
		return;
	server->complained = server->now;
	ssdpard_log(SSDPARD_LOG_WARNING, "closed the session of process %u: %s "
				"(%llu sessions refused since start)", pid,
				ssdpar_protocol_refusal(refusal),
				(unsigned long long) server->totals.refused);
}

void
ssdpard_refuse(SsdpardServer *server, int fd, uint32_t pid, uint32_t sequence,
			   SsdparRefusal refusal)
{
	say_error(fd, sequence, refusal);
	complain(server, pid, refusal);
}

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

/* False if nobody waits, or there is no descriptor for whoever does. */
static bool
accept_one(SsdpardServer *server)
{
	struct ucred peer = {0, (uid_t) -1, (gid_t) -1};
	socklen_t size = sizeof(peer);
	SsdparRefusal refusal = SSDPAR_NOT_ALLOWED;
	int fd = accept4(server->listener.fd, NULL, NULL,
					 SOCK_CLOEXEC | SOCK_NONBLOCK);

	if (fd < 0)
	{
		/* level-triggered: it would be reported at once and again */
		if (errno == EMFILE || errno == ENFILE || errno == ENOMEM ||
			errno == ENOBUFS)
			server->accepting = false;
		return errno == ECONNABORTED || errno == EINTR;
	}
	if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 &&
		is_allowed(&server->options, peer.uid))
		refusal = ssdpard_session_open(server, fd, (uint32_t) peer.pid);
	if (refusal != SSDPAR_GOOD)
	{
		ssdpard_refuse(server, fd, (uint32_t) peer.pid, 0, refusal);
		close(fd);
	}
	return true;
}

void
ssdpard_accept(SsdpardServer *server)
{
	for (int i = 0; i < ACCEPTS_A_TURN && accept_one(server); i++)
		;
}
