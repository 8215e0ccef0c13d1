import torch
from torch import nn
from torch.nn.utils.rnn import pad_sequence


def batch_unique_consecutive(t, pad_value=0.0):
    unique_arr = [torch.unique_consecutive(el) for el in t.unbind(dim=0)]
    return pad_sequence(unique_arr, batch_first=True, padding_value=pad_value)


class SemanticTransformer(nn.Module):
    def __init__(self, *, num_semantic_tokens, dim, pad_id=None):
        super().__init__()
        self.pad_id = num_semantic_tokens + 1 if pad_id is None else pad_id
        self.eos_id = num_semantic_tokens
        self.semantic_embedding = nn.Embedding(num_semantic_tokens + 2, dim)
        self.to_logits = nn.Linear(dim, num_semantic_tokens + 1)

    def forward(self, *, ids):
        ids = batch_unique_consecutive(ids, pad_value=self.pad_id)
        tokens = self.semantic_embedding(ids)
        return self.to_logits(tokens)


model = SemanticTransformer(num_semantic_tokens=50, dim=16)
print(model(ids=torch.randint(0, 3, (4, 30))).shape)
