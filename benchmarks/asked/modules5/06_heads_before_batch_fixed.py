import torch
import torch.nn.functional as F
from torch import nn


class MultiheadAttention(nn.Module):
    def __init__(self, emb_dim=32, num_heads=4):
        super().__init__()
        self.num_heads, self.head_dim = num_heads, emb_dim // num_heads
        self.query_proj, self.key_proj = nn.Linear(emb_dim, emb_dim), nn.Linear(emb_dim, emb_dim)
        self.value_proj, self.out_proj = nn.Linear(emb_dim, emb_dim), nn.Linear(emb_dim, emb_dim)

    def reshape_from_feed_to_heads(self, batch_size, tensor):
        # (batch, length, emb) -> (heads * batch, length, head dim)
        tensor = tensor.view(batch_size, -1, self.num_heads, self.head_dim).permute(2, 0, 1, 3)
        return tensor.contiguous().view(batch_size * self.num_heads, -1, self.head_dim)

    def reshape_to_concat(self, batch_size, tensor):
        # (batch, heads, length, head dim) -> (batch, length, heads * head dim)
        tensor = tensor.permute(0, 2, 1, 3)
        return tensor.contiguous().view(batch_size, -1, self.num_heads * self.head_dim)

    def forward(self, x):
        batch_size = x.size(0)
        query = self.reshape_from_feed_to_heads(batch_size, self.query_proj(x))
        key = self.reshape_from_feed_to_heads(batch_size, self.key_proj(x))
        value = self.reshape_from_feed_to_heads(batch_size, self.value_proj(x))
        score = F.softmax(torch.bmm(query, key.transpose(1, 2)) / self.head_dim**0.5, dim=-1)
        output = torch.bmm(score, value).view(self.num_heads, batch_size, -1, self.head_dim)
        output = output.transpose(0, 1)
        return self.out_proj(self.reshape_to_concat(batch_size, output))


class Encoder(nn.Module):
    def __init__(self, vocab=100, emb_dim=32):
        super().__init__()
        self.embedding, self.attention = nn.Embedding(vocab, emb_dim), MultiheadAttention(emb_dim)
        self.norm = nn.LayerNorm(emb_dim)

    def forward(self, tokens):
        x = self.embedding(tokens)
        return self.norm(x + self.attention(x))


if __name__ == "__main__":
    torch.manual_seed(0)
    encoder, tokens = Encoder(), torch.randint(100, (3, 7))
    print(torch.allclose(encoder(tokens)[:1], encoder(tokens[:1]), atol=1e-5))
