from collections import OrderedDict

import numpy as np
import torch
import torch.nn as nn


class PartModel:
    def __init__(self, device):
        self.device = device
        self.net = nn.Sequential(nn.Linear(3, 32), nn.ReLU(), nn.Linear(32, 5)).to(device)
        self.criterion = nn.CrossEntropyLoss()
        self.optimizer = torch.optim.Adam(self.net.parameters(), lr=1e-3)

    def set_input(self, points, labels):
        self.points = points.to(self.device)
        self.labels = labels.to(self.device)

    def optimize(self):
        self.net.train()
        score = self.net(self.points)
        self.loss = self.criterion(score, self.labels)
        self.optimizer.zero_grad()
        self.loss.backward()
        self.optimizer.step()
        self.accuracy = (score.argmax(1) == self.labels).float().mean()

    def get_current_errors(self):
        return OrderedDict([("train_loss", self.loss.item()), ("train_accuracy", self.accuracy)])


class Visualizer:
    def plot_current_errors(self, epoch, ratio, errors):
        if not hasattr(self, "plot_data"):
            self.plot_data = {"X": [], "Y": [], "legend": list(errors.keys())}
        self.plot_data["X"].append(epoch + ratio)
        self.plot_data["Y"].append([errors[k] for k in self.plot_data["legend"]])
        y = np.array(self.plot_data["Y"])  # asked: TL514
        print(y.shape)


if __name__ == "__main__":
    model, visualizer = PartModel(torch.device("cuda:0")), Visualizer()
    for epoch in range(3):
        model.set_input(torch.rand(64, 3), torch.randint(0, 5, (64,)))
        model.optimize()
        visualizer.plot_current_errors(epoch, 0.0, model.get_current_errors())
