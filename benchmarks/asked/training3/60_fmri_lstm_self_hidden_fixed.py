import torch
import torch.nn as nn
import torch.optim as optim

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
batch_size = 8


class fMRI_LSTM(nn.Module):
    def __init__(self, hidden_dim, input_dim):
        super(fMRI_LSTM, self).__init__()
        self.hidden_dim = hidden_dim
        self.lstm = nn.LSTM(input_dim, hidden_dim, num_layers=1, batch_first=True)
        self.linear = nn.Linear(hidden_dim, 1)
        self.hidden = self.init_hidden()
        self.dropout = nn.Dropout(p=0.2)

    def init_hidden(self):
        return (torch.randn(1, batch_size, self.hidden_dim).to(device),
                torch.randn(1, batch_size, self.hidden_dim).to(device))

    def forward(self, x):
        lstm_out, self.hidden = self.lstm(x)
        lstm_out = lstm_out[:, -1, :]
        out = self.dropout(lstm_out)
        linear_output = self.linear(out)
        return torch.sigmoid(linear_output)


def run_training(train_data, train_label, num_epochs=2):
    net = fMRI_LSTM(16, 22).to(device)
    criterion = nn.BCELoss()
    optimizer = optim.Adam(net.parameters(), lr=0.001, weight_decay=0.001)
    for epoch in range(num_epochs):
        running_loss = 0.0
        for i in range(0, len(train_data), batch_size):
            inputs = train_data[i : i + batch_size].to(device)
            labels = train_label[i : i + batch_size].to(device)
            optimizer.zero_grad()
            outputs = net(inputs)
            loss = criterion(outputs, labels.unsqueeze(1))
            loss.backward()
            optimizer.step()
            running_loss += loss.item()
        print(epoch, running_loss)


run_training(torch.randn(32, 12, 22), torch.randint(0, 2, (32,)).float())
