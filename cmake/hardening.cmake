# Makes memory errors harder to exploit, where the compiler and the linker can. Addresses of functions are always
# resolved at start and then read-only; SATDOF_HARDENING adds checks of the stack and of buffers in C and C++ code.
# Code for the GPU is not affected, but for the names of its sources: no file tells in which folder it was built.
include(CheckCXXCompilerFlag)
if(NOT WIN32) # whose linker makes addresses random and data not executable by default
  add_link_options(LINKER:-z,relro LINKER:-z,now LINKER:-z,noexecstack)
endif()
if(NOT SATDOF_HARDENING)
  return()
endif()
set(no_folder -ffile-prefix-map=${PROJECT_SOURCE_DIR}/=)
add_compile_options(
  $<$<COMPILE_LANGUAGE:C,CXX>:${no_folder}>
  $<$<COMPILE_LANGUAGE:CUDA>:-Xcompiler=${no_folder}>
)
foreach(flag -fstack-protector-strong -fstack-clash-protection -fcf-protection)
  string(MAKE_C_IDENTIFIER "SATDOF_HAS${flag}" known)
  check_cxx_compiler_flag(${flag} ${known})
  if(${known})
    add_compile_options($<$<COMPILE_LANGUAGE:C,CXX>:${flag}>)
  endif()
endforeach()
# The checks of the C library need an optimised build.
set(optimised "$<AND:$<NOT:$<CONFIG:Debug>>,$<COMPILE_LANGUAGE:C,CXX>>")
add_compile_options("$<${optimised}:-U_FORTIFY_SOURCE;-D_FORTIFY_SOURCE=2>")
