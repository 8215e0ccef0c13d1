import torch
from lightning.pytorch import LightningModule
from torch import nn


class RNN(LightningModule):
    lr = 0.0005

    def __init__(self, input_size, hidden_size, embeding_size, n_categories, n_layers, output_size, p=0.1):
        super().__init__()
        self.criterion = nn.CrossEntropyLoss()
        self.n_layers = n_layers
        self.hidden_size = hidden_size
        self.embeding = nn.Embedding(input_size + n_categories, embeding_size)
        self.lstm = nn.LSTM(embeding_size + n_categories, hidden_size, n_layers, dropout=p)
        self.out_fc = nn.Linear(hidden_size, output_size)
        self.dropout = nn.Dropout(p)

    def forward(self, batch_of_category, batch_of_letter, hidden, cell):
        embeding = self.dropout(self.embeding(batch_of_letter))
        category_plus_letter = torch.cat((batch_of_category, embeding), 1).unsqueeze(0)
        out, (hidden, cell) = self.lstm(category_plus_letter, (hidden, cell))
        return self.out_fc(out).squeeze(0), (hidden, cell)

    def init_hidden(self, batch_size):
        hidden = torch.zeros(self.n_layers, batch_size, self.hidden_size)  # asked: TL501
        cell = torch.zeros(self.n_layers, batch_size, self.hidden_size)  # asked: TL501
        return hidden, cell

    def training_step(self, batch, batch_idx):
        category, names = batch
        hidden, cell = self.init_hidden(names.size(1))
        loss = 0
        for letter in range(names.size(0) - 1):
            output, (hidden, cell) = self(category, names[letter], hidden, cell)
            loss = loss + self.criterion(output, names[letter + 1])
        return loss

    def configure_optimizers(self):
        return torch.optim.Adam(self.parameters(), self.lr)
