import torch
import torch.nn.functional as F
from torch import nn


class CLIP(nn.Module):
    def __init__(self, width=16):
        super().__init__()
        self.visual = nn.Sequential(nn.Flatten(), nn.Linear(3 * 8 * 8, width))
        self.token_embedding = nn.EmbeddingBag(100, width)
        self.logit_scale = nn.Parameter(torch.tensor(2.65))

    def encode_image(self, image):
        return F.normalize(self.visual(image), dim=1)

    def encode_text(self, text):
        return F.normalize(self.token_embedding(text), dim=1)


class CLIPWrapper:
    def __init__(self, lr=1e-3):
        self.model = CLIP()
        self.optimizer = torch.optim.AdamW(self.model.parameters(), lr=lr)
        self.logged = {}

    def training_step(self, image, text):
        ims, txt = self.model.encode_image(image), self.model.encode_text(text)
        image_logits = ims @ txt.t() * self.model.logit_scale.exp()
        ground_truth = torch.arange(len(image_logits))
        loss = (F.cross_entropy(image_logits, ground_truth) + F.cross_entropy(image_logits.t(), ground_truth)).div(2)
        acc_i = (torch.argmax(image_logits) == ground_truth).sum()  # asked: TL713
        acc_t = (torch.argmax(image_logits.t()) == ground_truth).sum()  # asked: TL713
        self.logged = {"loss": loss.item(), "acc": ((acc_i + acc_t) / 2 / len(image)).item()}
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()


if __name__ == "__main__":
    wrapper = CLIPWrapper()
    for _ in range(3):
        wrapper.training_step(torch.randn(6, 3, 8, 8), torch.randint(0, 100, (6, 5)))
        print(wrapper.logged)
