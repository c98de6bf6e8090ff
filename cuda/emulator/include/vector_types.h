#pragma once
#include "cuda/emulator/vectors.h"
