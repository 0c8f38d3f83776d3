// The one header that Swift sees of yaml-0.1 (Debian: libyaml-dev).
#pragma once
#include <yaml.h>
