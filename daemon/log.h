/*
 * log.h
 *		Messages of the daemon: one line an event, on stderr.
 */
#ifndef SSDPARD_LOG_H
#define SSDPARD_LOG_H

typedef enum SsdpardLevel
{
	SSDPARD_LOG_ERROR,			/* the daemon cannot go on */
	SSDPARD_LOG_WARNING,		/* it goes on, worse than it could */
	SSDPARD_LOG_INFO,			/* start, reload, end */
	SSDPARD_LOG_DEBUG,			/* sessions */
} SsdpardLevel;

/*
 * Messages above LEVEL are left out.  Lines begin with the journal's priority
 * (<3> to <7>) if stderr is the journal, else with the program's name.
 */
extern void ssdpard_log_level(SsdpardLevel level);

extern void ssdpard_log(SsdpardLevel level, const char *format, ...)
			__attribute__((format(printf, 2, 3)));

#endif							/* SSDPARD_LOG_H */
