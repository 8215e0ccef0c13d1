import numpy as np
import torch
import torch.nn.functional as F


def load_masks(height=64, width=64, count=3):
    masks = np.zeros((count, height, width), dtype=np.uint8)
    for i in range(count):
        masks[i, i * 4 : i * 4 + 40, i * 4 : i * 4 + 40] = 1
    return torch.from_numpy(masks)


def mask_iou(mask1, mask2, eps=1e-7):
    """Intersection over union of masks (N, n) and (M, n)."""
    intersection = torch.matmul(mask1, mask2.T).clamp_(0)  # asked: TL512
    union = (mask1.sum(1)[:, None] + mask2.sum(1)[None]) - intersection
    return intersection / (union + eps)


class SegmentationValidator:
    def __init__(self, iouv=(0.5, 0.75, 0.95)):
        self.iouv = torch.tensor(iouv)
        self.stats = []

    def update(self, pred_masks, gt_masks):
        if pred_masks.shape[1:] != gt_masks.shape[1:]:
            gt_masks = F.interpolate(gt_masks[None].float(), pred_masks.shape[1:])[0].to(torch.uint8)
        iou = mask_iou(gt_masks.view(len(gt_masks), -1), pred_masks.view(len(pred_masks), -1))
        self.stats.append(iou.max(0).values[:, None] >= self.iouv)

    def mean(self):
        return torch.cat(self.stats).float().mean(0)


if __name__ == "__main__":
    ground_truth, predictions = load_masks(), load_masks()
    print(mask_iou(ground_truth.view(3, -1), predictions.view(3, -1)))
    validator = SegmentationValidator()
    validator.update(predictions, ground_truth)
    print(validator.mean())
