// The one header that Swift sees of libpng (Debian: libpng-dev).
#pragma once
#include <png.h>
