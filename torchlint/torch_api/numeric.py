"""Parameters of torch's operations that take numbers."""

SIZES = frozenset(
    "size shape dim dims scale_factor output_size kernel_size stride padding repeats pad shifts "
    "split_size_or_sections".split()
)
"""Those for which a tensor without dimensions is read as one."""

RATES = frozenset(
    "p alpha beta eps ord k momentum threshold negative_slope lambd diagonal offset num_samples "
    "num_classes max_norm norm_type margin delta label_smoothing dropout_p groups dilation".split()
)
"""Those for which what is not known to be a tensor is none."""
