import torch
import torch.nn as nn


def reset(part):
    if hasattr(part, "reset_parameters"):
        part.reset_parameters()


class GAE(nn.Module):
    def __init__(self, encoder, decoder=None):
        super(GAE, self).__init__()
        self.encoder = encoder
        self.decoder = nn.Identity() if decoder is None else decoder
        reset(self.encoder)

    def encode(self, *args, **kwargs):
        return self.encoder(*args, **kwargs)


class ARGA(GAE):
    def __init__(self, encoder, discriminator, decoder=None):
        super(ARGA, self).__init__(encoder, decoder)
        self.discriminator = discriminator
        reset(self.discriminator)

    def reg_loss(self, z):
        real = torch.sigmoid(self.discriminator(z))
        return -torch.log(real + 1e-15).mean()


model = ARGA(nn.Linear(8, 4), nn.Linear(4, 1))
print(model.reg_loss(model.encode(torch.randn(3, 8))))
