import torch
import torch.nn as nn


class EfficientAdditiveAttention(nn.Module):
    def __init__(self, in_dims=32, token_dim=16, num_heads=2):
        super().__init__()
        self.to_query = nn.Linear(in_dims, token_dim * num_heads)
        self.to_key = nn.Linear(in_dims, token_dim * num_heads)
        self.w_g = nn.Parameter(torch.randn(token_dim * num_heads, 1))
        self.scale_factor = token_dim**-0.5
        self.Proj = nn.Linear(token_dim * num_heads, token_dim * num_heads)
        self.final = nn.Linear(token_dim * num_heads, token_dim)

    def forward(self, x):
        query = torch.nn.functional.normalize(self.to_query(x), dim=-1)
        key = torch.nn.functional.normalize(self.to_key(x), dim=-1)
        query_weight = query @ self.w_g
        A = query_weight * self.scale_factor
        A = A.softmax(dim=-1)  # asked: TL320
        G = torch.sum(A * query, dim=1)
        G = G.unsqueeze(1).expand(-1, key.shape[1], -1)
        out = self.Proj(G * key) + query
        return self.final(out)


attention = EfficientAdditiveAttention()
print(attention(torch.randn(2, 10, 32)).shape)
