import torch
import torch.nn as nn


class TransformerVAE(nn.Module):
    def __init__(self, vocab_size, embed_size, latent_size, max_len, num_heads=4, num_layers=2):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, embed_size)
        self.position = nn.Parameter(torch.zeros(1, max_len, embed_size))
        encoder_layer = nn.TransformerEncoderLayer(d_model=embed_size, nhead=num_heads)
        self.encoder = nn.TransformerEncoder(encoder_layer, num_layers=num_layers)
        self.fc_mu = nn.Linear(embed_size, latent_size)
        self.fc_logvar = nn.Linear(embed_size, latent_size)
        self.latent_to_embed = nn.Linear(latent_size, embed_size)
        decoder_layer = nn.TransformerDecoderLayer(d_model=embed_size, nhead=num_heads)
        self.decoder = nn.TransformerDecoder(decoder_layer, num_layers=num_layers)
        self.fc_out = nn.Linear(embed_size, vocab_size)

    def encode(self, x):
        x = self.embedding(x) + self.position[:, : x.size(1)]
        x = self.encoder(x)  # asked: TL708
        x = x.mean(dim=1)
        return self.fc_mu(x), self.fc_logvar(x)

    def decode(self, z, x):
        memory = self.latent_to_embed(z).unsqueeze(1).repeat(1, x.size(1), 1)
        x = self.embedding(x) + self.position[:, : x.size(1)]
        return self.fc_out(self.decoder(x, memory))  # asked: TL708

    def forward(self, x):
        mu, logvar = self.encode(x)
        z = mu + torch.randn_like(mu) * torch.exp(0.5 * logvar)
        return self.decode(z, x), mu, logvar


logits, mu, logvar = TransformerVAE(30, 16, 8, 20)(torch.randint(0, 30, (4, 12)))
print(logits.shape)
