import torch


def box2corners(box):
    x, y, w, h = box.unbind(-1)
    x4 = torch.stack([w, -w, -w, w], -1) / 2 + x.unsqueeze(-1)
    y4 = torch.stack([h, h, -h, -h], -1) / 2 + y.unsqueeze(-1)
    return torch.stack([x4, y4], -1)


def generate_table():
    return [(i, j) for i in range(8) for j in range(8) if i < j]


LINES = generate_table()


def point_line_distance(corners):
    idx = torch.tensor(LINES)
    x1, y1 = corners[:, idx[:, 0], 0], corners[:, idx[:, 0], 1]
    x2, y2 = corners[:, idx[:, 1], 0], corners[:, idx[:, 1], 1]
    x, y = corners[..., 0].unsqueeze(1), corners[..., 1].unsqueeze(1)
    x1, y1, x2, y2 = (v.unsqueeze(-1) for v in (x1, y1, x2, y2))
    den = torch.abs((x2 - x1) * (y1 - y) - (x1 - x) * (y2 - y1))
    num = torch.sqrt((y2 - y1).square() + (x2 - x1).square() + 1e-14)
    return (den / num).max(-1)[0].min(-1)[0]


def giou_loss(pred, target):
    corners = torch.cat([box2corners(pred), box2corners(target)], 1)
    return point_line_distance(corners).mean()


boxes = torch.tensor([[0.0, 0.0, 1.0, 1.0], [1.0, 1.0, 2.0, 2.0]])
pred = boxes.clone().requires_grad_()
loss = giou_loss(pred, boxes)
loss.backward()
print(loss.item(), pred.grad)
