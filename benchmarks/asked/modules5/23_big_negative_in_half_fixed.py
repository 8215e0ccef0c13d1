import torch
from torch import nn


class ExpertAttention(nn.Module):
    def __init__(self, width=32, num_heads=4):
        super().__init__()
        self.num_heads, self.head_dim = num_heads, width // num_heads
        self.q_proj, self.k_proj = nn.Linear(width, width), nn.Linear(width, width)
        self.v_proj, self.o_proj = nn.Linear(width, width), nn.Linear(width, width)

    def eager_attention_forward(self, attention_mask, query_states, key_states, value_states):
        att_weights = torch.matmul(query_states, key_states.transpose(2, 3))
        att_weights *= self.head_dim**-0.5
        big_neg = torch.finfo(att_weights.dtype).min
        masked_att_weights = torch.where(attention_mask[:, None, :, :], att_weights, big_neg)
        probs = nn.functional.softmax(masked_att_weights, dim=-1).to(dtype=value_states.dtype)
        return torch.matmul(probs, value_states)

    def forward(self, hidden, attention_mask):
        batch, length, width = hidden.shape
        shape = (batch, length, self.num_heads, self.head_dim)
        query, key, value = [
            proj(hidden).view(shape).transpose(1, 2) for proj in (self.q_proj, self.k_proj, self.v_proj)
        ]
        out = self.eager_attention_forward(attention_mask, query, key, value)
        return self.o_proj(out.transpose(1, 2).reshape(batch, length, width))


def train(steps=2):
    device = "cuda" if torch.cuda.is_available() else "cpu"
    policy = ExpertAttention().to(device)
    optimizer, scaler = torch.optim.AdamW(policy.parameters(), lr=1e-4), torch.amp.GradScaler(device)
    padded = torch.tensor([[True] * 5, [True] * 3 + [False] * 2], device=device)
    mask = torch.ones(5, 5, dtype=torch.bool, device=device).tril() & padded[:, None] & padded[:, :, None]
    for _ in range(steps):
        with torch.autocast(device, dtype=torch.float16):
            loss = policy(torch.randn(2, 5, 32, device=device), mask).pow(2).mean()
        optimizer.zero_grad()
        scaler.scale(loss).backward()
        scaler.step(optimizer)
        scaler.update()
        print(loss.item())


if __name__ == "__main__":
    train()
