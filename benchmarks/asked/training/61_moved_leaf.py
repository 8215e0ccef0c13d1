import torch
import torch.nn as nn
import torch.optim as optim

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


def load_image(size=16):
    return torch.rand(1, 3, size, size)


extractor = nn.Sequential(nn.Conv2d(3, 8, 3), nn.ReLU(), nn.Conv2d(8, 8, 3), nn.ReLU()).to(device).eval()
for p in extractor.parameters():
    p.requires_grad_(False)

content = load_image().to(device)
style = load_image().to(device)
generated = torch.randn(content.shape, requires_grad=True).to(device) * 0.1
optimizer = optim.Adam([generated], lr=0.003)  # asked: TL211


def gram(x):
    b, c, h, w = x.size()
    x = x.view(c, h * w)
    return x @ x.t() / (c * h * w)


content_features = extractor(content)
style_gram = gram(extractor(style))
for step in range(5):
    features = extractor(generated)
    loss = nn.functional.mse_loss(features, content_features) + 1e3 * nn.functional.mse_loss(gram(features), style_gram)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print(step, loss.item())
