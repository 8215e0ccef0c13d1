import torch
import torch.nn as nn


class YoloHead(nn.Module):
    def __init__(self, nC, anchors, stride):
        super().__init__()
        self.anchors, self.nA, self.nC, self.stride = anchors, len(anchors), nC, stride

    def forward(self, p):
        bs, nG = p.shape[0], p.shape[-1]
        p = p.view(bs, self.nA, 5 + self.nC, nG, nG).permute(0, 3, 4, 1, 2)
        return p, self.decode(p.clone())

    def decode(self, p):
        batch_size, output_size = p.shape[:2]
        conv_dxdy, conv_dwdh = p[:, :, :, :, 0:2], p[:, :, :, :, 2:4]
        conv_conf, conv_prob = p[:, :, :, :, 4:5], p[:, :, :, :, 5:]
        y = torch.arange(0, output_size).unsqueeze(1).repeat(1, output_size)
        x = torch.arange(0, output_size).unsqueeze(0).repeat(output_size, 1)
        grid = torch.stack([x, y], dim=-1)[None, :, :, None].float()
        pred_xy = (torch.sigmoid(conv_dxdy) + grid) * self.stride
        pred_wh = (torch.exp(conv_dwdh) * self.anchors) * self.stride
        pred_conf = conv_conf
        pred_prob = conv_prob
        return torch.cat([pred_xy, pred_wh, pred_conf, pred_prob], dim=-1)


class YoloLoss(nn.Module):
    def forward(self, p_d, label):
        bce = nn.BCEWithLogitsLoss(reduction="none")
        p_conf, p_cls = p_d[..., 4:5], p_d[..., 5:]
        label_obj, label_cls = label[..., 4:5], label[..., 5:]
        box = ((p_d[..., :4] - label[..., :4]) ** 2 * label_obj).sum()
        conf = bce(input=p_conf, target=label_obj).sum()
        cls = (label_obj * bce(input=p_cls, target=label_cls)).sum()
        return (box + conf + cls) / len(label)


if __name__ == "__main__":
    net = nn.Conv2d(3, 3 * 7, 3, padding=1)
    head = YoloHead(2, torch.tensor([[1.0, 1.0], [2.0, 1.0], [1.0, 2.0]]), 8)
    opt = torch.optim.SGD(net.parameters(), lr=1e-4)
    for _ in range(2):
        _, p_d = head(net(torch.randn(2, 3, 4, 4)))
        loss = YoloLoss()(p_d, torch.rand(2, 4, 4, 3, 7))
        opt.zero_grad()
        loss.backward()
        opt.step()
