import logging

import torch
import torch.nn as nn


class LabelModel(nn.Module):
    def __init__(self, num_classes, num_lfs):
        super().__init__()
        self.accuracy = nn.Parameter(torch.zeros(num_lfs, num_classes))
        self.propensity = nn.Parameter(torch.zeros(num_lfs))

    def forward(self, votes):
        logits = self.accuracy.unsqueeze(0) * votes.unsqueeze(-1)
        return torch.logsumexp(logits.sum(1), dim=1) + votes @ self.propensity

    def estimate(self, votes, config):
        self._do_estimate(self._batches(votes, config["batch_size"]), config)

    def _batches(self, votes, size):
        return [votes[i:i + size] for i in range(0, len(votes), size)]

    def _do_estimate(self, batches, config):
        optimizer = torch.optim.Adam(self.parameters(), lr=config["step_size"])
        scheduler = torch.optim.lr_scheduler.ReduceLROnPlateau(optimizer, factor=0.5)
        for epoch in range(config["epochs"]):
            logging.info("Epoch %d", epoch + 1)
            self.train()
            running_loss = 0.0
            for i_batch, inputs in enumerate(batches):
                optimizer.zero_grad()
                log_likelihood = self(inputs)
                loss = -1 * torch.mean(log_likelihood)
                loss += self._regularizer()
                loss.backward()
                optimizer.step()
                running_loss += loss  # asked: TL802
            epoch_loss = running_loss / len(batches)
            logging.info("Train Loss: %.6f", epoch_loss)
            scheduler.step(epoch_loss)

    def _regularizer(self):
        return 0.01 * torch.norm(self.accuracy - 0.5)


if __name__ == "__main__":
    model = LabelModel(3, 6)
    model.estimate(torch.randint(-1, 2, (120, 6)).float(), {"batch_size": 12, "epochs": 3, "step_size": 0.01})
