/*
 * hooks.h
 *		Installs ssdpar's server hooks.
 */
#ifndef SSDPAR_HOOKS_H
#define SSDPAR_HOOKS_H

extern void ssdpar_install_hooks(void);

#endif							/* SSDPAR_HOOKS_H */
