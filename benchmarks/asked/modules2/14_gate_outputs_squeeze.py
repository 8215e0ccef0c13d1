import torch
from torch import nn


class Decoder(nn.Module):
    def __init__(self, n_mel=8, rnn_dim=16):
        super().__init__()
        self.n_mel = n_mel
        self.rnn_dim = rnn_dim
        self.rnn = nn.LSTMCell(n_mel, rnn_dim)
        self.projection = nn.Linear(rnn_dim, n_mel)
        self.gate = nn.Linear(rnn_dim, 1)

    def decode(self, frame, state):
        state = self.rnn(frame, state)
        return self.projection(state[0]), self.gate(state[0]), state

    def parse_outputs(self, mels, gates):
        gates = torch.stack(gates).transpose(0, 1).contiguous()
        mels = torch.stack(mels).transpose(0, 1).contiguous()
        return mels, gates

    def forward(self, frames):
        frames = frames.transpose(0, 1)
        state = (frames.new_zeros(frames.size(1), self.rnn_dim), frames.new_zeros(frames.size(1), self.rnn_dim))
        mel_outputs, gate_outputs = [], []
        while len(mel_outputs) < frames.size(0):
            mel_output, gate_output, state = self.decode(frames[len(mel_outputs)], state)
            mel_outputs += [mel_output]
            gate_outputs += [gate_output.squeeze()]  # asked: TL702
        return self.parse_outputs(mel_outputs, gate_outputs)


if __name__ == "__main__":
    print([t.shape for t in Decoder()(torch.randn(1, 20, 8))])
