/*
 * refusal.c
 *		Tells a client that it may not connect or has broken the rules.
 *
 * The caller closes the socket, because it knows what else to release.
 */
#include "refusal.h"

#include <string.h>
#include <sys/socket.h>

#include "log.h"

#define LOG_INTERVAL 1000000	/* us */

void
ssdpard_refuse(SsdpardState *state, int socket, uint32_t pid,
			   uint32_t sequence, SsdparWireRefusal refusal)
{
	const char *reason = ssdpar_wire_refusal_text(refusal);
	unsigned char buffer[SSDPAR_WIRE_MAX_MESSAGE];
	SsdparWireMessage message;
	size_t		size;

	memset(&message, 0, sizeof(message));
	message.type = SSDPAR_WIRE_ERROR;
	message.sequence = sequence;
	message.u.error.code = refusal;
	strncpy(message.u.error.text, reason, SSDPAR_WIRE_ERROR_TEXT - 1);
	size = ssdpar_wire_encode(&message, buffer);

	/* if the socket is full, do not wait; the client is not told */
	(void) send(socket, buffer, size, MSG_DONTWAIT | MSG_NOSIGNAL);

	/* a client that keeps trying must not fill the disk with log messages */
	state->totals.refused++;
	if (state->refusal_logged != 0 &&
		state->now - state->refusal_logged < LOG_INTERVAL)
		return;
	state->refusal_logged = state->now;
	ssdpard_log(SSDPARD_LOG_WARNING, "closed the session of process %u: %s "
				"(%llu sessions refused since start)", pid, reason,
				(unsigned long long) state->totals.refused);
}
