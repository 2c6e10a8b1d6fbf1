/*
 * packet.c
 *		Receives one packet from a socket, with its descriptors.
 *
 * It does not validate: common/protocol.c interprets the bytes, and session.c
 * checks whether the descriptors match.
 */
#include "packet.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

SsdpardReceived
ssdpard_packet_receive(int socket, SsdpardPacket *packet)
{
	union
	{
		struct cmsghdr header;	/* for its alignment */
		char		room[CMSG_SPACE(SSDPARD_MAX_DESCRIPTORS * sizeof(int))];
	}			control;
	struct iovec vector = {packet->bytes, sizeof(packet->bytes)};
	struct msghdr header = {
		.msg_iov = &vector,
		.msg_iovlen = 1,
		.msg_control = control.room,
		.msg_controllen = sizeof(control.room),
	};
	ssize_t		length = recvmsg(socket, &header,
								 MSG_DONTWAIT | MSG_CMSG_CLOEXEC);

	packet->nfds = 0;
	if (length < 0)
		return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR ?
			SSDPARD_NOTHING_THERE : SSDPARD_CONNECTION_ENDED;
	packet->length = (size_t) length;
	packet->fds_lost = (header.msg_flags & MSG_CTRUNC) != 0;
	for (struct cmsghdr *part = CMSG_FIRSTHDR(&header); part != NULL;
		 part = CMSG_NXTHDR(&header, part))
	{
		size_t		bytes = part->cmsg_len - CMSG_LEN(0);

		if (part->cmsg_level != SOL_SOCKET || part->cmsg_type != SCM_RIGHTS)
			continue;

		/* the kernel sends one such part, which the buffer limits */
		packet->nfds = (int) (bytes / sizeof(int));
		memcpy(packet->fds, CMSG_DATA(part), bytes);
	}
	if (length > 0)
		return SSDPARD_RECEIVED;

	/*
	 * end of connection, or an empty packet: recvmsg does not distinguish
	 * them
	 */
	ssdpard_packet_close(packet);
	return SSDPARD_CONNECTION_ENDED;
}

void
ssdpard_packet_close(SsdpardPacket *packet)
{
	while (packet->nfds > 0)
		close(packet->fds[--packet->nfds]);
}
