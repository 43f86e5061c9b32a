# Builds for another machine and runs in an emulator: cmake --preset s390x, or another of these.
#
#   s390x    64 bits, the highest byte first      ppc64    likewise, of another make
#   i386     32 bits, run by this processor       armhf    32 bits, words of 64 aligned
#   aarch64  64-bit ARM                           riscv64  64-bit RISC-V
#
# Debian has the compilers (tools/packages_arch.txt). A compiler for another machine must not read this one's headers and libraries:
# those that are the same everywhere (xxHash's and Highway's) are linked into a folder of their own, and GoogleTest is compiled from its
# sources.
set(SEEN_ARCH "" CACHE STRING "the machine to build for")
set(CMAKE_TRY_COMPILE_PLATFORM_VARIABLES SEEN_ARCH)
set(machine_s390x s390x-linux-gnu s390x)
set(machine_ppc64 powerpc64-linux-gnu ppc64)
set(machine_i386 i686-linux-gnu i386)
set(machine_armhf arm-linux-gnueabihf arm)
set(machine_aarch64 aarch64-linux-gnu aarch64)
set(machine_riscv64 riscv64-linux-gnu riscv64)
if(NOT DEFINED machine_${SEEN_ARCH})
  message(FATAL_ERROR "SEEN_ARCH is '${SEEN_ARCH}'; known are s390x, ppc64, i386, armhf, aarch64 and riscv64")
endif()
list(GET machine_${SEEN_ARCH} 0 triplet)
list(GET machine_${SEEN_ARCH} 1 emulated)

set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR ${SEEN_ARCH})
set(CMAKE_C_COMPILER ${triplet}-gcc)
set(CMAKE_CXX_COMPILER ${triplet}-g++)
set(CMAKE_FIND_ROOT_PATH ${CMAKE_BINARY_DIR}/headers /usr/${triplet})
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)

set(CMAKE_CROSSCOMPILING_EMULATOR qemu-${emulated}-static -L /usr/${triplet})
if(SEEN_ARCH STREQUAL "i386" AND CMAKE_HOST_SYSTEM_PROCESSOR STREQUAL "x86_64")
  # Fifteen times as fast, if the kernel runs programs of 32 bits.
  set(loader /usr/${triplet}/lib/ld-linux.so.2)
  execute_process(COMMAND ${loader} --version RESULT_VARIABLE refused OUTPUT_QUIET ERROR_QUIET)
  if(NOT refused)
    set(CMAKE_CROSSCOMPILING_EMULATOR ${loader} --library-path /usr/${triplet}/lib)
  endif()
endif()

# bin/run PROGRAM ARGUMENT...: for programs that ctest does not start.
string(JOIN " " emulator ${CMAKE_CROSSCOMPILING_EMULATOR})
file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/bin/run CONTENT "#!/bin/sh\nexec ${emulator} \"\$@\"\n" @ONLY)
file(CHMOD ${CMAKE_BINARY_DIR}/bin/run PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)

foreach(header hwy xxhash.h xxh3.h)
  if(EXISTS /usr/include/${header} AND NOT EXISTS ${CMAKE_BINARY_DIR}/headers/include/${header})
    file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/headers/include)
    file(CREATE_LINK /usr/include/${header} ${CMAKE_BINARY_DIR}/headers/include/${header} SYMBOLIC)
  endif()
endforeach()
