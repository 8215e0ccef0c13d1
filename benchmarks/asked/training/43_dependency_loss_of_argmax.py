import torch
import torch.nn as nn


class HierarchicalLoss:
    def __init__(self, hierarchy, alpha=1.0, beta=0.8, p_loss=3):
        self.hierarchy = hierarchy
        self.alpha = alpha
        self.beta = beta
        self.p_loss = p_loss

    def check_hierarchy(self, current_level, previous_level):
        bool_tensor = [current_level[i].item() not in self.hierarchy[previous_level[i].item()] for i in range(len(previous_level))]
        return torch.FloatTensor(bool_tensor)

    def calculate_lloss(self, predictions, true_labels):
        lloss = 0
        for level in range(2):
            lloss += nn.CrossEntropyLoss()(predictions[level], true_labels[level])
        return self.alpha * lloss

    def calculate_dloss(self, predictions, true_labels):
        current_lvl_pred = torch.argmax(nn.Softmax(dim=1)(predictions[1]), dim=1)
        prev_lvl_pred = torch.argmax(nn.Softmax(dim=1)(predictions[0]), dim=1)
        D_l = self.check_hierarchy(current_lvl_pred, prev_lvl_pred)
        l_prev = torch.where(prev_lvl_pred == true_labels[0], torch.FloatTensor([0]), torch.FloatTensor([1]))
        l_curr = torch.where(current_lvl_pred == true_labels[1], torch.FloatTensor([0]), torch.FloatTensor([1]))
        dloss = torch.sum(torch.pow(self.p_loss, D_l * l_prev) * torch.pow(self.p_loss, D_l * l_curr) - 1)
        return self.beta * dloss


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(20, 32), nn.ReLU())
        self.superclass = nn.Linear(32, 3)
        self.subclass = nn.Linear(32, 6)

    def forward(self, x):
        x = self.body(x)
        return self.superclass(x), self.subclass(x)


if __name__ == "__main__":
    model = Net()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01, momentum=0.9)
    HLN = HierarchicalLoss({0: [0, 1], 1: [2, 3], 2: [4, 5]})
    for epoch in range(3):
        x, sub = torch.randn(16, 20), torch.randint(0, 6, (16,))
        optimizer.zero_grad()
        prediction = model(x)
        labels = [sub // 2, sub]
        dloss = HLN.calculate_dloss(prediction, labels)
        lloss = HLN.calculate_lloss(prediction, labels)
        total_loss = lloss + dloss  # asked: TL312
        total_loss.backward()
        optimizer.step()
        print(epoch, total_loss.item())
