import math

import torch


def phase_vocoder(spec, rate, phase_advance):
    steps = torch.arange(0, spec.size(-1), rate, device=spec.device)
    angle_0 = spec.index_select(-1, steps.long()).angle()
    angle_1 = spec.index_select(-1, (steps + 1).clamp(max=spec.size(-1) - 1).long()).angle()
    phase = angle_1 - angle_0 - phase_advance
    phase = phase - 2 * math.pi * torch.round(phase / (2 * math.pi))
    return torch.cumsum(phase + phase_advance, -1)


class Stretch(torch.nn.Module):
    def __init__(self, hop_length=None, n_freq=201, fixed_rate=None):
        super(Stretch, self).__init__()
        n_fft = (n_freq - 1) * 2
        hop_length = hop_length if hop_length is not None else n_fft // 2
        self.fixed_rate = fixed_rate
        self.register_buffer("phase_advance", torch.linspace(0, math.pi * hop_length, n_freq)[..., None])

    def forward(self, spec, overriding_rate=None):
        rate = self.fixed_rate if overriding_rate is None else overriding_rate
        if rate is None:
            raise ValueError("no rate")
        return phase_vocoder(spec, rate, self.phase_advance)


device = "cuda" if torch.cuda.is_available() else "cpu"
m = Stretch().to(device)
print(m(torch.randn(1, 2, 201, 40, dtype=torch.cfloat, device=device), 1.3).shape)
