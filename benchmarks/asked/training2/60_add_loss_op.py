import torch
from torch import nn, optim


class Config:
    d_model, n, h, output_size, lr, max_epochs = 16, 2, 4, 4, 3e-4, 2


class Transformer(nn.Module):
    def __init__(self, config, src_vocab):
        super().__init__()
        self.config = config
        self.embed = nn.Embedding(src_vocab, config.d_model)
        layer = nn.TransformerEncoderLayer(config.d_model, config.h, 32, batch_first=True)
        self.encoder = nn.TransformerEncoder(layer, config.n)
        self.fc = nn.Linear(config.d_model, config.output_size)
        self.softmax = nn.Softmax(dim=1)

    def forward(self, x):
        encoded = self.encoder(self.embed(x))
        final = self.fc(encoded[:, -1, :])
        return self.softmax(final)

    def add_optimizer(self, optimizer):
        self.optimizer = optimizer

    def add_loss_op(self, loss_op):
        self.loss_op = loss_op

    def run_epoch(self, train_iterator, epoch):
        losses = []
        self.train()
        for i, (x, y) in enumerate(train_iterator):
            self.optimizer.zero_grad()
            y_pred = self.__call__(x)
            loss = self.loss_op(y_pred, y)  # asked: TL303
            loss.backward()
            losses.append(loss.data.cpu().numpy())
            self.optimizer.step()
        return losses


if __name__ == "__main__":
    config = Config()
    model = Transformer(config, 50)
    optimizer = optim.Adam(model.parameters(), lr=config.lr)
    model.add_optimizer(optimizer)
    model.add_loss_op(nn.NLLLoss())
    data = [(torch.randint(0, 50, (4, 7)), torch.randint(0, 4, (4,))) for _ in range(3)]
    for i in range(config.max_epochs):
        print(model.run_epoch(data, i))
