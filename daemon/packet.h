/*
 * packet.h
 *		One packet from a socket, and the descriptors that came with it.
 */
#ifndef SSDPARD_PACKET_H
#define SSDPARD_PACKET_H

#include <stdbool.h>
#include <stddef.h>

#include "common/protocol.h"

/* Enough to see that there are too many; the kernel closes the rest. */
#define SSDPARD_MAX_DESCRIPTORS 2

/*
 * Invariant: fds[0 .. nfds - 1] are open, and the packet's to close.  One byte
 * more than any message has: a longer packet is cut off there, and has no
 * message's length.
 */
typedef struct SsdpardPacket
{
	unsigned char bytes[SSDPAR_WIRE_MAX_MESSAGE + 1];
	size_t		length;
	int			fds[SSDPARD_MAX_DESCRIPTORS];
	int			nfds;
	bool		fds_lost;		/* by the kernel: too many, or our limit */
} SsdpardPacket;

typedef enum SsdpardReceived
{
	SSDPARD_RECEIVED,
	SSDPARD_NOTHING_THERE,
	SSDPARD_CONNECTION_ENDED,
} SsdpardReceived;

/* Does not wait.  Unless SSDPARD_RECEIVED, PACKET holds nothing. */
extern SsdpardReceived ssdpard_packet_receive(int socket,
											  SsdpardPacket *packet);

/* Closes the descriptors that nothing has taken over. */
extern void ssdpard_packet_close(SsdpardPacket *packet);

#endif							/* SSDPARD_PACKET_H */
