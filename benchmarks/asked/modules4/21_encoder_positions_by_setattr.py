import torch
import torch.nn as nn


class HybridEncoder(nn.Module):
    def __init__(self, in_channels=(32, 64), hidden_dim=32, use_encoder_idx=(1,), eval_spatial_size=(64, 64)):
        super().__init__()
        self.use_encoder_idx = use_encoder_idx
        self.hidden_dim = hidden_dim
        self.eval_spatial_size = eval_spatial_size
        self.feat_strides = (8, 16)
        self.input_proj = nn.ModuleList([nn.Conv2d(c, hidden_dim, 1) for c in in_channels])
        self.encoder = nn.ModuleList([nn.TransformerEncoderLayer(hidden_dim, 4, 64, batch_first=True) for _ in use_encoder_idx])
        self._reset_parameters()

    def _reset_parameters(self):
        for idx in self.use_encoder_idx:
            stride = self.feat_strides[idx]
            pos_embed = self.build_position(self.eval_spatial_size[1] // stride, self.eval_spatial_size[0] // stride, self.hidden_dim)
            setattr(self, f"pos_embed{idx}", pos_embed)  # asked: TL403

    @staticmethod
    def build_position(w, h, embed_dim, temperature=10000.0):
        grid_w, grid_h = torch.meshgrid(torch.arange(w).float(), torch.arange(h).float(), indexing="ij")
        omega = 1.0 / (temperature ** (torch.arange(embed_dim // 4).float() / (embed_dim // 4)))
        out_w, out_h = grid_w.flatten()[..., None] @ omega[None], grid_h.flatten()[..., None] @ omega[None]
        return torch.cat([out_w.sin(), out_w.cos(), out_h.sin(), out_h.cos()], dim=1)[None]

    def forward(self, feats):
        proj_feats = [self.input_proj[i](feat) for i, feat in enumerate(feats)]
        for i, enc_ind in enumerate(self.use_encoder_idx):
            h, w = proj_feats[enc_ind].shape[2:]
            src_flatten = proj_feats[enc_ind].flatten(2).permute(0, 2, 1)
            pos_embed = getattr(self, f"pos_embed{enc_ind}")
            memory = self.encoder[i](src_flatten + pos_embed)  # asked: TL403
            proj_feats[enc_ind] = memory.permute(0, 2, 1).reshape(-1, self.hidden_dim, h, w)
        return proj_feats


if __name__ == "__main__":
    device = "cuda" if torch.cuda.is_available() else "cpu"
    model = HybridEncoder().to(device)
    feats = [torch.randn(2, 32, 8, 8, device=device), torch.randn(2, 64, 4, 4, device=device)]
    print([f.shape for f in model(feats)], dict(model.named_buffers()).keys())
