import torch
import torch.nn.functional as F


class AttDot(torch.nn.Module):
    def __init__(self, eprojs, dunits, att_dim):
        super(AttDot, self).__init__()
        self.mlp_enc = torch.nn.Linear(eprojs, att_dim)
        self.mlp_dec = torch.nn.Linear(dunits, att_dim)
        self.reset()

    def reset(self):
        self.h_length = None
        self.enc_h = None
        self.pre_compute_enc_h = None
        self.mask = None

    def forward(self, enc_hs_pad, enc_hs_len, dec_z, scaling=2.0):
        batch = enc_hs_pad.size(0)
        if self.pre_compute_enc_h is None:
            self.enc_h = enc_hs_pad
            self.h_length = self.enc_h.size(1)
            self.pre_compute_enc_h = torch.tanh(self.mlp_enc(self.enc_h))
        e = torch.sum(self.pre_compute_enc_h * torch.tanh(self.mlp_dec(dec_z)).view(batch, 1, -1), dim=2)
        if self.mask is None:
            lengths = torch.as_tensor(enc_hs_len)
            self.mask = torch.arange(self.h_length).unsqueeze(0) >= lengths.unsqueeze(1)
        e.masked_fill_(self.mask, -float("inf"))
        w = F.softmax(scaling * e, dim=1)
        c = torch.sum(self.enc_h * w.view(batch, self.h_length, 1), dim=1)
        return c, w


if __name__ == "__main__":
    att = AttDot(8, 6, 4)
    print(att(torch.randn(2, 5, 8), [5, 3], torch.randn(2, 6))[1])
