/*
 * accept.h
 *		Who may become a client.
 */
#ifndef SSDPARD_ACCEPT_H
#define SSDPARD_ACCEPT_H

#include "options.h"
#include "session.h"

/*
 * Makes sessions of those who wait at LISTENER.  False if there was no
 * descriptor for one of them: asking again at once is no use.
 */
extern bool ssdpard_accept(int listener, const SsdpardOptions *options,
						   SsdpardSessions *sessions);

#endif							/* SSDPARD_ACCEPT_H */
