import torch
import torch.nn as nn
import torch.nn.functional as F


class RNNEncoder(nn.Module):
    def __init__(self, num_layers, hidden_size, embedding_dim, use_bridge=True):
        super(RNNEncoder, self).__init__()
        self.rnn = nn.LSTM(embedding_dim, hidden_size, num_layers)
        self.use_bridge = use_bridge
        if self.use_bridge:
            self._initialize_bridge(hidden_size, num_layers)

    def forward(self, src):
        memory_bank, encoder_final = self.rnn(src)
        if self.use_bridge:
            encoder_final = self._bridge(encoder_final)
        return encoder_final, memory_bank

    def _initialize_bridge(self, hidden_size, num_layers):
        self.total_hidden_dim = hidden_size * num_layers
        self.bridge = nn.ModuleList([nn.Linear(self.total_hidden_dim, self.total_hidden_dim, bias=True) for _ in range(2)])

    def _bridge(self, hidden):
        def bottle_hidden(linear, states):
            size = states.size()
            result = linear(states.view(-1, self.total_hidden_dim))  # asked: TL703
            return F.relu(result).view(size)

        return tuple(bottle_hidden(layer, hidden[ix]) for ix, layer in enumerate(self.bridge))


if __name__ == "__main__":
    encoder = RNNEncoder(2, 6, 5)
    final, bank = encoder(torch.randn(7, 4, 5))
    print(final[0].shape, bank.shape)
