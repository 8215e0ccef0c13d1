import torch
from torchvision import models
from torchvision.models.detection.faster_rcnn import FasterRCNN, resnet_fpn_backbone

MODEL_URLS = {"detector_resnet50_fpn": "https://example.org/detector.pth"}


class Detector(torch.nn.Module):
    def __init__(self, num_classes):
        super().__init__()
        backbone = resnet_fpn_backbone(backbone_name="resnet50", weights=None)
        self.net = FasterRCNN(backbone, num_classes)

    def forward(self, images, targets=None):
        return self.net(images, targets)


def detector_resnet_fpn(num_classes=81, pretrained=False):
    model = Detector(num_classes)
    if pretrained:
        state_dict = torch.hub.load_state_dict_from_url(MODEL_URLS["detector_resnet50_fpn"], map_location="cpu")
        model.net.load_state_dict(state_dict)
    return model
