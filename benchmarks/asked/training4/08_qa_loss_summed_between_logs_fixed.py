import torch
from torch.utils.data import DataLoader, TensorDataset
from transformers import BertConfig, BertForQuestionAnswering

device = "cuda" if torch.cuda.is_available() else "cpu"
config = BertConfig(vocab_size=100, hidden_size=32, num_hidden_layers=1, num_attention_heads=2, intermediate_size=64)
model = BertForQuestionAnswering(config).to(device)
ids = torch.randint(0, 100, (64, 24))
train_set = TensorDataset(ids, torch.zeros_like(ids), torch.ones_like(ids), torch.randint(0, 12, (64,)), torch.randint(12, 24, (64,)))
train_loader = DataLoader(train_set, batch_size=4, shuffle=True)

num_epoch = 1
logging_step = 100
learning_rate = 1e-4
optimizer = torch.optim.AdamW(model.parameters(), lr=learning_rate)

model.train()
print("Start Training ...")
for epoch in range(num_epoch):
    step = 1
    train_loss = train_acc = 0
    for data in train_loader:
        data = [i.to(device) for i in data]
        output = model(input_ids=data[0], token_type_ids=data[1], attention_mask=data[2], start_positions=data[3], end_positions=data[4])
        start_index = torch.argmax(output.start_logits, dim=1)
        end_index = torch.argmax(output.end_logits, dim=1)
        train_acc += ((start_index == data[3]) & (end_index == data[4])).float().mean()
        train_loss += output.loss.item()
        output.loss.backward()
        optimizer.step()
        optimizer.zero_grad()
        step += 1
        if step % logging_step == 0:
            print(f"Epoch {epoch + 1} | Step {step} | loss = {train_loss / logging_step:.3f}")
            train_loss = train_acc = 0
