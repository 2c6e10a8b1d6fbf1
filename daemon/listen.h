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
	char		path[SSDPARD_PATH]; /* empty: systemd's, of no file */
	dev_t		device;			/* of the file that sessions connect by */
	ino_t		inode;
} SsdpardListener;

/* Has systemd handed over a socket to this process? */
extern bool ssdpard_socket_is_passed(void);

/*
 * The socket that systemd hands over, or a new one at options->socket.  A
 * file that a dead daemon left there is replaced; a living one's is not.
 * False with one message in PROBLEM, and nothing left behind.
 */
extern bool ssdpard_listen(const SsdpardOptions *options,
						   SsdpardListener *listener,
						   char problem[SSDPARD_PROBLEM]);

/*
 * Is the file still there by which sessions connect?  It may be removed, or
 * another one may stand in its place, while nothing happens to the socket.
 */
extern bool ssdpard_is_reachable(const SsdpardListener *listener);

/*
 * A new socket in place of one that is not reachable, by the rules of
 * ssdpard_listen().  False with a message in PROBLEM: then there is none, but
 * systemd's, which only systemd can make again.
 */
extern bool ssdpard_listen_again(const SsdpardOptions *options,
								 SsdpardListener *listener,
								 char problem[SSDPARD_PROBLEM]);

/* Closes it and removes the file if it is still ours. */
extern void ssdpard_stop_listening(SsdpardListener *listener);

/* The sd_notify protocol; nothing happens without NOTIFY_SOCKET. */
extern void ssdpard_notify(const char *state);

#endif							/* SSDPARD_LISTEN_H */
