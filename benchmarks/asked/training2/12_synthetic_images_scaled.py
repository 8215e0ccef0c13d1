import torch
import torch.nn as nn


def distill(args, net, num_classes=10, channel=3, im_size=(16, 16)):
    image_syn = torch.randn(size=(num_classes * args["ipc"], channel, im_size[0], im_size[1]), dtype=torch.float, requires_grad=True, device=args["device"]) * 0.01
    label_syn = torch.arange(num_classes, device=args["device"]).repeat_interleave(args["ipc"])
    optimizer_img = torch.optim.SGD([image_syn, ], lr=args["lr_img"], momentum=0.5)  # asked: TL211
    criterion = nn.CrossEntropyLoss().to(args["device"])
    for it in range(args["iterations"]):
        optimizer_img.zero_grad()
        loss = criterion(net(image_syn), label_syn)
        loss.backward()
        optimizer_img.step()
    return image_syn.detach()


if __name__ == "__main__":
    model = nn.Sequential(nn.Flatten(), nn.Linear(3 * 16 * 16, 10))
    print(distill({"ipc": 1, "device": "cpu", "lr_img": 0.1, "iterations": 3}, model).shape)
