import torch
import torch.nn as nn


class LinearPart(nn.Module):
    def __init__(self, dense_dims, sparse_sizes, init_std=0.0001, device="cpu"):
        super(LinearPart, self).__init__()
        self.device = device
        self.tables = nn.ModuleList([nn.Embedding(n, 1) for n in sparse_sizes])
        for table in self.tables:
            nn.init.normal_(table.weight, mean=0, std=init_std)
        if sum(dense_dims) > 0:
            self.weight = nn.Parameter(torch.empty(sum(dense_dims), 1, device=device))
            torch.nn.init.normal_(self.weight, mean=0, std=init_std)

    def forward(self, sparse, dense):
        logit = torch.stack([table(sparse[:, i]) for i, table in enumerate(self.tables)]).sum(0)
        return logit + dense.matmul(self.weight)


class BaseModel(nn.Module):
    def __init__(self, device="cpu"):
        super().__init__()
        self.linear_model = LinearPart([1, 1, 3], [10, 20], device=device)
        self.to(device)

    def forward(self, sparse, dense):
        return torch.sigmoid(self.linear_model(sparse, dense))


device = "cuda:0" if torch.cuda.is_available() else "cpu"
model = BaseModel(device)
torch.save(model.state_dict(), "ctr.pth")
print(list(model.state_dict()))
