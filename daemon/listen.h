/*
 * listen.h
 *		The daemon's socket, and telling those who started it how it stands.
 */
#ifndef SSDPARD_LISTEN_H
#define SSDPARD_LISTEN_H

#include <stdbool.h>
#include <sys/types.h>

#include "options.h"

typedef struct SsdpardListener
{
	int			fd;				/* -1: none */
	bool		ours;			/* we made the file, so we remove it */
	char		path[SSDPARD_PATH];
	dev_t		device;			/* of the file that we made */
	ino_t		inode;
} SsdpardListener;

/*
 * The socket that systemd hands over, or a new one at options->socket.  A
 * file that a dead daemon left there is replaced; a living one's is not.
 * False with one message in PROBLEM, and nothing left behind.
 */
extern bool ssdpard_listen(const SsdpardOptions *options,
						   SsdpardListener *listener,
						   char problem[SSDPARD_PROBLEM]);

/* Closes it and removes the file if it is still ours. */
extern void ssdpard_stop_listening(SsdpardListener *listener);

/* The sd_notify protocol; nothing happens without NOTIFY_SOCKET. */
extern void ssdpard_notify(const char *state);

#endif							/* SSDPARD_LISTEN_H */
