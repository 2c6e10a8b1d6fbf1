/*
 * listen.h
 *		The daemon's socket, and status notifications to the service
 *		manager.
 */
#ifndef SSDPARD_LISTEN_H
#define SSDPARD_LISTEN_H

#include <stdbool.h>
#include <sys/types.h>

#include "options.h"

typedef struct SsdpardListener
{
	int			fd;				/* -1: none */
	bool		ours;			/* we created the file, so we remove it */
	char		path[SSDPARD_PATH]; /* empty: a socket from systemd that has
									 * no file */
	dev_t		device;			/* of the file through which sessions connect */
	ino_t		inode;
} SsdpardListener;

/* Did systemd hand over a socket to this process? */
extern bool ssdpard_socket_is_passed(void);

/*
 * Uses the socket that systemd hands over, or creates one at options->socket.
 * A file left there by a dead daemon is replaced, one of a living daemon is
 * not.  On failure, returns false with one message in PROBLEM and leaves
 * nothing behind.
 */
extern bool ssdpard_listen(const SsdpardOptions *options,
						   SsdpardListener *listener,
						   char problem[SSDPARD_PROBLEM]);

/*
 * Is the file through which sessions connect still there?  It may be removed
 * or replaced without any effect on the socket.
 */
extern bool ssdpard_is_reachable(const SsdpardListener *listener);

/*
 * Replaces an unreachable socket by a new one, with the rules of
 * ssdpard_listen().  On failure, returns false with a message in PROBLEM, and
 * there is no socket except systemd's, which only systemd can create again.
 */
extern bool ssdpard_listen_again(const SsdpardOptions *options,
								 SsdpardListener *listener,
								 char problem[SSDPARD_PROBLEM]);

/* Closes the socket, and removes the file if it is still ours. */
extern void ssdpard_stop_listening(SsdpardListener *listener);

/*
 * Sends STATE by the sd_notify protocol; does nothing without NOTIFY_SOCKET.
 */
extern void ssdpard_notify(const char *state);

#endif							/* SSDPARD_LISTEN_H */
