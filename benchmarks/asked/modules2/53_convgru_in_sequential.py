from collections import OrderedDict

import torch
import torch.nn as nn


class ConvGRUCell(nn.Module):
    def __init__(self, input_size, hidden_size, kernel_size):
        super().__init__()
        self.hidden_size = hidden_size
        padding = kernel_size // 2
        self.gates = nn.Conv2d(input_size + hidden_size, 2 * hidden_size, kernel_size, padding=padding)
        self.out_gate = nn.Conv2d(input_size + hidden_size, hidden_size, kernel_size, padding=padding)

    def forward(self, input_, prev_state):
        if prev_state is None:
            prev_state = torch.zeros([input_.size(0), self.hidden_size, *input_.shape[2:]], device=input_.device)
        update, reset = torch.sigmoid(self.gates(torch.cat([input_, prev_state], dim=1))).chunk(2, dim=1)
        out_inputs = torch.tanh(self.out_gate(torch.cat([input_, prev_state * reset], dim=1)))
        return prev_state * (1 - update) + out_inputs * update


class ConvGRU(nn.Module):
    def __init__(self, input_size, hidden_sizes, kernel_sizes, n_layers):
        super().__init__()
        self.n_layers = n_layers
        self.cells = nn.ModuleList()
        for i in range(n_layers):
            self.cells.append(ConvGRUCell(input_size if i == 0 else hidden_sizes[i - 1], hidden_sizes[i], kernel_sizes[i]))

    def forward(self, x, hidden=None):
        if not hidden:
            hidden = [None] * self.n_layers
        input_ = x
        upd_hidden = []
        for layer_idx in range(self.n_layers):
            upd_cell_hidden = self.cells[layer_idx](input_, hidden[layer_idx])
            upd_hidden.append(upd_cell_hidden)
            input_ = upd_cell_hidden
        return upd_hidden


class ConvGRUBlock(nn.Module):
    def __init__(self):
        super(ConvGRUBlock, self).__init__()
        self.combine = nn.Sequential(OrderedDict([  # asked: TL421
            ("layer1", ConvGRU(input_size=8, hidden_sizes=[32, 64], kernel_sizes=[3, 5], n_layers=2)),
            ("layer2", ConvGRU(input_size=64, hidden_sizes=[32, 64], kernel_sizes=[3, 5], n_layers=2)),
        ]))

    def forward(self, x):
        out = self.combine(x)
        return out


model = ConvGRUBlock()
output = model(torch.randn(1, 8, 16, 16))
print(len(output))
