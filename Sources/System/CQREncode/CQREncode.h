// The one header that Swift sees of libqrencode (Debian: libqrencode-dev).
#pragma once
#include <qrencode.h>
