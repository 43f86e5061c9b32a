// How full blocks are when keys fall into them by chance: the mean, the spread and the whole distribution.
//
// A block of L lanes of l bits each, b throws of every key in each lane (lanes.hpp), holds a Poisson number of keys of mean λ.
// A lane of n keys leaves a bit clear with probability (1 − 1/l)^(bn), and two of its bits with (1 − 2/l)^(bn). The mean of x^n
// over n is e^(−λ(1−x)), so with a = (1 − 1/l)^b and c = (1 − 2/l)^b
//
//   E[clear bits Z]  =  L·l·e^(−λ(1−a))                               which, read backwards, gives λ for a fill
//   E[Z(Z − 1)]      =  L·l·(l − 1)·e^(−λ(1−c))                       two bits of one lane
//                     + L·(L − 1)·l²·e^(−λ(1−a²))                     one in each of two lanes
//
// The distribution itself is the mixture over n of what n keys set: in a lane a walk throw by throw (P(j hit) moves to j + 1 with
// probability 1 − j/l), in L lanes its L-fold convolution.
//
// Cost: nothing but for the distribution, which takes up to a few hundred times 10^5 steps.
#pragma once

#include <seen/math/lanes.hpp>

#include <vector>

namespace seen::inline v1::math {

/// The mean number of keys per block at which this share of the bits is set; infinite where all are.
[[nodiscard]] double keys_per_block(const lane_shape& block, double fill) noexcept;

/// The variance of the number of set bits of a block, with this mean number of keys per block.
[[nodiscard]] double variance_of_block(const lane_shape& block, double load) noexcept;

/// The probability that a block has 0, 1, … bits_of_block() bits set, with this mean number of keys per block. Empty where the
/// load is beyond 2000, which leaves no bit clear.
[[nodiscard]] std::vector<double> distribution_of_block(const lane_shape& block, double load);

}  // namespace seen::inline v1::math
