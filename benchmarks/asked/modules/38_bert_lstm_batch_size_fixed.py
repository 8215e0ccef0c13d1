import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset


class LSTMClassifier(nn.Module):
    def __init__(self, batch_size, output_size, hidden_size, embedding_dim, vocab_size):
        super(LSTMClassifier, self).__init__()

        self.embed = nn.Embedding(vocab_size, embedding_dim)
        self.batch_size = batch_size
        self.output_size = output_size
        self.hidden_size = hidden_size
        self.lstm = nn.LSTM(embedding_dim, hidden_size)
        self.label = nn.Linear(hidden_size, output_size)

    def forward(self, input_sentence, batch_size=None):
        embedded = self.embed(input_sentence)
        input = embedded.permute(1, 0, 2)

        if batch_size is None:
            h_0 = torch.zeros(1, input.size(1), self.hidden_size)
            c_0 = torch.zeros(1, input.size(1), self.hidden_size)
        else:
            h_0 = torch.zeros(1, batch_size, self.hidden_size)
            c_0 = torch.zeros(1, batch_size, self.hidden_size)
        output, (final_hidden_state, final_cell_state) = self.lstm(input, (h_0, c_0))
        return self.label(final_hidden_state[-1])


BATCH_SIZE = 16
loader = DataLoader(TensorDataset(torch.randint(0, 100, (100, 12)), torch.randint(0, 4, (100,))), batch_size=BATCH_SIZE, shuffle=True)
model = LSTMClassifier(BATCH_SIZE, 4, 32, 24, 100)
optimizer = torch.optim.Adam(model.parameters())
criterion = nn.CrossEntropyLoss()
for text, label in loader:
    optimizer.zero_grad()
    loss = criterion(model(text), label)
    loss.backward()
    optimizer.step()
