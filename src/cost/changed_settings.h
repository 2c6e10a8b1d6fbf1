/*
 * changed_settings.h
 *		Saves core's planner settings that we change while a statement is
 *		planned.
 */
#ifndef SSDPAR_CHANGED_SETTINGS_H
#define SSDPAR_CHANGED_SETTINGS_H

/*
 * To be called before the first change of a setting in the statement being
 * planned.  Further calls, and calls while no statement is planned, do
 * nothing.
 */
extern void ssdpar_settings_put_aside(void);

/*
 * To be called when planning of a statement begins and ends; end() gets the
 * result of begin().  Settings must have been changed back before the end.
 * They then have their previous values, or after an error will have them when
 * the failed transaction or subtransaction ends.
 */
extern int	ssdpar_settings_begin(void);
extern void ssdpar_settings_end(int outer, bool succeeded);

#endif							/* SSDPAR_CHANGED_SETTINGS_H */
