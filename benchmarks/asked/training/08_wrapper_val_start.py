import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset


class Encoder(nn.Module):
    def __init__(self, inputs, embed):
        super().__init__()
        self.fc = nn.Linear(inputs, embed)
        self.norm = nn.BatchNorm1d(embed)
        self.drop = nn.Dropout(0.2)

    def forward(self, x):
        return nn.functional.normalize(self.drop(self.norm(self.fc(x))), dim=1)


class Embedder:
    def __init__(self):
        self.img_enc = Encoder(20, 16)
        self.txt_enc = Encoder(30, 16)
        params = list(self.img_enc.parameters()) + list(self.txt_enc.parameters())
        self.params = params
        self.optimizer = torch.optim.Adam(params, lr=2e-4)
        self.Eiters = 0

    def train_start(self):
        self.img_enc.train()
        self.txt_enc.train()

    def val_start(self):
        self.img_enc.eval()
        self.txt_enc.eval()

    def forward_emb(self, images, captions):
        return self.img_enc(images), self.txt_enc(captions)

    def train_emb(self, images, captions):
        self.Eiters += 1
        img_emb, cap_emb = self.forward_emb(images, captions)
        self.optimizer.zero_grad()
        scores = img_emb @ cap_emb.t()
        diagonal = scores.diag().view(-1, 1)
        loss = (0.2 + scores - diagonal).clamp(min=0).sum()
        loss.backward()
        self.optimizer.step()


def validate(val_loader, model):
    model.val_start()
    hits = 0
    with torch.no_grad():
        for images, captions in val_loader:
            img_emb, cap_emb = model.forward_emb(images, captions)
            hits += (img_emb @ cap_emb.t()).argmax(1).eq(torch.arange(len(images))).sum().item()
    return hits


def train(train_loader, model, epoch, val_loader, val_step=3):
    model.train_start()
    for i, (images, captions) in enumerate(train_loader):
        model.train_emb(images, captions)
        if model.Eiters % val_step == 0:
            print(epoch, validate(val_loader, model))  # asked: TL209


def main():
    data = TensorDataset(torch.randn(80, 20), torch.randn(80, 30))
    train_loader = DataLoader(data, batch_size=8, shuffle=True)
    val_loader = DataLoader(data, batch_size=8)
    model = Embedder()
    for epoch in range(2):
        train(train_loader, model, epoch, val_loader)


if __name__ == "__main__":
    main()
