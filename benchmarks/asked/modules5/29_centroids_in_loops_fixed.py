import torch
import torch.nn as nn
import torch.nn.functional as F


def get_centroids(embeddings):
    return embeddings.mean(dim=1)


def get_cossim(embeddings, centroids):
    return F.cosine_similarity(embeddings[:, :, None], centroids[None, None], dim=-1) + 1e-6


class GE2ELoss(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.tensor(10.0))
        self.b = nn.Parameter(torch.tensor(-5.0))

    def forward(self, embeddings):
        cossim = get_cossim(embeddings, get_centroids(embeddings))
        sim_matrix = self.w * cossim + self.b
        speakers, utterances, _ = embeddings.shape
        target = torch.arange(speakers, device=embeddings.device).repeat_interleave(utterances)
        return F.cross_entropy(sim_matrix.flatten(0, 1), target)


class SpeechEmbedder(nn.Module):
    def __init__(self, nmels=40, hidden=64, proj=32):
        super().__init__()
        self.lstm = nn.LSTM(nmels, hidden, num_layers=2, batch_first=True)
        self.projection = nn.Linear(hidden, proj)

    def forward(self, x):
        x, _ = self.lstm(x.float())
        return F.normalize(self.projection(x[:, -1]), dim=1)


def train(speakers=4, utterances=3, steps=2):
    embedder_net, ge2e_loss = SpeechEmbedder(), GE2ELoss()
    optimizer = torch.optim.SGD([*embedder_net.parameters(), *ge2e_loss.parameters()], lr=0.01)
    for _ in range(steps):
        mels = torch.randn(speakers * utterances, 20, 40)
        embeddings = embedder_net(mels).view(speakers, utterances, -1)
        loss = ge2e_loss(embeddings)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        print(loss.item())


if __name__ == "__main__":
    train()
