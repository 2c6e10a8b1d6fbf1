/*
 * accept.h
 *		Accepts connections of users who may use the daemon.
 */
#ifndef SSDPARD_ACCEPT_H
#define SSDPARD_ACCEPT_H

#include "options.h"
#include "session.h"

/*
 * Creates sessions for the connections waiting at LISTENER.  Returns false if
 * there was no descriptor for one of them, so retrying immediately is useless.
 */
extern bool ssdpard_accept(int listener, const SsdpardOptions *options,
						   SsdpardSessions *sessions);

#endif							/* SSDPARD_ACCEPT_H */
