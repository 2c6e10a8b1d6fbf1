/*
 * watcher.h
 *		Looks for tablespaces to calibrate again, and waits for a quiet moment.
 */
#ifndef SSDPAR_WATCHER_H
#define SSDPAR_WATCHER_H

/*
 * Called with each statement that is planned while ssdpar.auto_calibrate is on:
 * starts a process that looks, unless one has lately.  Never fails.
 */
extern void ssdpar_watcher_start(void);

#endif							/* SSDPAR_WATCHER_H */
