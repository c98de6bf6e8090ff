#pragma once
#include "cuda/emulator/host.h"
