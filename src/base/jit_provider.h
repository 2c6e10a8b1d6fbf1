/*
 * jit_provider.h
 *		Whether this process has the server's compiler of expressions loaded.
 */
#ifndef SSDPAR_JIT_PROVIDER_H
#define SSDPAR_JIT_PROVIDER_H

/* Loads nothing. */
extern bool ssdpar_jit_is_loaded(void);

#endif							/* SSDPAR_JIT_PROVIDER_H */
