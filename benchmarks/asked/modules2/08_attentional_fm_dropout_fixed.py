import torch
import torch.nn.functional as F


class AttentionalFM(torch.nn.Module):
    def __init__(self, embed_dim, attn_size, dropouts):
        super().__init__()
        self.attention = torch.nn.Linear(embed_dim, attn_size)
        self.projection = torch.nn.Linear(attn_size, 1)
        self.fc = torch.nn.Linear(embed_dim, 1)
        self.dropouts = dropouts

    def forward(self, x):
        num_fields = x.shape[1]
        row, col = list(), list()
        for i in range(num_fields - 1):
            for j in range(i + 1, num_fields):
                row.append(i), col.append(j)
        p, q = x[:, row], x[:, col]
        inner_product = p * q
        attn_scores = F.relu(self.attention(inner_product))
        attn_scores = F.softmax(self.projection(attn_scores), dim=1)
        attn_scores = F.dropout(attn_scores, p=self.dropouts[0], training=self.training)
        attn_output = torch.sum(attn_scores * inner_product, dim=1)
        attn_output = F.dropout(attn_output, p=self.dropouts[1], training=self.training)
        return self.fc(attn_output)


class Model(torch.nn.Module):
    def __init__(self, field_dims, embed_dim=16, attn_size=16, dropouts=(0.2, 0.2)):
        super().__init__()
        self.embedding = torch.nn.Embedding(sum(field_dims), embed_dim)
        self.afm = AttentionalFM(embed_dim, attn_size, dropouts)

    def forward(self, x):
        return torch.sigmoid(self.afm(self.embedding(x)).squeeze(1))


def test(model, loader):
    model.eval()
    preds = list()
    with torch.no_grad():
        for fields, _ in loader:
            preds.extend(model(fields).tolist())
    return preds


if __name__ == "__main__":
    net = Model([10, 10, 10])
    data = [(torch.randint(0, 30, (8, 3)), torch.randint(0, 2, (8,)))]
    print(test(net, data) == test(net, data))
