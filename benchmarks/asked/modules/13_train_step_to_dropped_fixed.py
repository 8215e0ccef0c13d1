import torch
import torch.nn as nn

if torch.cuda.is_available():
    device = "cuda"
else:
    device = "cpu"

encoder = nn.Sequential(nn.Conv2d(3, 8, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2))
decoder = nn.Sequential(nn.ConvTranspose2d(8, 3, 2, stride=2))
encoder.to(device)
decoder.to(device)


def train_step(encoder, decoder, train_loader, loss_fn, optimizer, device):
    encoder.train()
    decoder.train()

    for batch_idx, (train_img, target_img) in enumerate(train_loader):
        train_img = train_img.to(device)
        target_img = target_img.to(device)

        optimizer.zero_grad()

        enc_output = encoder(train_img)
        dec_output = decoder(enc_output)

        loss = loss_fn(dec_output, target_img)
        loss.backward()

        optimizer.step()

    return loss.item()


images = torch.rand(16, 3, 32, 32)
loader = torch.utils.data.DataLoader(torch.utils.data.TensorDataset(images, images), batch_size=4, shuffle=True)
params = list(encoder.parameters()) + list(decoder.parameters())
print(train_step(encoder, decoder, loader, nn.MSELoss(), torch.optim.Adam(params, lr=1e-3), device))
