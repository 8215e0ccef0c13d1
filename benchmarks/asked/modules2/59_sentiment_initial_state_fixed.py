import torch
import torch.nn as nn
import torch.optim as optim
from torch.utils.data import DataLoader, TensorDataset

BATCH_SIZE = 32
device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


class LSTMClassifier(nn.Module):
    def __init__(self, vocab_size, embedding_dim, hidden_dim, tagset_size, batch_size):
        super(LSTMClassifier, self).__init__()
        self.hidden_dim = hidden_dim
        self.batch_size = batch_size
        self.word_embeddings = nn.Embedding(vocab_size, embedding_dim)
        self.lstm = nn.LSTM(embedding_dim, hidden_dim, batch_first=True)
        self.hidden2tag = nn.Linear(hidden_dim, tagset_size)
        self.sigmoid = nn.Sigmoid()

    def init_hidden(self, batch_size):
        hidden_state = torch.zeros(1, batch_size, self.hidden_dim).to(device)
        cell_state = torch.zeros(1, batch_size, self.hidden_dim).to(device)
        return (hidden_state, cell_state)

    def forward(self, sentence):
        embeds = self.word_embeddings(sentence)
        self.hidden = self.init_hidden(sentence.size(0))
        lstm_out, self.hidden = self.lstm(embeds, self.hidden)
        return self.sigmoid(self.hidden2tag(lstm_out[:, -1]))


net = LSTMClassifier(1000, 50, 256, 1, BATCH_SIZE).to(device)
optimizer = optim.Adam(net.parameters(), lr=1e-3)
criterion = nn.BCELoss()
train_loader = DataLoader(TensorDataset(torch.randint(0, 1000, (104, 20)), torch.randint(0, 2, (104, 1)).float()), batch_size=BATCH_SIZE, shuffle=True)
for epoch in range(1):
    train_loss = 0.0
    net.train()
    for text, labels in train_loader:
        text, labels = text.to(device), labels.to(device)
        optimizer.zero_grad()
        outputs = net(text)
        loss = criterion(outputs, labels)
        train_loss += loss.item()
        loss.backward()
        optimizer.step()
