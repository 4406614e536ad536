# Strict warnings for our own code; clean with GCC 12. Libraries' headers are SYSTEM.
add_library(nodewise_options INTERFACE)
target_compile_options(nodewise_options INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion -Wnon-virtual-dtor -Woverloaded-virtual
  -Wcast-qual -Wformat=2 -Wundef)
# GCC 12 sees uninitialised members in moved-from std::optional and std::variant that are none (GCC bugs 80635, 105562),
# and texts copied past their ends where std::string is inlined (105329, 105651).
target_compile_options(nodewise_options INTERFACE
  "$<$<AND:$<CXX_COMPILER_ID:GNU>,$<VERSION_LESS:$<CXX_COMPILER_VERSION>,13>>:-Wno-maybe-uninitialized;-Wno-array-bounds;-Wno-restrict>")
if(NODEWISE_SANITIZE)
  target_compile_options(nodewise_options INTERFACE -fsanitize=address,undefined -fno-sanitize-recover=undefined
                         -fno-omit-frame-pointer -O0 -g1)
  target_link_options(nodewise_options INTERFACE -fsanitize=address,undefined)
endif()

# Headers that most files read, compiled once: a third of the time of a whole build.
add_library(nodewise_precompiled OBJECT ${CMAKE_CURRENT_LIST_DIR}/precompiled.cpp)
target_link_libraries(nodewise_precompiled PRIVATE nodewise_options fmt::fmt nlohmann_json::nlohmann_json)
target_precompile_headers(nodewise_precompiled PRIVATE
  <algorithm> <functional> <map> <memory> <optional> <span> <string> <string_view> <variant> <vector>
  <fmt/format.h> <nlohmann/json.hpp>)

# nodewise_library(name sources...): a static library of one folder, whose includes start at engine/ (or ui's parent).
function(nodewise_library name)
  add_library(${name} STATIC ${ARGN})
  target_link_libraries(${name} PRIVATE nodewise_options)
endfunction()

# For libraries of engine/: their definitions are those that the headers above were compiled with.
function(nodewise_precompile name)
  target_precompile_headers(${name} REUSE_FROM nodewise_precompiled)
endfunction()
