#pragma once
#include "cuda/emulator/half.h"
