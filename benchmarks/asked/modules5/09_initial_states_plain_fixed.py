import torch
from torch import nn


class sLSTMblock(nn.Module):
    def __init__(self, x_example, factor=2, depth=4):
        super().__init__()
        self.input_size = x_example.shape[2]
        self.ln = nn.LayerNorm(self.input_size)
        self.i_gate, self.ri_gate = nn.Linear(self.input_size, self.input_size), nn.Linear(self.input_size, self.input_size)
        self.z_gate, self.rz_gate = nn.Linear(self.input_size, self.input_size), nn.Linear(self.input_size, self.input_size)
        self.proj = nn.Linear(self.input_size, self.input_size)
        self.init_states(x_example)

    def init_states(self, x):
        self.register_buffer("nt_1", torch.zeros(1, 1, x.shape[2], device=x.device))
        self.register_buffer("ct_1", torch.zeros(1, 1, x.shape[2], device=x.device))
        self.register_buffer("ht_1", torch.zeros(1, 1, x.shape[2], device=x.device))

    def forward(self, x):
        x = self.ln(x)
        it = torch.exp(self.i_gate(x) + self.ri_gate(self.ht_1))
        zt = torch.tanh(self.z_gate(x) + self.rz_gate(self.ht_1))
        ct = self.ct_1 + it * zt
        nt = self.nt_1 + it
        ht = ct / nt
        self.ct_1, self.nt_1 = ct.detach().mean((0, 1), keepdim=True), nt.detach().mean((0, 1), keepdim=True)
        self.ht_1 = ht.detach().mean((0, 1), keepdim=True)
        return x + self.proj(ht)


class xLSTM(nn.Module):
    def __init__(self, depth, x_example):
        super().__init__()
        self.blocks = nn.ModuleList([sLSTMblock(x_example) for _ in range(depth)])

    def init_states(self, x):
        for block in self.blocks:
            block.init_states(x)

    def forward(self, x):
        for block in self.blocks:
            x = block(x)
        return x


if __name__ == "__main__":
    model = xLSTM(2, torch.zeros(4, 10, 32))
    model.to("meta")
    print({name for block in model.blocks for name in ("nt_1", "ct_1") if getattr(block, name).device.type == "cpu"})
    device = "cuda" if torch.cuda.is_available() else "cpu"
    model = xLSTM(2, torch.zeros(4, 10, 32)).to(device)
    print(model(torch.randn(4, 10, 32, device=device)).shape)
