import torch
import torch.nn as nn
import torch.nn.utils.rnn as rnn_utils


class SentenceVAE(nn.Module):
    def __init__(self, vocab_size, embedding_size, hidden_size, latent_size, num_layers=2, bidirectional=True):
        super().__init__()
        self.latent_size = latent_size
        self.bidirectional = bidirectional
        self.num_layers = num_layers
        self.hidden_size = hidden_size
        self.embedding = nn.Embedding(vocab_size, embedding_size)
        self.encoder_rnn = nn.GRU(embedding_size, hidden_size, num_layers=num_layers, bidirectional=self.bidirectional, batch_first=True)
        self.hidden_factor = (2 if bidirectional else 1) * num_layers
        self.hidden2mean = nn.Linear(hidden_size * self.hidden_factor, latent_size)
        self.hidden2logv = nn.Linear(hidden_size * self.hidden_factor, latent_size)

    def forward(self, input_sequence, length):
        batch_size = input_sequence.size(0)
        input_embedding = self.embedding(input_sequence)
        packed_input = rnn_utils.pack_padded_sequence(input_embedding, length.tolist(), batch_first=True, enforce_sorted=False)
        _, hidden = self.encoder_rnn(packed_input)

        if self.bidirectional or self.num_layers > 1:
            # flatten hidden state
            hidden = hidden.view(batch_size, self.hidden_size * self.hidden_factor)  # asked: TL703
        else:
            hidden = hidden.squeeze()

        mean = self.hidden2mean(hidden)
        logv = self.hidden2logv(hidden)
        std = torch.exp(0.5 * logv)
        return torch.randn([batch_size, self.latent_size], device=std.device) * std + mean


model = SentenceVAE(50, 8, 16, 4)
print(model(torch.randint(0, 50, (5, 7)), torch.tensor([7, 6, 5, 5, 2])).shape)
