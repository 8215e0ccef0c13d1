import torch
import torch.nn.functional as F
from torch import nn


class Local:
    def __init__(self, lr=1e-3, lambda_adv=0.1, epochs=2):
        self.lr, self.lambda_adv, self.epochs = lr, lambda_adv, epochs

    def train(self, net, disc, loader):
        net.train()
        optimizer = torch.optim.Adam(net.parameters(), lr=self.lr)
        epoch_loss = []
        for it in range(self.epochs):
            batch_loss, batch_adv = [], []
            for masked, full in loader:
                net.zero_grad()
                recon, latent = net(masked)
                loss_recon = F.l1_loss(recon, full)
                domain = disc(latent)
                loss_adv = F.binary_cross_entropy_with_logits(domain, torch.ones_like(domain))
                loss = loss_recon + self.lambda_adv * loss_adv
                loss.backward()
                optimizer.step()
                batch_loss.append(loss_recon.item())
                batch_adv.append(loss_adv.item())
            epoch_loss.append(sum(batch_loss) / len(batch_loss))
        return net.state_dict(), sum(epoch_loss) / len(epoch_loss)


class Recon(nn.Module):
    def __init__(self):
        super().__init__()
        self.enc = nn.Conv2d(1, 8, 3, padding=1)
        self.dec = nn.Conv2d(8, 1, 3, padding=1)

    def forward(self, x):
        z = torch.relu(self.enc(x))
        return self.dec(z), z.mean((2, 3))


if __name__ == "__main__":
    print(Local().train(Recon(), nn.Linear(8, 1), [(torch.randn(2, 1, 8, 8), torch.randn(2, 1, 8, 8))])[1])
