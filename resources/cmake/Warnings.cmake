# Strict warnings for our own code; clean with GCC 12. Libraries' headers are SYSTEM.
add_library(nodewise_options INTERFACE)
target_compile_options(nodewise_options INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion -Wnon-virtual-dtor -Woverloaded-virtual
  -Wcast-qual -Wformat=2 -Wundef)
# GCC 12 sees uninitialised members in moved-from std::optional and std::variant that are none (GCC bugs 80635, 105562).
target_compile_options(nodewise_options INTERFACE $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>)
if(NODEWISE_SANITIZE)
  target_compile_options(nodewise_options INTERFACE -fsanitize=address,undefined -fno-sanitize-recover=undefined
                         -fno-omit-frame-pointer -O1 -g1)
  target_link_options(nodewise_options INTERFACE -fsanitize=address,undefined)
endif()

# nodewise_library(name sources...): a static library of one folder, whose includes start at engine/ (or ui's parent).
function(nodewise_library name)
  set(sources)
  foreach(source ${ARGN})
    if(IS_ABSOLUTE ${source} OR EXISTS ${CMAKE_CURRENT_SOURCE_DIR}/${source})
      list(APPEND sources ${source})
    else()
      message(WARNING "${name}: ${source} is not there yet")
    endif()
  endforeach()
  add_library(${name} STATIC ${sources})
  target_link_libraries(${name} PRIVATE nodewise_options)
endfunction()
