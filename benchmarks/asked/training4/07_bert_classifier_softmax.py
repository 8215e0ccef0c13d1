import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset
from transformers import BertConfig, BertModel


class BertClassifier(nn.Module):
    def __init__(self, bert_config, num_labels):
        super().__init__()
        self.bert = BertModel(config=bert_config)
        self.classifier = nn.Linear(bert_config.hidden_size, num_labels)
        self.softmax = nn.Softmax(dim=1)

    def forward(self, input_ids, attention_mask, token_type_ids):
        bert_output = self.bert(input_ids=input_ids, attention_mask=attention_mask, token_type_ids=token_type_ids)
        pooled = bert_output[1]
        logits = self.classifier(pooled)
        return self.softmax(logits)


def main():
    device = "cuda" if torch.cuda.is_available() else "cpu"
    bert_config = BertConfig(vocab_size=100, hidden_size=32, num_hidden_layers=1, num_attention_heads=2, intermediate_size=64)
    ids = torch.randint(0, 100, (32, 12))
    dataset = TensorDataset(ids, torch.ones_like(ids), torch.zeros_like(ids), torch.randint(0, 3, (32,)))
    train_dataloader = DataLoader(dataset, batch_size=8, shuffle=True)
    model = BertClassifier(bert_config, 3).to(device)
    optimizer = torch.optim.AdamW(model.parameters(), lr=5e-5)
    criterion = nn.CrossEntropyLoss()
    for epoch in range(2):
        losses = 0
        model.train()
        for input_ids, attention_mask, token_type_ids, label_id in train_dataloader:
            model.zero_grad()
            output = model(
                input_ids=input_ids.to(device),
                attention_mask=attention_mask.to(device),
                token_type_ids=token_type_ids.to(device),
            )
            loss = criterion(output, label_id.to(device))  # asked: TL301
            losses += loss.item()
            loss.backward()
            optimizer.step()
        print(epoch, losses / len(train_dataloader))


if __name__ == "__main__":
    main()
