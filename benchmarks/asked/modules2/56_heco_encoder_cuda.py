import numpy as np
import torch
import torch.nn as nn


class IntraAttention(nn.Module):
    def __init__(self, hidden_dim, attn_drop):
        super(IntraAttention, self).__init__()
        self.att = nn.Parameter(torch.empty(size=(1, 2 * hidden_dim)), requires_grad=True)
        nn.init.xavier_normal_(self.att.data, gain=1.414)
        self.attn_drop = nn.Dropout(attn_drop)
        self.softmax = nn.Softmax(dim=1)
        self.leakyrelu = nn.LeakyReLU()

    def forward(self, nei, h, h_refer):
        nei_emb = nn.functional.embedding(nei, h)
        h_refer = torch.unsqueeze(h_refer, 1).expand_as(nei_emb)
        all_emb = torch.cat([h_refer, nei_emb], dim=-1)
        att = self.softmax(self.leakyrelu(all_emb.matmul(self.attn_drop(self.att).t())))
        return (att * nei_emb).sum(dim=1)


class ScEncoder(nn.Module):
    def __init__(self, hidden_dim, sample_rate, nei_num, attn_drop):
        super(ScEncoder, self).__init__()
        self.intra = nn.ModuleList([IntraAttention(hidden_dim, attn_drop) for _ in range(nei_num)])
        self.sample_rate = sample_rate
        self.nei_num = nei_num

    def forward(self, nei_h, nei_index):
        embeds = []
        for i in range(self.nei_num):
            sele_nei = []
            for per_node_nei in nei_index[i]:
                select_one = torch.tensor(np.random.choice(per_node_nei, self.sample_rate[i]))[np.newaxis]
                sele_nei.append(select_one)
            sele_nei = torch.cat(sele_nei, dim=0).cuda()  # asked: TL502
            embeds.append(self.intra[i](sele_nei, nei_h[i + 1], nei_h[0]))
        return torch.stack(embeds).mean(0)


def train():
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    model = ScEncoder(8, [3, 2], 2, 0.3).to(device)
    feats = [torch.randn(10, 8, device=device) for _ in range(3)]
    index = [[np.arange(5) for _ in range(10)] for _ in range(2)]
    optimiser = torch.optim.Adam(model.parameters(), lr=1e-3)
    for epoch in range(3):
        optimiser.zero_grad()
        loss = model(feats, index).pow(2).mean()
        loss.backward()
        optimiser.step()


if __name__ == "__main__":
    train()
