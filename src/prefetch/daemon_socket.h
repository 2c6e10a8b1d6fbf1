/*
 * daemon_socket.h
 *		Connects to ssdpard's socket, and knows whether a daemon is there.
 */
#ifndef SSDPAR_DAEMON_SOCKET_H
#define SSDPAR_DAEMON_SOCKET_H

/*
 * Returns a non-blocking connection to the daemon's socket, or -1 and sets
 * errno. Close it with close().  A relative path starts at the data directory,
 * which is the working directory of a backend.
 */
extern int	ssdpar_open_daemon_socket(void);

/*
 * Is a daemon there?  The supervisor keeps the answer in shared memory.
 * Without a supervisor it is what the last attempt to connect has found: of any
 * session, or of this one if there is no shared memory.
 */
extern bool ssdpar_daemon_is_there(void);

/* For the supervisor: it has started the daemon, or the daemon has ended. */
extern void ssdpar_daemon_note(bool there);

/* The part of shared memory that hooks.c gives it when the server starts. */
extern Size ssdpar_daemon_shmem_size(void);
extern void ssdpar_daemon_shmem_init(void *part);

#endif							/* SSDPAR_DAEMON_SOCKET_H */
