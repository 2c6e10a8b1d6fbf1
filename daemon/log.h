/*
 * log.h
 *		Messages of the daemon, one line per event, on stderr.
 */
#ifndef SSDPARD_LOG_H
#define SSDPARD_LOG_H

typedef enum SsdpardLevel
{
	SSDPARD_LOG_ERROR,			/* the daemon cannot continue */
	SSDPARD_LOG_WARNING,		/* it continues with restrictions */
	SSDPARD_LOG_INFO,			/* start, reload, end */
	SSDPARD_LOG_DEBUG,			/* sessions */
} SsdpardLevel;

/*
 * Messages above LEVEL are omitted.  Lines begin with the journal's priority
 * (<3> to <7>) if stderr is connected to the journal, else with the program's
 * name.
 */
extern void ssdpard_log_level(SsdpardLevel level);

extern void ssdpard_log(SsdpardLevel level, const char *format, ...)
			__attribute__((format(printf, 2, 3)));

#endif							/* SSDPARD_LOG_H */
