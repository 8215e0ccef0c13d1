import torch
import torch.nn as nn

INF = 1e12


class GatedAttentionUnit(nn.Module):
    def __init__(self, hidden_size=32, intermediate_size=64, attention_key_size=16):
        super().__init__()
        self.intermediate_size, self.attention_key_size = intermediate_size, attention_key_size
        self.i_dense = nn.Linear(hidden_size, 2 * intermediate_size + attention_key_size)
        self.o_dense = nn.Linear(intermediate_size, hidden_size)
        self.q_scale = nn.Parameter(torch.ones(attention_key_size))
        self.k_scale = nn.Parameter(torch.ones(attention_key_size))

    def forward(self, hidden_states, attention_mask):
        x = torch.nn.functional.silu(self.i_dense(hidden_states))
        u, v, qk = x.split([self.intermediate_size, self.intermediate_size, self.attention_key_size], dim=-1)
        q, k = qk * self.q_scale, qk * self.k_scale
        a = torch.einsum("bmd,bnd->bmn", q, k) / self.attention_key_size**0.5
        a = a.masked_fill(attention_mask == 0, -INF)  # asked: TL318
        A = torch.softmax(a, dim=-1)
        return self.o_dense(u * torch.einsum("bmn,bnd->bmd", A, v))


class GAUAlphaLayer(nn.Module):
    def __init__(self, hidden_size=32):
        super().__init__()
        self.gau, self.norm = GatedAttentionUnit(hidden_size), nn.LayerNorm(hidden_size)

    def forward(self, hidden_states, attention_mask):
        return self.norm(hidden_states + self.gau(hidden_states, attention_mask[:, None]))


if __name__ == "__main__":
    device = "cuda" if torch.cuda.is_available() else "cpu"
    model = GAUAlphaLayer().to(device).half().eval()
    mask = torch.ones(2, 6, device=device)
    mask[1, 4:] = 0
    with torch.no_grad():
        print(model(torch.randn(2, 6, 32, device=device).half(), mask).shape)
