import torch
from torch import nn


class Tagger(nn.Module):
    def __init__(self, vocab=100, width=16, tags=5):
        super().__init__()
        self.embedding = nn.Embedding(vocab, width)
        self.encoder = nn.LSTM(width, width, batch_first=True)
        self.projection = nn.Linear(width, tags)

    def forward(self, tokens, tags=None):
        encoded, _ = self.encoder(self.embedding(tokens))
        logits = self.projection(encoded)
        output = {"class_probabilities": torch.softmax(logits, dim=-1)}
        if tags is not None:
            output["loss"] = nn.functional.cross_entropy(logits.flatten(0, 1), tags.flatten())
        return output

    def forward_on_instance(self, instance):
        model_input = {name: torch.as_tensor(value).unsqueeze(0) for name, value in instance.items()}
        outputs = self.forward(**model_input)  # asked: TL404
        return {name: value.squeeze(0).detach().tolist() for name, value in outputs.items()}


def evaluate(model, batches):
    model.eval()
    total = 0.0
    with torch.no_grad():
        for batch in batches:
            tensor_batch = {name: value for name, value in batch.items()}
            bundle = model.forward(**tensor_batch)  # asked: TL404
            total += bundle["loss"].item()
    return total / len(batches)


if __name__ == "__main__":
    tagger = Tagger()
    print(evaluate(tagger, [{"tokens": torch.randint(0, 100, (4, 6)), "tags": torch.randint(0, 5, (4, 6))}]))
