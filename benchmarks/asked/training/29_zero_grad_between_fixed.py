import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset


class Autoencoder(nn.Module):
    def __init__(self):
        super(Autoencoder, self).__init__()
        self.encoder = nn.Sequential(nn.Linear(28, 12), nn.ReLU(True), nn.Linear(12, 3))
        self.decoder = nn.Sequential(nn.Linear(3, 12), nn.ReLU(True), nn.Linear(12, 28), nn.Sigmoid())

    def forward(self, x):
        return self.decoder(self.encoder(x))


device = torch.device("cuda:0" if torch.cuda.is_available() else "cpu")
model = Autoencoder().to(device)
criterion = nn.MSELoss()
optimizer = torch.optim.Adam(model.parameters(), lr=1e-3, weight_decay=1e-5)
dataloader = DataLoader(TensorDataset(torch.rand(64, 28), torch.zeros(64)), batch_size=16, shuffle=True)

for epoch in range(5):
    for data in dataloader:
        img, _ = data
        img = img.view(img.size(0), -1).to(device)
        output = model(img)
        loss = criterion(output, img)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print("epoch [{}/{}], loss:{:.4f}".format(epoch + 1, 5, loss.item()))
