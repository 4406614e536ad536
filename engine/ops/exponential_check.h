// Checking a single-precision matrix exponential where the recorded one is itself inexact.
#pragma once

#include "graph/graph.h"

#include <string>

namespace nodewise {

/// Square matrices, with any equal batch axes before.
struct ExponentialCall {
  const Tensor& input;    ///< recorded: float32 or complex64
  const Tensor& found;    ///< of the input's dtype and shape
  const Tensor& recorded; ///< of the input's dtype and shape
};

/// Empty if `found` is right though it differs from `recorded`: each element found is within
/// atol + rtol * |exact| of the exact exponential (a Taylor series in double precision, whose own rounding
/// counts against what was found), the recorded matrix is within the a-priori bound of scaling and squaring
/// in single precision, and what was found is the closer of both. Else what is wrong; not-a-number is never
/// right.
///
/// The bound, in the 1-norm with unit roundoff u: squaring X with error e gives 2 |X| e + n u |X|^2, so that
/// s squarings multiply the error by |X|^2 |X^2| ... |X^(2^(s-1))|; before them stand n u |X| of the Pade
/// approximant's evaluation and u |A / 2^s| |X| of its backward error. N. J. Higham, The scaling and squaring
/// method for the matrix exponential revisited, SIAM J. Matrix Anal. Appl. 26 (2005); s is the greatest that
/// A. H. Al-Mohy and N. J. Higham, A new scaling and squaring algorithm for the matrix exponential, SIAM J.
/// Matrix Anal. Appl. 31 (2009), choose for a matrix of this norm.
std::string checkExponential(const ExponentialCall& call, double rtol, double atol);

} // namespace nodewise
