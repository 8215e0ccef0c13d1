import torch
import torch.nn as nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


class EncoderRNN(nn.Module):
    def __init__(self, hidden_size, embedding, n_layers=1):
        super(EncoderRNN, self).__init__()
        self.n_layers = n_layers
        self.embedding = embedding
        self.gru = nn.GRU(hidden_size, hidden_size, n_layers, bidirectional=True)
        self.hidden_size = hidden_size

    def forward(self, input_seq, input_lengths, hidden=None):
        embedded = self.embedding(input_seq)
        packed = nn.utils.rnn.pack_padded_sequence(embedded, input_lengths)  # asked: TL504
        outputs, hidden = self.gru(packed, hidden)
        outputs, _ = nn.utils.rnn.pad_packed_sequence(outputs)
        return outputs[:, :, : self.hidden_size] + outputs[:, :, self.hidden_size :], hidden


class GreedySearch(nn.Module):
    def __init__(self, encoder):
        super().__init__()
        self.encoder = encoder

    def forward(self, input_seq, input_length):
        outputs, hidden = self.encoder(input_seq, input_length)
        return outputs.mean(-1)


def evaluate(searcher, indexes):
    lengths = torch.tensor([len(each) for each in indexes])
    batch = torch.LongTensor(indexes).transpose(0, 1)
    batch = batch.to(device)
    lengths = lengths.to(device)
    return searcher(batch, lengths)


embedding = nn.Embedding(100, 16)
encoder = EncoderRNN(16, embedding).to(device)
encoder.eval()
print(evaluate(GreedySearch(encoder), [[4, 8, 2]]))
