import torch
import torch.nn as nn
import torch.optim as optim


class Model(nn.Module):
    def __init__(self, input_size=1, hidden_size=16):
        super().__init__()
        self.hidden_size = hidden_size
        self.lstm = nn.LSTM(input_size, hidden_size)
        self.linear = nn.Linear(hidden_size, 1)
        self.hidden_cell = (torch.zeros(1, 1, self.hidden_size), torch.zeros(1, 1, self.hidden_size))

    def forward(self, input_seq):
        lstm_out, self.hidden_cell = self.lstm(input_seq.view(len(input_seq), 1, -1), self.hidden_cell)
        predictions = self.linear(lstm_out.view(len(input_seq), -1))
        return predictions[-1]


model = Model()
loss_function = nn.MSELoss()
optimizer = optim.Adam(model.parameters(), lr=0.001)
series = torch.sin(torch.linspace(0, 12, 60))
train_inout_seq = [(series[i:i + 12], series[i + 12:i + 13]) for i in range(40)]

for i in range(2):
    for seq, labels in train_inout_seq:
        optimizer.zero_grad()
        y_pred = model(seq)
        single_loss = loss_function(y_pred, labels)
        single_loss.backward()  # asked: TL104
        optimizer.step()
    print(i, single_loss.item())
