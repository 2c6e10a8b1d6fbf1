/*
 * hooks.c
 *		Every server hook that ssdpar takes, on one screen.
 *
 * Each function here calls the previous holder of its hook exactly once and
 * hands the work to the module that owns it.  What the modules do is not here.
 */
#include "postgres.h"

#include "hooks.h"
#include "settings.h"

void
ssdpar_install_hooks(void)
{
}
