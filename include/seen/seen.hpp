// All of seen: every kind, files, and the filter whose kind is known at run time. Where compile time matters, include
// filters/<kind>.hpp and io.hpp instead.
#pragma once

#include <seen/any_builder.hpp>
#include <seen/any_filter.hpp>
#include <seen/base/build_options.hpp>
#include <seen/base/version.hpp>
#include <seen/builder.hpp>
#include <seen/concepts.hpp>
#include <seen/filter.hpp>
#include <seen/filter_info.hpp>
#include <seen/filters/binary_fuse.hpp>
#include <seen/filters/blocked_bloom.hpp>
#include <seen/filters/blocked_counting_bloom.hpp>
#include <seen/filters/bloom.hpp>
#include <seen/filters/counting_bloom.hpp>
#include <seen/filters/cuckoo.hpp>
#include <seen/filters/growing_cuckoo.hpp>
#include <seen/filters/partitioned_bloom.hpp>
#include <seen/filters/portable_bloom.hpp>
#include <seen/filters/quotient.hpp>
#include <seen/filters/ribbon.hpp>
#include <seen/filters/scalable_bloom.hpp>
#include <seen/filters/scalable_classic_bloom.hpp>
#include <seen/filters/split_block.hpp>
#include <seen/filters/windowed_bloom.hpp>
#include <seen/filters/xor_filter.hpp>
#include <seen/hash/any_hash.hpp>
#include <seen/io.hpp>
#include <seen/options.hpp>
#include <seen/registry.hpp>
#include <seen/survey.hpp>
