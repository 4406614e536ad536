# Every dependency, its Debian package and the reason for it. tests/run.sh and app/run.sh install the packages named
# in resources/packages.txt, which has the same list.
function(nodewise_missing what package)
  message(FATAL_ERROR "Nodewise needs ${what}. On Debian: apt-get install ${package}")
endfunction()

# LLVM 19: code generation and the ORC JIT.
find_package(LLVM 19.1 CONFIG QUIET HINTS /usr/lib/llvm-19)
if(NOT LLVM_FOUND)
  nodewise_missing("LLVM 19.1" llvm-19-dev)
endif()

# SQLite: the cache. 3.35 brought RETURNING, 3.24 upserts.
find_package(SQLite3 3.35 QUIET)
if(NOT SQLite3_FOUND)
  nodewise_missing("SQLite 3.35 or newer" libsqlite3-dev)
endif()

# {fmt}: formatted text (GCC 12 has no std::format).
find_package(fmt 9 CONFIG QUIET)
if(NOT fmt_FOUND)
  nodewise_missing("fmt 9 or newer" libfmt-dev)
endif()

# nlohmann/json: the graph file, --json.
find_package(nlohmann_json 3.11 CONFIG QUIET)
if(NOT nlohmann_json_FOUND)
  nodewise_missing("nlohmann-json 3.11 or newer" nlohmann-json3-dev)
endif()

# CLI11: the command line.
find_package(CLI11 2.1 CONFIG QUIET)
if(NOT CLI11_FOUND)
  nodewise_missing("CLI11 2.1 or newer" libcli11-dev)
endif()

# Boost.Math: special functions.
find_package(Boost 1.74 QUIET)
if(NOT Boost_FOUND)
  nodewise_missing("Boost.Math 1.74 or newer" libboost-math-dev)
endif()

# OpenBLAS and LAPACKE: matrix products, factorisations.
find_library(NODEWISE_OPENBLAS NAMES openblas)
find_path(NODEWISE_CBLAS_INCLUDE cblas-openblas.h cblas.h PATH_SUFFIXES x86_64-linux-gnu openblas)
find_library(NODEWISE_LAPACKE NAMES lapacke)
find_path(NODEWISE_LAPACKE_INCLUDE lapacke.h)
if(NOT NODEWISE_OPENBLAS OR NOT NODEWISE_CBLAS_INCLUDE)
  nodewise_missing("OpenBLAS" libopenblas-dev)
endif()
if(NOT NODEWISE_LAPACKE OR NOT NODEWISE_LAPACKE_INCLUDE)
  nodewise_missing("LAPACKE" liblapacke-dev)
endif()

# libcerf: error functions of complex arguments (Faddeeva's algorithms); Boost.Math has real ones only.
find_library(NODEWISE_CERF NAMES cerf)
find_path(NODEWISE_CERF_INCLUDE cerf.h)
if(NOT NODEWISE_CERF OR NOT NODEWISE_CERF_INCLUDE)
  nodewise_missing("libcerf" libcerf-dev)
endif()

# MINPACK in C: roots of systems of equations (RootOp), by the algorithms that SciPy has from MINPACK too.
find_library(NODEWISE_CMINPACK NAMES cminpack)
find_path(NODEWISE_CMINPACK_INCLUDE cminpack.h PATH_SUFFIXES cminpack-1)
if(NOT NODEWISE_CMINPACK OR NOT NODEWISE_CMINPACK_INCLUDE)
  nodewise_missing("cminpack" libcminpack-dev)
endif()

# Eigen: Fourier transforms (unsupported/Eigen/FFT, headers only, MPL 2). Debian has no pocketfft; FFTW is GPL.
find_package(Eigen3 3.3 CONFIG QUIET)
if(NOT Eigen3_FOUND)
  nodewise_missing("Eigen 3.3 or newer" libeigen3-dev)
endif()

# NumPy's own samplers as a C library, so that random draws repeat NumPy's bit for bit. Optional: without it random
# nodes are unsupported and say why.
find_library(NODEWISE_NPYRANDOM NAMES npyrandom
             PATHS /usr/lib/python3/dist-packages/numpy/random/lib NO_DEFAULT_PATH)
find_path(NODEWISE_NPYRANDOM_INCLUDE numpy/random/distributions.h
          PATHS /usr/lib/python3/dist-packages/numpy/core/include NO_DEFAULT_PATH)
find_path(NODEWISE_PYTHON_INCLUDE Python.h PATH_SUFFIXES python3.11)

# Qt 6: the window, and QtTest for all tests.
if(NODEWISE_UI OR NODEWISE_TESTS)
  find_package(Qt6 6.4 COMPONENTS Core Gui Widgets Test QUIET)
  if(NOT Qt6_FOUND)
    nodewise_missing("Qt 6.4 (Widgets, Test)" qt6-base-dev)
  endif()
endif()
# Qt's SVG writer: graphs as pictures.
if(NODEWISE_UI)
  find_package(Qt6Svg 6.4 QUIET)
  if(NOT Qt6Svg_FOUND)
    nodewise_missing("Qt 6.4's SVG module" qt6-svg-dev)
  endif()
endif()

# Graphviz' dot draws graphs, in a process of its own; looked up when it is needed.
find_program(NODEWISE_DOT dot)
if(NOT NODEWISE_DOT)
  message(WARNING "Graphviz' dot was not found: graphs will be laid out by the fallback. On Debian: apt-get install graphviz")
endif()

find_package(Threads REQUIRED)
