/*
 * daemon_socket.h
 *		Connects to ssdpard's socket.
 */
#ifndef SSDPAR_DAEMON_SOCKET_H
#define SSDPAR_DAEMON_SOCKET_H

/*
 * Returns a non-blocking connection to the daemon's socket, or -1 and sets
 * errno. Close it with close().  A relative path starts at the data directory,
 * which is the working directory of a backend.
 */
extern int	ssdpar_open_daemon_socket(void);

#endif							/* SSDPAR_DAEMON_SOCKET_H */
