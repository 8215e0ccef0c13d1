import torch
from PIL import Image
from torchvision.transforms.functional import pil_to_tensor


class DepthProcessor:
    @staticmethod
    def rgblike_to_depthmap(image):
        """Depth values of an image that has the high byte in green and the low byte in blue."""
        image = image.to(torch.int32)
        return image[:, :, 1] * 2**8 + image[:, :, 2]

    def postprocess(self, image):
        bytes_ = (image.clamp(0, 1) * 255).round().to(torch.uint8)
        return torch.stack([self.rgblike_to_depthmap(img.permute(1, 2, 0)) for img in bytes_])

    def load(self, path):
        return self.rgblike_to_depthmap(pil_to_tensor(Image.open(path).convert("RGB")).permute(1, 2, 0))


if __name__ == "__main__":
    depth = DepthProcessor().postprocess(torch.rand(2, 3, 8, 8))
    print(depth.max(), depth.dtype)
