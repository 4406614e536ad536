// Nothing of its own: carries the precompiled headers of Warnings.cmake.
