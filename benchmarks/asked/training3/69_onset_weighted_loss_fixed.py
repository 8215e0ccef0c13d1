import torch
import torch.nn as nn


class OnsetTrainer:
    def __init__(self, model, lr=1e-3):
        self.model = model
        self.onset_criterion = nn.BCEWithLogitsLoss(reduction="none")
        self.optimizer = torch.optim.Adam(model.parameters(), lr=lr)

    def fit(self, batches, epochs=2):
        for epoch in range(epochs):
            self.model.train()
            total = 0.0
            for features, onset_prob, on_weight in batches:
                self.optimizer.zero_grad()
                onset_logits = self.model(features).squeeze(-1)
                frames = self.onset_criterion(onset_logits, onset_prob)[0]
                loss0 = torch.dot(frames, on_weight[0]) / (torch.sum(on_weight) + 1e-8)
                loss0.backward()
                self.optimizer.step()
                total += loss0.item()
            print(epoch, total / len(batches))


batches = []
for i in range(3):
    onset = (torch.rand(1, 30) > 0.9).float() if i else torch.zeros(1, 30)
    batches.append((torch.randn(1, 30, 12), onset, onset.clone()))
OnsetTrainer(nn.Linear(12, 1)).fit(batches)
