import numpy as np
import torch
from torch import nn


def get_device():
    return torch.device("cuda" if torch.cuda.is_available() else "cpu")


class PositionalEncoding(nn.Module):
    def __init__(self, embedding_dimension, max_sequence_length):
        super().__init__()
        self.embedding_dimension = embedding_dimension
        self.register_buffer("positional_encoding", self.create_positional_encoding(max_sequence_length))

    def create_positional_encoding(self, max_sequence_length):
        encoding = np.zeros((max_sequence_length, self.embedding_dimension))
        for pos in range(max_sequence_length):
            for i in range(0, self.embedding_dimension, 2):
                encoding[pos, i] = np.sin(pos / (10000 ** (i / self.embedding_dimension)))
                encoding[pos, i + 1] = np.cos(pos / (10000 ** (i / self.embedding_dimension)))
        return torch.from_numpy(encoding).float()

    def forward(self, x):
        return x + self.positional_encoding[: x.size(1), :]


class LanguageModel(nn.Module):
    def __init__(self, number_of_tokens, max_sequence_length=64, embedding_dimension=32):
        super().__init__()
        self.token_embedding = nn.Embedding(number_of_tokens, embedding_dimension)
        self.positional_encoding = PositionalEncoding(embedding_dimension, max_sequence_length)
        self.head = nn.Linear(embedding_dimension, number_of_tokens)

    def forward(self, x):
        return self.head(self.positional_encoding(self.token_embedding(x)))


class Trainer:
    def __init__(self, model):
        self.model = model
        self.loss_function = nn.CrossEntropyLoss()
        self.optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)

    def train(self, batches, epochs):
        for epoch in range(epochs):
            self.model.train()
            for batch in batches:
                batch = batch.to(get_device())
                output = self.model(batch[:, :-1])
                loss = self.loss_function(output.transpose(1, 2), batch[:, 1:])
                self.optimizer.zero_grad()
                loss.backward()
                self.optimizer.step()


if __name__ == "__main__":
    model = LanguageModel(50).to(get_device())
    Trainer(model).train([torch.randint(0, 50, (4, 12))], 2)
