import torch
import torch.nn.functional as F
from torch import nn


class AT(nn.Module):
    def __init__(self, p):
        super().__init__()
        self.p = p

    def forward(self, fm_s, fm_t):
        return F.mse_loss(self.attention_map(fm_s), self.attention_map(fm_t))

    def attention_map(self, fm, eps=1e-6):
        am = torch.pow(torch.abs(fm), self.p)
        am = torch.sum(am, dim=1, keepdim=True)
        norm = torch.norm(am, dim=(2, 3), keepdim=True)
        return torch.div(am, norm + eps)


class WideNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.block1 = nn.Conv2d(3, 8, 3, padding=1)
        self.block2 = nn.Conv2d(8, 16, 3, 2, 1)
        self.block3 = nn.Conv2d(16, 32, 3, 2, 1)
        self.fc = nn.Linear(32, 10)

    def forward(self, x):
        a1 = torch.relu(self.block1(x))
        a2 = torch.relu(self.block2(a1))
        a3 = torch.relu(self.block3(a2))
        return a1, a2, a3, self.fc(a3.mean((2, 3)))


def train_step(train_loader, nets, optimizer, criterions, betas, epoch):
    criterion_cls, criterion_at = criterions["cls"], criterions["at"]
    snet, tnet = nets["snet"], nets["tnet"]
    snet.train()
    tnet.eval()
    for img, target in train_loader:
        a1_s, a2_s, a3_s, out_s = snet(img)
        with torch.no_grad():
            a1_t, a2_t, a3_t, _ = tnet(img)
        cls_loss = criterion_cls(out_s, target)
        at3_loss = criterion_at(a3_s, a3_t).detach() * betas[2]  # asked: TL106
        at2_loss = criterion_at(a2_s, a2_t).detach() * betas[1]
        at1_loss = criterion_at(a1_s, a1_t).detach() * betas[0]
        at_loss = at1_loss + at2_loss + at3_loss + cls_loss
        optimizer.zero_grad()
        at_loss.backward()
        optimizer.step()


if __name__ == "__main__":
    nets = {"snet": WideNet(), "tnet": WideNet()}
    opt = torch.optim.SGD(nets["snet"].parameters(), lr=0.1, momentum=0.9)
    loader = [(torch.randn(4, 3, 16, 16), torch.randint(0, 10, (4,))) for _ in range(2)]
    train_step(loader, nets, opt, {"cls": nn.CrossEntropyLoss(), "at": AT(2.0)}, [500, 500, 1000], 0)
