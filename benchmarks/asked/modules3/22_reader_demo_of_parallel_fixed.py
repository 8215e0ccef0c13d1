import argparse

import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset


class Reader(nn.Module):
    def __init__(self, height=32, classes=37, hidden=64):
        super().__init__()
        self.cnn = nn.Sequential(nn.Conv2d(1, 32, 3, 1, 1), nn.ReLU(), nn.AdaptiveAvgPool2d((1, 24)))
        self.rnn = nn.LSTM(32, hidden, bidirectional=True)
        self.out = nn.Linear(2 * hidden, classes)

    def forward(self, x):
        conv = self.cnn(x).squeeze(2).permute(2, 0, 1)
        return self.out(self.rnn(conv)[0]).log_softmax(2)


def train(opt):
    crnn = Reader().cuda()
    crnn = nn.DataParallel(crnn, device_ids=range(opt.ngpu))
    criterion = nn.CTCLoss()
    optimizer = torch.optim.Adadelta(crnn.parameters())
    loader = DataLoader(TensorDataset(torch.rand(64, 1, 32, 100), torch.randint(1, 37, (64, 5))), batch_size=16, shuffle=True)
    for epoch in range(opt.epochs):
        for images, text in loader:
            preds = crnn(images.cuda())
            sizes = torch.full((images.size(0),), preds.size(0), dtype=torch.long)
            cost = criterion(preds, text, sizes, torch.full_like(sizes, 5))
            optimizer.zero_grad()
            cost.backward()
            optimizer.step()
        torch.save(crnn.module.state_dict(), "%s/reader_%d.pth" % (opt.expr, epoch))


def demo(opt):
    model = Reader()
    if torch.cuda.is_available():
        model = model.cuda()
    model.load_state_dict(torch.load("%s/reader_%d.pth" % (opt.expr, opt.epochs - 1), map_location="cpu"))
    model.eval()
    with torch.no_grad():
        preds = model(torch.rand(1, 1, 32, 100).to(next(model.parameters()).device))
    print(preds.argmax(2).view(-1))


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--expr", default="expr")
    parser.add_argument("--ngpu", type=int, default=1)
    parser.add_argument("--epochs", type=int, default=2)
    parser.add_argument("--demo", action="store_true")
    options = parser.parse_args()
    demo(options) if options.demo else train(options)
