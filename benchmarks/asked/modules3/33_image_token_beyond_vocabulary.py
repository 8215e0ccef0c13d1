import torch
import torch.nn as nn

CONFIG = {"vocab_size": 1000, "image_token_index": 1000, "hidden_size": 32}


class Retriever(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.image_token_index = config["image_token_index"]
        self.embed_tokens = nn.Embedding(config["vocab_size"], config["hidden_size"])
        self.vision = nn.Linear(48, config["hidden_size"])
        self.layer = nn.TransformerEncoderLayer(config["hidden_size"], 4, batch_first=True)

    def forward(self, input_ids, pixels):
        embeds = self.embed_tokens(input_ids)  # asked: TL707
        mask = (input_ids == self.image_token_index).unsqueeze(-1)
        embeds = torch.where(mask, self.vision(pixels).unsqueeze(1), embeds)
        return self.layer(embeds)[:, -1]


model = Retriever(CONFIG).eval()
prompt = torch.tensor([[1, 17, 256, CONFIG["image_token_index"], 8, 2]])
with torch.no_grad():
    print(model(prompt, torch.rand(1, 48)).shape)
