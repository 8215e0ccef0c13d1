import torch


class Pretrained(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = torch.nn.Embedding(100, 768)
        self.layer = torch.nn.TransformerEncoderLayer(768, 4, 64, batch_first=True)

    def forward(self, input_ids, attention_mask):
        return self.layer(self.embed(input_ids), src_key_padding_mask=attention_mask == 0)


pretrained = Pretrained()
for param in pretrained.parameters():
    param.requires_grad_(False)


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = torch.nn.Linear(768, 2)

    def forward(self, input_ids, attention_mask):
        with torch.no_grad():
            out = pretrained(input_ids=input_ids, attention_mask=attention_mask)
        out = self.fc(out[:, 0])
        out = out.softmax(dim=1)
        return out


model = Model()


def batches():
    for _ in range(4):
        ids = torch.randint(0, 100, (8, 12))
        yield ids, torch.ones(8, 12, dtype=torch.long), torch.randint(0, 2, (8,))


optimizer = torch.optim.AdamW(model.parameters(), lr=5e-4)
criterion = torch.nn.CrossEntropyLoss()
model.train()
for i, (input_ids, attention_mask, labels) in enumerate(batches()):
    out = model(input_ids=input_ids, attention_mask=attention_mask)
    loss = criterion(out, labels)  # asked: TL301
    loss.backward()
    optimizer.step()
    optimizer.zero_grad()
    if i % 2 == 0:
        out = out.argmax(dim=1)
        accuracy = (out == labels).sum().item() / len(labels)
        print(i, loss.item(), accuracy)
