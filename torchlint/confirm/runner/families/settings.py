"""Claims about layers that are built, or called, with settings that torch refuses."""

from __future__ import annotations

from ..claims import Raises

layer_arguments = Raises(
    r"must be divisible by|has to be divisible|positive integer|negative dimension|supported for"
    r"|Invalid padding string|padding_mode|\"zeros\" padding mode|must be tuple of ints"
    r"|should be of type (?:int|bool)|object cannot be interpreted as an integer|is not iterable"
    r"|must be > 0|must be greater than|should be a number in range|has to be between 0 and 1"
    r"|within num_embeddings|proj_size|activation should be|Unknown nonlinearity"
    r"|only p == 1 and p == 2|expected margin|[Kk]ernel size can't be greater"
    r"|[Oo]utput size is too small|pad should be at most half|sliding blocks"
    r"|output padding must be smaller|list of \d values|output_size must be"
    r"|either size or scale_factor|only one of size|Padding (?:size|length)"
    r"|non-positive|unexpected keyword argument 'proj_size'",
    (RuntimeError, ValueError, TypeError, AssertionError),
)
index_out_of_range = Raises(
    r"[Ii]ndex out of range|out of bounds|out of range|is out of DATA bounds|not in the valid range"
    r"|Class values must be|either for all|exceeds dimension size",
    (IndexError, RuntimeError),
)
einsum_pattern = Raises(
    r"einsum\(\)|-reduction pattern|not enough values to unpack|too many values to unpack"
    r"|Error while preprocessing|ellipsis|axis|axes|pattern|parenthes|[Dd]imension|operands"
    r"|identifier|unknown to einops",
    (RuntimeError, ValueError),
)
