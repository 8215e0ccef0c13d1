"""Programs of one operation each that people write less often, drawn at random."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st
from shape_operations import _ODD, _alike, _dim
from shape_programs import Draw, Program, shapes


@st.composite
def matrices(draw: Draw) -> Program:
    before = draw(shapes(0, 2, most=3))
    rows = draw(st.integers(1, 4))
    square = (*before, rows, rows + draw(_ODD))
    wide = (*before, rows, draw(st.integers(1, 4)))
    odd = draw(shapes(0, 4, most=4))
    shape = draw(st.sampled_from([square, square, wide, wide, odd]))
    other = (*before, rows + draw(_ODD), draw(st.integers(1, 3)))
    pair = (*draw(shapes(0, 2, most=3)), (shape or (1,))[-1] + draw(_ODD))
    offset, full = draw(st.integers(-1, 1)), draw(st.booleans())
    call = draw(
        st.sampled_from(
            [
                "torch.linalg.inv(x)",
                "torch.inverse(x)",
                "torch.linalg.det(x)",
                "x.trace()",
                "torch.linalg.eigh(x)",
                f"torch.linalg.svd(x, full_matrices={full})",
                "torch.linalg.qr(x)",
                "torch.linalg.solve(x, z)",
                "torch.inner(x, w)",
                "torch.tensordot(x, w.mT, dims=1)",
                "torch.tensordot(x, w, dims=([-1], [-1]))",
                "torch.linalg.multi_dot([x, z])",
                f"torch.diag_embed(x, {offset})",
                f"torch.diag(x, {offset})",
                "torch.cov(x)",
                "torch.kron(x, z)",
                "torch.block_diag(x, z)",
                f"torch.rot90(x, {draw(st.integers(-2, 3))}, (0, {_dim(draw, shape)}))",
                "torch.addbmm(torch.zeros(1), x, z)",
                "torch.cdist(x, x)",
            ]
        )
    )
    return Program({"x": shape, "z": other, "w": pair}, call)


@st.composite
def scatterings(draw: Draw) -> Program:
    shape = draw(shapes(1, 3))
    index = tuple(max(1, n - draw(st.integers(0, 2)) + draw(_ODD)) for n in shape)
    index += (1,) * draw(_ODD)
    source = tuple(n + draw(st.integers(0, 1)) - draw(_ODD) for n in index)
    dim = _dim(draw, shape)
    rows = list(shape)
    if -len(shape) <= dim < len(shape):
        rows[dim] = 2 + draw(_ODD)
    rows[draw(st.integers(0, len(shape) - 1))] += draw(_ODD)
    call, z = draw(
        st.sampled_from(
            [
                (f"x.scatter({dim}, i.long(), 1.0)", source),
                (f"torch.scatter(x, {dim}, i.long(), z)", source),
                (f"x.scatter_add({dim}, i.long(), z)", source),
                (f"x.clone().scatter_({dim}, i.long(), z)", source),
                (f"x.index_add({dim}, torch.zeros(2).long(), z)", tuple(rows)),
                (f"x.index_copy({dim}, torch.arange(2), z)", tuple(rows)),
                ("x.masked_select(z > 0)", _alike(draw, shape)),
                ("x[z > 0]", source),
                ("x[z > 0]", shape[: draw(st.integers(1, len(shape)))]),
                ("x[:, z > 0]", shape[1:2]),
                ("torch.nonzero(x)", shape),
                ("torch.bincount(x.long())", shape),
            ]
        )
    )
    return Program({"x": shape, "i": index, "z": z}, call, "_(" in call)


@st.composite
def writes(draw: Draw) -> Program:
    shape = draw(shapes(1, 3, most=4))
    lines = [f"x.clone().{name}_(z)" for name in "add mul sub copy div".split()]
    indices = [":", "0", "...", ":, 0", ":1", "1:", "None", "..., 0", ":, 1:", "0, 0", "..., None"]
    lines += [f"x.clone()\ny[{index}] = z" for index in indices]
    lines += ["x.clone()\ny += z", "x.clone()\ny[0] *= z"]
    call = draw(st.sampled_from(lines))
    return Program({"x": shape, "z": _alike(draw, shape[draw(st.integers(0, 1)) :])}, call, True)


@st.composite
def grids(draw: Draw) -> Program:
    sides = draw(st.sampled_from([2, 2, 3]))
    shape = (2, 3, *(draw(st.integers(1, 5)) for _ in range(sides)))
    shape = shape[draw(_ODD) :]
    grid = (2 + draw(_ODD), *(draw(st.integers(1, 4)) for _ in range(sides)), sides + draw(_ODD))
    sampled = "F.grid_sample(x, z, align_corners=False)"
    call, z = draw(
        st.sampled_from(
            [
                (sampled, grid),
                (sampled, grid[draw(_ODD) :]),
                ("F.affine_grid(z, x.size(), align_corners=False)", (2, sides, sides + 1)),
                ("F.affine_grid(z, (2, 1, 4, 5), align_corners=False)", (2, 2, 3 + draw(_ODD))),
                ("torch.multinomial(z, 2, replacement=True)", draw(shapes(0, 3))),
                (f"torch.fft.rfft(z, dim={_dim(draw, grid)})", grid),
                ("torch.fft.rfft2(z)", draw(shapes(1, 4))),
                ("torch.fft.fft(z)", grid),
                ("torch.fft.irfft(z)", grid),
                ("torch.fft.rfft(z, n=5)", grid),
                ("torch.view_as_real(torch.fft.fft(z))", grid),
                ("torch.atleast_2d(z)", draw(shapes(0, 3))),
                ("torch.broadcast_tensors(x, z)", _alike(draw, shape)),
                ("torch.dstack([x, z])", shape),
                ("torch.column_stack([x, z])", shape),
                ("torch.meshgrid(torch.arange(3), torch.arange(z.size(0)), indexing='ij')", grid),
                ("torch.cartesian_prod(torch.arange(3), torch.arange(z.size(0)))", grid),
            ]
        )
    )
    return Program({"x": shape, "z": z}, call)


@st.composite
def further_pools(draw: Draw) -> Program:
    count = draw(st.integers(1, 2))
    shape = tuple(draw(st.integers(2, 9)) for _ in range(count + 2))
    kernel = draw(st.integers(1, 3))
    pooled = f"F.max_pool{count}d(x, {kernel}, return_indices=True)"
    unpooled = f"F.max_unpool{count}d(*{pooled}, {kernel})"
    call = draw(
        st.sampled_from(
            [
                pooled,
                unpooled,
                f"nn.MaxPool{count}d({kernel}, return_indices=True)(x)",
                f"nn.LPPool{count}d(2, {kernel})(x)",
                f"F.lp_pool{count}d(x, 2, {kernel})",
                f"F.adaptive_max_pool{count}d(x, {kernel}, return_indices=True)",
                "F.gumbel_softmax(x, dim=1)",
                f"x.quantile(0.5, dim={_dim(draw, shape)})",
                f"torch.var_mean(x, dim={_dim(draw, shape)})",
                f"torch.std_mean(x, dim={_dim(draw, shape)}, keepdim=True)",
                "F.instance_norm(x)",
            ]
        )
    )
    return Program({"x": shape}, call)


@st.composite
def made(draw: Draw) -> Program:
    start, end, step = (draw(st.integers(*ends)) for ends in ((0, 5), (5, 12), (1, 4)))
    call = draw(
        st.sampled_from(
            [
                f"torch.arange({start}, {end})",
                f"torch.arange({start}, {end}, {step})",
                f"torch.arange(end={end})",
                "torch.arange(x.size(0))",
                "torch.arange(1, x.size(0) + 1)",
                f"torch.arange(0, x.size(1), {step})",
                f"torch.linspace(0, 1, {end})",
                "torch.linspace(0, 1, steps=x.size(1))",
                f"torch.normal(0.0, 1.0, ({step}, {end}))",
                "torch.normal(x, 1.0)",
                "nn.Transformer.generate_square_subsequent_mask(x.size(0))",
                "torch.eye(x.size(0)) + torch.full((1, x.size(0)), 2.0)",
            ]
        )
    )
    return Program({"x": (draw(st.integers(1, 6)), draw(st.integers(1, 6)))}, call)


@st.composite
def masked(draw: Draw) -> Program:
    heads, width = 2, 4
    first = draw(st.booleans())
    batch, length, keys = (draw(st.integers(1, 4)) for _ in range(3))
    x, z = (batch, length, width), (batch, keys, width)
    if not first:
        x, z = (length, batch, width), (keys, batch, width)
    odd: Any = lambda: draw(_ODD)  # noqa: E731
    mask = (length + odd(), keys + odd())
    whole = (batch * heads, *mask)
    padding = (batch + odd(), keys + odd())
    settings = ", batch_first=True" if first else ""
    layer = f"nn.MultiheadAttention({width}, {heads}{settings})"
    call, m = draw(
        st.sampled_from(
            [
                (f"{layer}(x, z, z, attn_mask=m)[0]", mask),
                (f"{layer}(x, z, z, attn_mask=m)[0]", whole),
                (f"{layer}(x, z, z, key_padding_mask=m > 0)[0]", padding),
                ("F.scaled_dot_product_attention(x, x, x, attn_mask=m)", (x[1], x[1] + odd())),
            ]
        )
    )
    return Program({"x": x, "z": z, "m": m}, call)


@st.composite
def weighted(draw: Draw) -> Program:
    shape = (2, 3, draw(st.integers(3, 6)))
    width, out = shape[-1] + draw(_ODD), draw(st.integers(1, 4))
    bias = (out + draw(_ODD),)
    call, w = draw(
        st.sampled_from(
            [
                ("F.linear(x, w, b)", (out, width)),
                ("F.conv1d(x, w, b)", (out, 3, 2)),
                ("F.conv_transpose1d(x, w, b)", (3, out, 2)),
                ("F.bilinear(x, x, w, b)", (out, width, width)),
                ("nn.ConvTranspose1d(3, 2, 2, stride=2)(x, output_size=[2 * x.size(2)])", (1,)),
                ("nn.Conv1d(3, 2, 3, padding=1, padding_mode='reflect')(x)", (1,)),
                ("nn.Conv1d(3, 2, 3, padding=2, padding_mode='circular')(x)", (1,)),
                ("nn.LSTMCell(4, 2)(x[0, :, :4], (x[0, :, :2], x[0, :, :2]))", (1,)),
                ("nn.GRUCell(3, 3)(x[0, :, :3], w)", (3, 3)),
            ]
        )
    )
    return Program({"x": shape, "w": w, "b": bias}, call)


@st.composite
def further_losses(draw: Draw) -> Program:
    shape = draw(shapes(1, 3, most=4))
    other = tuple(n + draw(_ODD) for n in shape)
    target = tuple(n + draw(_ODD) for n in shape[: draw(st.integers(0, 2))])
    call, t = draw(
        st.sampled_from(
            [
                ("F.triplet_margin_loss(x, z, x)", shape),
                ("F.cosine_embedding_loss(x, z, t)", target),
                ("F.margin_ranking_loss(x, z, t)", other),
                ("F.multi_margin_loss(x, t.long())", target),
                ("F.multilabel_soft_margin_loss(x, z)", shape),
                ("F.multilabel_margin_loss(x, z.long())", shape),
                ("F.hinge_embedding_loss(x, z)", shape),
                ("F.poisson_nll_loss(x, z)", shape),
                ("F.soft_margin_loss(x, z)", shape),
                ("nn.PoissonNLLLoss()(x, z)", shape),
            ]
        )
    )
    return Program({"x": shape, "z": other, "t": t}, call)
