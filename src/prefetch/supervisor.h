/*
 * supervisor.h
 *		Starts the prefetch daemon with the server, and restarts it when it
 *		dies.
 */
#ifndef SSDPAR_SUPERVISOR_H
#define SSDPAR_SUPERVISOR_H

/*
 * Registers the supervisor with the postmaster; only while
 * shared_preload_libraries are loaded.
 */
extern void ssdpar_register_supervisor(void);

#endif							/* SSDPAR_SUPERVISOR_H */
