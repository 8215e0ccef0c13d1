import torch
from torch import nn


class TemporalAttentionPooling(nn.Module):
    def __init__(self, features_in, activation=None, kernel_size=1):
        super().__init__()
        self.features_in = features_in
        self.attention_pooling = nn.Sequential(
            nn.Conv1d(in_channels=features_in, out_channels=1, kernel_size=kernel_size),
            nn.Softmax(dim=2),
        )

    def forward(self, features):
        batch_size, history_len, feature_size = features.shape
        x = features.permute(0, 2, 1).contiguous()
        x_a = self.attention_pooling(x)
        x_attn = x * x_a
        return x_attn.sum(2, keepdim=True).view(batch_size, feature_size)


class Actor(nn.Module):
    def __init__(self, obs=12, hidden=24, act=3):
        super().__init__()
        self.observation_net = nn.Sequential(nn.Linear(obs, hidden), nn.ReLU())
        self.pooling = TemporalAttentionPooling(hidden)
        self.head = nn.Linear(hidden, act)

    def forward(self, states):
        return torch.tanh(self.head(self.pooling(self.observation_net(states))))


print(Actor()(torch.randn(6, 4, 12)).shape)
