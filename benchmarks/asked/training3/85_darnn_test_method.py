import numpy as np
import torch
from torch import nn, optim


class Encoder(nn.Module):
    def __init__(self, T, input_size, hidden):
        super(Encoder, self).__init__()
        self.drop = nn.Dropout(0.2)
        self.lstm = nn.LSTM(input_size, hidden, batch_first=True)

    def forward(self, X):
        out, _ = self.lstm(self.drop(X))
        return out


class Decoder(nn.Module):
    def __init__(self, hidden):
        super(Decoder, self).__init__()
        self.fc = nn.Linear(hidden + 1, 1)

    def forward(self, encoded, y_prev):
        return self.fc(torch.cat((encoded[:, -1], y_prev[:, -1:]), 1))


class DARNN:
    def __init__(self, X, y, T=10, hidden=16, batch_size=8, epochs=2):
        self.X, self.y, self.T = X, y, T
        self.batch_size, self.epochs = batch_size, epochs
        self.encoder = Encoder(T, X.shape[1], hidden)
        self.decoder = Decoder(hidden)
        self.criterion = nn.MSELoss()
        self.encoder_optimizer = optim.Adam(self.encoder.parameters(), lr=1e-3)
        self.decoder_optimizer = optim.Adam(self.decoder.parameters(), lr=1e-3)
        self.train_timesteps = int(len(X) * 0.7)

    def window(self, idx):
        x = np.stack([self.X[i : i + self.T] for i in idx])
        y_prev = np.stack([self.y[i : i + self.T] for i in idx])
        return torch.from_numpy(x).float(), torch.from_numpy(y_prev).float()

    def train_forward(self, X, y_prev, y_gt):
        self.encoder_optimizer.zero_grad()
        self.decoder_optimizer.zero_grad()
        y_pred = self.decoder(self.encoder(X), y_prev)
        loss = self.criterion(y_pred, y_gt.view(-1, 1))
        loss.backward()
        self.encoder_optimizer.step()
        self.decoder_optimizer.step()
        return loss.item()

    def train(self):
        for epoch in range(self.epochs):
            ref_idx = np.random.permutation(self.train_timesteps - self.T)
            for i in range(0, len(ref_idx), self.batch_size):
                idx = ref_idx[i : i + self.batch_size]
                y_gt = torch.from_numpy(self.y[idx + self.T]).float()
                loss = self.train_forward(*self.window(idx), y_gt)
            y_pred = self.test()
            print(epoch, loss, np.mean((y_pred - self.y[self.train_timesteps :]) ** 2))

    def test(self):
        y_pred = np.zeros(self.X.shape[0] - self.train_timesteps)
        i = 0
        while i < len(y_pred):
            idx = np.arange(len(y_pred))[i : i + self.batch_size] + self.train_timesteps - self.T
            X, y_history = self.window(idx)
            input_encoded = self.encoder(X)  # asked: TL208
            out = self.decoder(input_encoded, y_history)
            y_pred[i : i + self.batch_size] = out.cpu().data.numpy()[:, 0]
            i += self.batch_size
        return y_pred


DARNN(np.random.randn(80, 5), np.random.randn(80)).train()
