/*
 * changed_settings.h
 *		The planner settings of core's that we change while a statement is
 *		planned.
 */
#ifndef SSDPAR_CHANGED_SETTINGS_H
#define SSDPAR_CHANGED_SETTINGS_H

/*
 * Before the first change of one of them in the statement being planned.  Costs
 * nothing the second time, nor where no statement is being planned.
 */
extern void ssdpar_settings_put_aside(void);

/*
 * The planning of one statement is put between begin and end, which gets what
 * begin has returned.  Whoever has changed a setting has put it back before the
 * end.  The settings then are what they were, or will be when the transaction
 * that has failed ends, or the subtransaction.
 */
extern int	ssdpar_settings_begin(void);
extern void ssdpar_settings_end(int outer, bool succeeded);

#endif							/* SSDPAR_CHANGED_SETTINGS_H */
