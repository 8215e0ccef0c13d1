import torch
import torch.nn.functional as F


class SimpleHead(torch.nn.Module):
    def __init__(self, task, in_channels, num_classes):
        super(SimpleHead, self).__init__()
        self.task = task
        layers = [torch.nn.Conv2d(in_channels, 16, 3, padding=1), torch.nn.ReLU(inplace=True)]
        if task == "segment":
            layers.append(torch.nn.Conv2d(16, num_classes, 3, padding=1))
            self.loss_func = lambda logits, targets: F.cross_entropy(logits, targets, reduction="none")
        elif task == "regress":
            layers.append(torch.nn.Conv2d(16, 1, 3, padding=1))
            self.loss_func = lambda outputs, targets: torch.square(outputs - targets)
        self.layers = torch.nn.Sequential(*layers)

    def forward(self, feats, targets=None):
        raw_outputs = self.layers(feats)
        loss = None
        if self.task == "segment":
            outputs = torch.nn.functional.softmax(raw_outputs, dim=1)
            if targets is not None:
                task_targets = torch.stack([target for target in targets], dim=0).float()
                loss = self.loss_func(raw_outputs, task_targets)  # asked: TL306
                loss = loss.mean()
        else:
            outputs = raw_outputs
            if targets is not None:
                loss = self.loss_func(outputs, torch.stack(list(targets), dim=0)).mean()
        return outputs, loss


head = SimpleHead("segment", 8, 4)
targets = [torch.randint(0, 4, (16, 16)) for _ in range(2)]
outputs, loss = head(torch.randn(2, 8, 16, 16), targets)
loss.backward()
print(loss.item())
