import torch
from torch import nn, optim


class Generator(nn.Module):
    def __init__(self, latent_dim, output_dim):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(latent_dim, 32), nn.ReLU(), nn.Linear(32, output_dim))

    def forward(self, z):
        return self.net(z)


class Discriminator(nn.Module):
    def __init__(self, input_dim):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(input_dim, 32), nn.LeakyReLU(0.2), nn.Linear(32, 1))

    def forward(self, x):
        return self.net(x)


def pate(votes, noise=0.1):
    clean = (votes > 0.5).float().sum(0)
    return (clean + torch.distributions.Laplace(0.0, 1 / noise).sample(clean.shape) > len(votes) / 2).float()


class PATECTGAN:
    def __init__(self, embedding_dim=8, num_teachers=3, student_iters=2, teacher_iters=2):
        self.embedding_dim = embedding_dim
        self.num_teachers = num_teachers
        self.student_iters, self.teacher_iters = student_iters, teacher_iters

    def train(self, data, epochs=2):
        generator = Generator(self.embedding_dim, data.size(1))
        student_disc = Discriminator(data.size(1))
        teacher_disc = [Discriminator(data.size(1)) for _ in range(self.num_teachers)]
        optimizer_g = optim.Adam(generator.parameters(), lr=2e-4, betas=(0.5, 0.9))
        optimizer_s = optim.Adam(student_disc.parameters(), lr=2e-4, betas=(0.5, 0.9))
        optimizer_t = [optim.Adam(t.parameters(), lr=2e-4, betas=(0.5, 0.9)) for t in teacher_disc]
        criterion = nn.BCEWithLogitsLoss()
        chunks = data.chunk(self.num_teachers)
        for epoch in range(epochs):
            for t_2 in range(self.teacher_iters):
                for i in range(self.num_teachers):
                    real = chunks[i]
                    optimizer_t[i].zero_grad()
                    loss_t = criterion(teacher_disc[i](real), torch.ones(len(real), 1))
                    with torch.no_grad():
                        fake = generator(torch.randn(len(real), self.embedding_dim))
                    loss_t = loss_t + criterion(teacher_disc[i](fake), torch.zeros(len(real), 1))
                    loss_t.backward()
                    optimizer_t[i].step()
            for t_3 in range(self.student_iters):
                fake = generator(torch.randn(16, self.embedding_dim))
                with torch.no_grad():
                    votes = torch.stack([torch.sigmoid(t(fake)) for t in teacher_disc])
                predictions = pate(votes)
                outputs = student_disc(fake.detach())
                loss_s = criterion(outputs, predictions)
                loss_s.backward()  # asked: TL201
                optimizer_s.step()
            fake = generator(torch.randn(16, self.embedding_dim))
            loss_g = -torch.mean(student_disc(fake))
            optimizer_g.zero_grad()
            loss_g.backward()
            optimizer_g.step()
            print(epoch, loss_s.item(), loss_g.item())


PATECTGAN().train(torch.randn(48, 5))
