import torch
import torch.nn as nn


class TabFormerEmbeddings(nn.Module):
    def __init__(self, vocab_size, ncols, field_hidden_size, hidden_size, nhead=4, num_layers=1):
        super().__init__()
        self.word_embeddings = nn.Embedding(vocab_size, field_hidden_size, padding_idx=0)
        encoder_layer = nn.TransformerEncoderLayer(d_model=field_hidden_size, nhead=nhead, dim_feedforward=field_hidden_size, batch_first=True)
        self.transformer_encoder = nn.TransformerEncoder(encoder_layer, num_layers=num_layers)
        self.lin_proj = nn.Linear(field_hidden_size * ncols, hidden_size)

    def forward(self, input_ids):
        inputs_embeds = self.word_embeddings(input_ids)
        embeds_shape = list(inputs_embeds.size())

        inputs_embeds = inputs_embeds.view([-1] + embeds_shape[-2:])
        inputs_embeds = self.transformer_encoder(inputs_embeds)
        inputs_embeds = inputs_embeds.contiguous().view(embeds_shape[0:2] + [-1])
        inputs_embeds = self.lin_proj(inputs_embeds)
        return inputs_embeds


print(TabFormerEmbeddings(100, 12, 16, 32)(torch.randint(0, 100, (3, 10, 12))).shape)
