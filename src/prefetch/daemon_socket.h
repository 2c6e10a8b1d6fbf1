/*
 * daemon_socket.h
 *		Connects to ssdpard's socket.
 */
#ifndef SSDPAR_DAEMON_SOCKET_H
#define SSDPAR_DAEMON_SOCKET_H

/*
 * A non-blocking connection to the daemon's socket, or -1 and errno; close()
 * closes it.  A relative path is taken from the data directory, which is where
 * a backend runs.
 */
extern int	ssdpar_open_daemon_socket(void);

#endif							/* SSDPAR_DAEMON_SOCKET_H */
