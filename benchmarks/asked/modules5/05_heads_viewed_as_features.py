import torch
import torch.nn.functional as F
from torch import nn


class SelfAttention(nn.Module):
    def __init__(self, n_heads=4, d_model=32, key_dim=8, value_dim=8):
        super().__init__()
        self.n_heads, self.key_dim, self.value_dim = n_heads, key_dim, value_dim
        self.wq = nn.Parameter(torch.empty(n_heads, d_model, key_dim))
        self.wk = nn.Parameter(torch.empty(n_heads, d_model, key_dim))
        self.wv = nn.Parameter(torch.empty(n_heads, d_model, value_dim))
        self.wo = nn.Linear(n_heads * value_dim, d_model)
        for weight in (self.wq, self.wk, self.wv):
            nn.init.xavier_uniform_(weight)

    def forward(self, x, mask):
        batch_size, l = x.size(0), x.size(1)
        heads = torch.zeros(self.n_heads, batch_size, l, self.value_dim, device=x.device)
        hidden_mask = mask.unsqueeze(1)
        for i in range(self.n_heads):
            q, k, v = x @ self.wq[i], x @ self.wk[i], x @ self.wv[i]
            scores = torch.bmm(q, k.transpose(1, 2)) / self.key_dim**0.5
            scores = scores.masked_fill(~hidden_mask, -1e30)
            heads[i] = torch.bmm(F.softmax(scores, dim=-1), v)
        x = heads.view(batch_size, l, -1)  # asked: TL703
        return self.wo(x)


if __name__ == "__main__":
    torch.manual_seed(0)
    attention = SelfAttention().eval()
    x, mask = torch.randn(3, 10, 32), torch.ones(3, 10, dtype=torch.bool)
    both = attention(x, mask)
    alone = attention(x[:1], mask[:1])
    print(both.shape, torch.allclose(both[:1], alone, atol=1e-5))
