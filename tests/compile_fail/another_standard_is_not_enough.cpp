// says: seen needs C++20: compile with -std=c++20
#ifdef MISTAKE
#undef __cplusplus
#define __cplusplus 201703L
#endif
#include <seen/filters/bloom.hpp>
