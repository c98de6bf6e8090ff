# Decides whether to build the CUDA kernels. Reads SATDOF_CUDA; sets SATDOF_HAS_CUDA and CMAKE_CUDA_ARCHITECTURES.
# Prints one line with the decision and its reason.
set(SATDOF_HAS_CUDA OFF)
if(NOT SATDOF_CUDA MATCHES "^(AUTO|ON|OFF)$")
  message(FATAL_ERROR "SATDOF_CUDA is \"${SATDOF_CUDA}\": use AUTO, ON or OFF")
endif()
if(SATDOF_CUDA STREQUAL "OFF")
  message(STATUS "CUDA kernels: off, as requested by SATDOF_CUDA=OFF")
  return()
endif()

include(CheckLanguage)
if(NOT CMAKE_CUDA_COMPILER AND EXISTS /usr/local/cuda/bin/nvcc)
  set(CMAKE_CUDA_COMPILER /usr/local/cuda/bin/nvcc)
endif()
check_language(CUDA)
if(NOT CMAKE_CUDA_COMPILER)
  set(reason "no CUDA compiler found: install the CUDA Toolkit or put nvcc on PATH")
  if(SATDOF_CUDA STREQUAL "ON")
    message(FATAL_ERROR "SATDOF_CUDA=ON, but ${reason}")
  endif()
  message(STATUS "CUDA kernels: off, ${reason}")
  return()
endif()

if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES)
  execute_process(
    COMMAND nvidia-smi --query-gpu=compute_cap --format=csv,noheader
    OUTPUT_VARIABLE capability
    ERROR_QUIET
    RESULT_VARIABLE failed
  )
  if(NOT failed AND capability MATCHES "^([0-9]+)\\.([0-9]+)")
    set(architectures "${CMAKE_MATCH_1}${CMAKE_MATCH_2}")
  else()
    # Machine code for Turing, Ampere, Ada and Hopper. The driver compiles the Hopper PTX for Blackwell at first start.
    set(architectures "75-real;80-real;90")
  endif()
  set(CMAKE_CUDA_ARCHITECTURES "${architectures}" CACHE STRING "CUDA architectures")
endif()
enable_language(CUDA)
if(NOT CMAKE_CUDA20_STANDARD_COMPILE_OPTION) # CMake 3.25 lacks the C++20 flag of nvcc
  set(CMAKE_CUDA20_STANDARD_COMPILE_OPTION -std=c++20)
  set(CMAKE_CUDA20_EXTENSION_COMPILE_OPTION -std=c++20)
endif()
find_package(CUDAToolkit REQUIRED)
set(SATDOF_HAS_CUDA ON)
message(
  STATUS
  "CUDA kernels: on, CUDA ${CMAKE_CUDA_COMPILER_VERSION}, architectures ${CMAKE_CUDA_ARCHITECTURES}"
)
