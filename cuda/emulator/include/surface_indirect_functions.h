#pragma once
#include "cuda/emulator/surface.h"
