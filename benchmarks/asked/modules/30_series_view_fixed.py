import torch
import torch.nn as nn


class Backbone(nn.Module):
    def __init__(self, in_channels):
        super().__init__()
        self.conv = nn.Conv1d(in_channels, 16, 3, padding=1)
        self.head = nn.Linear(16, 8)

    def forward(self, x):
        return self.head(torch.relu(self.conv(x)).mean(-1))


def pretext_train(train_loader, model, criterion, optimizer):
    model.train()
    for i, batch in enumerate(train_loader):
        ts_org, ts_w_augmented, ts_ss_augmented = batch
        b, w, h = ts_org.shape

        input_ = torch.cat([ts_org, ts_w_augmented, ts_ss_augmented], dim=0).transpose(1, 2)
        output = model(input_)
        q, k, n = output.view(3, b, -1)
        loss = criterion(q, k, n)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


series = torch.randn(40, 200, 3)
loader = torch.utils.data.DataLoader(torch.utils.data.TensorDataset(series, series + 0.1, series.flip(1)), batch_size=8, shuffle=True, drop_last=True)
model = Backbone(3)
pretext_train(loader, model, nn.TripletMarginLoss(), torch.optim.Adam(model.parameters()))
