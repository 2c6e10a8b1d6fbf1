/*
 * compat.h
 *		The one place that knows which server version it is built for.
 *
 * Policy, by kind of difference:
 *	- a function that gained or lost arguments: a static inline or macro
 *	  ssdpar_<name>() here with the newest signature; call sites use only it;
 *	- a facility that older servers lack: a macro SSDPAR_HAS_<FACILITY> here;
 *	  call sites test that, never the version;
 *	- a struct field that came or went: an accessor here.
 * Nothing outside this file tests PG_VERSION_NUM.
 */
#ifndef SSDPAR_COMPAT_H
#define SSDPAR_COMPAT_H

#if PG_VERSION_NUM < 150000 || PG_VERSION_NUM >= 200000
#error "ssdpar builds against PostgreSQL 15 to 19"
#endif

/* 16 brought typed allocation. */
#ifndef palloc_array
#define palloc_array(type, count) ((type *) palloc(sizeof(type) * (count)))
#define palloc0_object(type) ((type *) palloc0(sizeof(type)))
#endif

#endif							/* SSDPAR_COMPAT_H */
