import torch
import torch.nn as nn


class Forecast(nn.Module):
    def __init__(self, input_dim, hidden_dim, num_layers, batch_len, dropout=0.1):
        super().__init__()
        self.input_dim = input_dim
        self.hidden_dim = hidden_dim
        self.num_layers = num_layers
        self.batch_len = batch_len
        self.lstm = nn.LSTM(input_dim, hidden_dim, num_layers, dropout=dropout)
        self.out = nn.Linear(hidden_dim, 1)
        self.hidden = self.init_hidden()

    def init_hidden(self):
        h_0 = torch.zeros(self.num_layers, self.batch_len, self.hidden_dim)
        c_0 = torch.zeros(self.num_layers, self.batch_len, self.hidden_dim)
        return (h_0, c_0)

    def forward(self, sequences):
        lstm_out, self.hidden = self.lstm(sequences.view(1, self.batch_len, self.input_dim), self.hidden)
        return self.out(lstm_out.view(self.batch_len, -1))


model = Forecast(4, 8, 2, 16)
train_input = torch.randn(16, 4)
print(model(train_input).shape)
