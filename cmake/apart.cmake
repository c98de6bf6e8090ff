# Sources that name their helpers alike stay apart where CMAKE_UNITY_BUILD or UNITY_BUILD joins sources. The property
# counts in the directory that includes this.
set(
  apart
  app/io/formats/jpeg.cpp
  app/io/shot_file.cpp
  app/lab/convolution.cpp
  app/lab/figures.cpp
  app/lab/plot.cpp
  app/lab/scan.cpp
  app/lens/bokeh/cpu.cpp
  app/lens/reference/reference.cpp
  app/run/stats_file.cpp
  app/scene/bodies/block.cpp
  app/scene/bodies/cpu_pairs.cpp
  app/scene/bodies/cuda.cpp
  app/scene/bodies/initial.cpp
  app/scene/registry.cpp
  app/trace/cuda.cpp
  app/trace/files.cpp
  app/trace/recorder.cpp
  tests/core/settings_test.cpp
  tests/core/shot_test.cpp
  tests/device/cpu_table_test.cpp
  tests/device/device_test.cpp
  tests/device/gl_primitives_test.cpp
  tests/io/photograph_test.cpp
  tests/io/picture_test.cpp
  tests/lens/cpu_test.cpp
  tests/lens/depth_tiles_test.cpp
  tests/scene/model/gltf_test.cpp
  tests/scene/model/obj_test.cpp
  tests/scene/teapots/detail_test.cpp
  tests/ui/placement_test.cpp
)
file(GLOB codecs CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/app/io/codecs/*.cpp)
list(TRANSFORM apart PREPEND ${PROJECT_SOURCE_DIR}/)
set_source_files_properties(${apart} ${codecs} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
