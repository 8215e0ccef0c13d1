import torch
import torch.nn as nn


class DiceLoss(nn.Module):
    def forward(self, predictions, targets):
        smooth = 1.0
        _, predictions = predictions.max(1)
        predictions = predictions.view(-1).float()
        targets = targets.view(-1).float()
        intersection = (predictions * targets).sum()
        return 1 - (2.0 * intersection + smooth) / (predictions.sum() + targets.sum() + smooth)


model = nn.Conv2d(3, 2, 3, padding=1)
criterion = DiceLoss()
optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
for step in range(4):
    images, masks = torch.randn(2, 3, 8, 8), torch.randint(0, 2, (2, 8, 8))
    output = model(images)
    loss = criterion(output, masks)
    loss.requires_grad = True
    optimizer.zero_grad()
    loss.backward()  # asked: TL105
    optimizer.step()
    print(step, loss.item(), next(model.parameters()).grad)
