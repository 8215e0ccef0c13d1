import torch
import torch.nn as nn


class DeepSpeech(nn.Module):
    def __init__(self, labels=10, hidden=24):
        super(DeepSpeech, self).__init__()
        self.conv = nn.Sequential(
            nn.Conv1d(16, hidden, 5, padding=2), nn.BatchNorm1d(hidden), nn.Hardtanh(0, 20)
        )
        self.rnn = nn.GRU(hidden, hidden, batch_first=True)
        self.fc = nn.Linear(hidden, labels)

    def forward(self, x):
        x = self.conv(x).transpose(1, 2)
        x, _ = self.rnn(x)
        return self.fc(x).transpose(0, 1)


def decode(out):
    return out.argmax(2).transpose(0, 1)


def main(epochs=2):
    model = DeepSpeech()
    criterion = nn.CTCLoss(zero_infinity=True)
    optimizer = torch.optim.SGD(model.parameters(), lr=3e-4, momentum=0.9, nesterov=True)
    train_loader = [(torch.randn(4, 16, 30), torch.randint(1, 10, (4, 6))) for _ in range(4)]
    test_loader = [(torch.randn(4, 16, 30), torch.randint(1, 10, (4, 6))) for _ in range(2)]
    model.train()
    for epoch in range(epochs):
        model.train()
        avg_loss = 0
        for i, (inputs, targets) in enumerate(train_loader):
            out = model(inputs)
            sizes = torch.full((out.size(1),), out.size(0), dtype=torch.long)
            lengths = torch.full((out.size(1),), 6, dtype=torch.long)
            loss = criterion(out.log_softmax(2), targets, sizes, lengths)
            avg_loss += loss.item()
            optimizer.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 400)
            optimizer.step()
        print("Training Summary Epoch: [%d] Average Loss %.3f" % (epoch + 1, avg_loss / len(train_loader)))

        model.eval()
        total_wer = 0
        for i, (inputs, targets) in enumerate(test_loader):
            with torch.no_grad():
                out = model(inputs)
            decoded = decode(out)
            total_wer += (decoded[:, :6] != targets).float().mean().item()
        print("Validation Summary Epoch: [%d] WER %.2f" % (epoch + 1, total_wer / len(test_loader)))


main()
