// The one header that Swift sees of libpq (Debian: libpq-dev).
#pragma once
#include <libpq-fe.h>
