import torch
import torch.nn as nn


class Encoder(nn.Module):
    def __init__(self, input_dim, hid_dim, dropout, device, max_length=100):
        super().__init__()
        self.device = device
        self.tok_embedding = nn.Embedding(input_dim, hid_dim)
        self.pos_embedding = nn.Embedding(max_length, hid_dim)
        self.layer = nn.TransformerEncoderLayer(hid_dim, 4, batch_first=True)
        self.dropout = nn.Dropout(dropout)
        self.scale = hid_dim**0.5

    def forward(self, src):
        batch_size = src.shape[0]
        src_len = src.shape[1]
        pos = torch.arange(0, src_len).unsqueeze(0).repeat(batch_size, 1).to(self.device)
        src = self.dropout((self.tok_embedding(src) * self.scale) + self.pos_embedding(pos))
        return self.layer(src)


device = torch.device("cpu")
INPUT_DIM, HID_DIM, MAX_LEN = 500, 32, 120
enc = Encoder(INPUT_DIM, HID_DIM, 0.1, device, max_length=MAX_LEN)
head = nn.Linear(HID_DIM, INPUT_DIM)
optimizer = torch.optim.Adam([*enc.parameters(), *head.parameters()], lr=5e-4)
criterion = nn.CrossEntropyLoss(ignore_index=1)
for i in range(3):
    src = torch.randint(0, INPUT_DIM, (8, MAX_LEN))
    optimizer.zero_grad()
    output = head(enc(src))
    loss = criterion(output.transpose(1, 2), src)
    loss.backward()
    torch.nn.utils.clip_grad_norm_(enc.parameters(), 1)
    optimizer.step()
