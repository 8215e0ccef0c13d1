import torch
import torch.nn as nn
import torchvision


class EncoderCNN(nn.Module):
    def __init__(self, embed_size, hidden_size):
        super(EncoderCNN, self).__init__()
        resnet = torchvision.models.resnet101(weights="DEFAULT")
        self.resnet = nn.Sequential(*list(resnet.children())[:-2])
        self.avgpool = nn.AvgPool2d(7)
        self.affine_a = nn.Linear(2048, hidden_size)
        self.affine_b = nn.Linear(2048, embed_size)

    def forward(self, images):
        encoded_image = self.resnet(images)  # (batch_size, 2048, 7, 7)
        batch_size = encoded_image.shape[0]
        features = encoded_image.shape[1]
        num_pixels = encoded_image.shape[2] * encoded_image.shape[3]
        global_features = self.avgpool(encoded_image).view(batch_size, -1)
        enc_image = encoded_image.view(batch_size, num_pixels, features)  # asked: TL703
        enc_image = torch.relu(self.affine_a(enc_image))
        global_features = torch.relu(self.affine_b(global_features))
        return enc_image, global_features


a, b = EncoderCNN(256, 512)(torch.rand(2, 3, 224, 224))
print(a.shape, b.shape)
