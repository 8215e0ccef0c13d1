# %%
import copy
import time

import torch
import torch.nn.functional as F
from torch import nn, optim
from torch.utils.data import DataLoader, TensorDataset

# %%
x = torch.randn(96, 24)
y = torch.nn.functional.one_hot(torch.randint(0, 2, (96,)), 2)
datasets = {"train": TensorDataset(x[:64], y[:64]), "val": TensorDataset(x[64:], y[64:])}
dataloaders_dict = {
    "train": DataLoader(datasets["train"], batch_size=16, shuffle=True),
    "val": DataLoader(datasets["val"], batch_size=16),
}
dataset_sizes = {"train": len(datasets["train"]), "val": len(datasets["val"])}
device = torch.device("cuda:0" if torch.cuda.is_available() else "cpu")


# %%
def train_model(model, criterion, optimizer, scheduler, num_epochs=25):
    since = time.time()
    best_model_wts = copy.deepcopy(model.state_dict())
    best_loss = 100
    for epoch in range(num_epochs):
        for phase in ["train", "val"]:
            if phase == "train":
                scheduler.step() if epoch else None
                model.train()
            else:
                model.eval()
            running_loss = 0.0
            corrects = 0
            for inputs, sentiment in dataloaders_dict[phase]:
                inputs = inputs.to(device)
                sentiment = sentiment.to(device)
                optimizer.zero_grad()
                with torch.set_grad_enabled(phase == "train"):
                    outputs = model(inputs)
                    outputs = F.softmax(outputs, dim=1)
                    loss = criterion(outputs, torch.max(sentiment.float(), 1)[1])  # asked: TL301
                    if phase == "train":
                        loss.backward()
                        optimizer.step()
                running_loss += loss.item() * inputs.size(0)
                corrects += torch.sum(torch.max(outputs, 1)[1] == torch.max(sentiment, 1)[1])
            epoch_loss = running_loss / dataset_sizes[phase]
            print(phase, epoch_loss, corrects.double() / dataset_sizes[phase])
            if phase == "val" and epoch_loss < best_loss:
                best_loss = epoch_loss
                best_model_wts = copy.deepcopy(model.state_dict())
    print(time.time() - since)
    model.load_state_dict(best_model_wts)
    return model


# %%
model = nn.Sequential(nn.Linear(24, 32), nn.ReLU(), nn.Linear(32, 2)).to(device)
optimizer = optim.Adam(model.parameters(), lr=1e-3)
scheduler = optim.lr_scheduler.StepLR(optimizer, step_size=3, gamma=0.1)
model = train_model(model, nn.CrossEntropyLoss(), optimizer, scheduler, num_epochs=2)
