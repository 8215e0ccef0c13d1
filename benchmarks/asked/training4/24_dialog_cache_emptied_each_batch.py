import torch
from torch import nn, optim
from torch.utils.data import DataLoader, TensorDataset

config = {"num_epochs": 2, "batch_size": 16, "initial_lr": 1e-3}
device = torch.device("cuda", 0) if torch.cuda.is_available() else torch.device("cpu")


class EncoderDecoderModel(nn.Module):
    def __init__(self, vocab=100, dim=32, options=10):
        super().__init__()
        self.embed = nn.Embedding(vocab, dim)
        self.rnn = nn.LSTM(dim, dim, batch_first=True)
        self.options = nn.Linear(dim, options)

    def forward(self, question):
        _, (h, _) = self.rnn(self.embed(question))
        return self.options(h[-1])


dataset = TensorDataset(torch.randint(0, 100, (64, 12)), torch.randint(0, 10, (64,)))
train_dataloader = DataLoader(dataset, batch_size=config["batch_size"], shuffle=True)
model = EncoderDecoderModel().to(device)
criterion = nn.CrossEntropyLoss()
optimizer = optim.Adam(model.parameters(), lr=config["initial_lr"])

global_iteration_step = 0
for epoch in range(config["num_epochs"]):
    print(f"Training for epoch {epoch}:")
    model.train()
    for i, (question, answer) in enumerate(train_dataloader):
        question, answer = question.to(device), answer.to(device)
        optimizer.zero_grad()
        output = model(question)
        batch_loss = criterion(output, answer)
        batch_loss.backward()
        optimizer.step()
        global_iteration_step += 1
        torch.cuda.empty_cache()  # asked: TL806
    print(epoch, batch_loss.item(), optimizer.param_groups[0]["lr"])
