import torch
from torch import nn


class VilaModel(nn.Module):
    def __init__(self, dim=16):
        super().__init__()
        self.mm_projector = nn.Linear(8, dim)
        self.llm = nn.Linear(dim, dim)

    def _embed(self, text_embeds, media):
        media_embeds = self.mm_projector(media)
        if self.training:
            text_embeds += 0.0 * media_embeds.sum()  # asked: TL103
        return torch.cat([media_embeds, text_embeds], dim=0)

    def forward(self, text_embeds, media):
        return self.llm(self._embed(text_embeds, media)).mean()


model = VilaModel()
prompt = nn.Parameter(torch.randn(5, 16))
optimizer = torch.optim.AdamW([prompt, *model.parameters()], lr=1e-3)
model.train()
for _ in range(2):
    loss = model(prompt, torch.randn(3, 8))
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print(loss.item())
