# glm: the system's package, else a pinned archive. For the library and the program.
include(FetchContent)
set(GLM_BUILD_INSTALL OFF CACHE BOOL "" FORCE)
FetchContent_Declare(
  glm
  SYSTEM
  URL https://github.com/g-truc/glm/archive/refs/tags/1.0.1.tar.gz
  URL_HASH SHA256=9f3174561fd26904b23f0db5e560971cbf9b3cbda0b280f04d5c379d03bf234c
  FIND_PACKAGE_ARGS
)
set(unity ${CMAKE_UNITY_BUILD})
set(CMAKE_UNITY_BUILD OFF) # other projects may not be made for it
FetchContent_MakeAvailable(glm)
set(CMAKE_UNITY_BUILD ${unity})
