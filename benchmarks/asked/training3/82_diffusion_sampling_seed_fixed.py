import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class DDPMScheduler:
    def __init__(self, num_train_timesteps=100):
        self.num_train_timesteps = num_train_timesteps
        self.alphas = torch.cumprod(1 - torch.linspace(1e-4, 2e-2, num_train_timesteps), 0)

    def add_noise(self, x, noise, t):
        a = self.alphas[t].view(-1, 1, 1, 1)
        return a.sqrt() * x + (1 - a).sqrt() * noise


class Pipeline:
    def __init__(self, unet):
        self.unet = unet

    @torch.no_grad()
    def __call__(self, batch_size, generator):
        image = torch.randn((batch_size, 1, 8, 8), generator=generator)
        for _ in range(3):
            image = image - 0.1 * self.unet(image)
        return image


def main(args):
    model = nn.Conv2d(1, 1, 3, padding=1)
    noise_scheduler = DDPMScheduler()
    optimizer = torch.optim.AdamW(model.parameters(), lr=args["lr"])
    dataloader = DataLoader(TensorDataset(torch.rand(16, 1, 8, 8)), batch_size=4, shuffle=True)
    for epoch in range(args["num_epochs"]):
        model.train()
        for step, (clean_images,) in enumerate(dataloader):
            noise_samples = torch.randn(clean_images.shape)
            bsz = clean_images.shape[0]
            timesteps = torch.randint(0, noise_scheduler.num_train_timesteps, (bsz,))
            noisy_images = noise_scheduler.add_noise(clean_images, noise_samples, timesteps)
            output = model(noisy_images)
            loss = F.mse_loss(output, noise_samples)
            loss.backward()
            optimizer.step()
            optimizer.zero_grad()
        model.eval()
        pipeline = Pipeline(model)
        generator = torch.Generator().manual_seed(0)
        images = pipeline(batch_size=2, generator=generator)
        print(epoch, loss.item(), images.mean().item())


main({"lr": 1e-4, "num_epochs": 3})
