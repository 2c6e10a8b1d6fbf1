/*
 * supervisor.h
 *		Starts the prefetch daemon with the server, and again when it dies.
 */
#ifndef SSDPAR_SUPERVISOR_H
#define SSDPAR_SUPERVISOR_H

/*
 * Ask the postmaster for the supervisor; only while shared_preload_libraries
 * are loaded.
 */
extern void ssdpar_register_supervisor(void);

#endif							/* SSDPAR_SUPERVISOR_H */
