import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset


def CoxLoss(survtime, censor, hazard_pred):
    current_batch_len = len(survtime)
    R_mat = (survtime.view(1, -1) >= survtime.view(-1, 1)).float()
    theta = hazard_pred.reshape(-1)
    exp_theta = torch.exp(theta)
    return -torch.mean((theta - torch.log(torch.sum(exp_theta * R_mat, dim=1))) * censor)


def train(opt, data):
    model = nn.Sequential(nn.Linear(10, 16), nn.ELU(), nn.Linear(16, 1))
    optimizer = torch.optim.Adam(model.parameters(), lr=opt["lr"])
    train_loader = DataLoader(dataset=data, batch_size=opt["batch_size"], shuffle=True, drop_last=False)
    for epoch in range(opt["epochs"]):
        model.train()
        loss_epoch = 0
        for batch_idx, (x, censor, survtime) in enumerate(train_loader):
            pred = model(x)
            loss = CoxLoss(survtime, censor, pred)
            loss_epoch += loss.data.item()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        loss_epoch /= len(train_loader.dataset)  # asked: TL224
        print("[{:s}]\t\tEpoch {:d} Loss: {:.4f}".format("Train", epoch, loss_epoch))
    return model


train({"lr": 1e-3, "batch_size": 8, "epochs": 2},
      TensorDataset(torch.randn(40, 10), torch.randint(0, 2, (40,)).float(), torch.rand(40)))
