import torch
import torch.nn as nn
import torch.nn.functional as F


class DistanceNetwork(nn.Module):
    def forward(self, support_set, input_image):
        eps = 1e-10
        similarities = []
        for support_image in support_set:
            sum_support = torch.sum(torch.pow(support_image, 2), 1)
            support_magnitude = sum_support.clamp(eps, float("inf")).rsqrt()
            dot_product = input_image.unsqueeze(1).bmm(support_image.unsqueeze(2)).squeeze()
            similarities.append(dot_product * support_magnitude)
        return torch.stack(similarities)


class AttentionalClassify(nn.Module):
    def forward(self, similarities, support_set_y):
        softmax = nn.Softmax(dim=1)
        softmax_similarities = similarities
        preds = softmax_similarities.unsqueeze(1).bmm(support_set_y).squeeze(1)
        return preds


class MatchingNetwork(nn.Module):
    def __init__(self):
        super().__init__()
        self.g = nn.Sequential(nn.Conv2d(1, 16, 3, 2, 1), nn.ReLU(), nn.Flatten(), nn.Linear(16 * 49, 32))
        self.dn = DistanceNetwork()
        self.classify = AttentionalClassify()

    def forward(self, support_images, support_labels_one_hot, target_image, target_label):
        encoded = [self.g(support_images[:, i]) for i in range(support_images.size(1))]
        gen_encode = self.g(target_image)
        similarities = self.dn(torch.stack(encoded), gen_encode).t()
        preds = self.classify(similarities, support_labels_one_hot)
        _, indices = preds.max(1)
        accuracy = torch.mean((indices == target_label).float())
        crossentropy_loss = F.cross_entropy(preds, target_label.long())
        return accuracy, crossentropy_loss


if __name__ == "__main__":
    net = MatchingNetwork()
    optimizer = torch.optim.Adam(net.parameters())
    for _ in range(2):
        labels = F.one_hot(torch.randint(0, 5, (4, 5)), 5).float()
        acc, loss = net(torch.randn(4, 5, 1, 14, 14), labels, torch.randn(4, 1, 14, 14), torch.randint(0, 5, (4,)))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
