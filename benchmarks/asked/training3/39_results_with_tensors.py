import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def train_step(model, dataloader, loss_fn, optimizer):
    model.train()
    train_loss, train_acc = 0, 0
    for batch, (X, y) in enumerate(dataloader):
        y_pred = model(X)
        loss = loss_fn(y_pred, y)
        train_loss += loss  # asked: TL802
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        y_pred_class = torch.argmax(torch.softmax(y_pred, dim=1), dim=1)
        train_acc += (y_pred_class == y).sum().item() / len(y_pred)
    return train_loss / len(dataloader), train_acc / len(dataloader)


def test_step(model, dataloader, loss_fn):
    model.eval()
    test_loss, test_acc = 0, 0
    with torch.inference_mode():
        for batch, (X, y) in enumerate(dataloader):
            test_pred_logits = model(X)
            test_loss += loss_fn(test_pred_logits, y).item()
            test_acc += (test_pred_logits.argmax(dim=1) == y).sum().item() / len(y)
    return test_loss / len(dataloader), test_acc / len(dataloader)


def train(model, train_dataloader, test_dataloader, optimizer, loss_fn=nn.CrossEntropyLoss(), epochs=5):
    results = {"train_loss": [], "train_acc": [], "test_loss": [], "test_acc": []}
    for epoch in range(epochs):
        train_loss, train_acc = train_step(model, train_dataloader, loss_fn, optimizer)
        test_loss, test_acc = test_step(model, test_dataloader, loss_fn)
        print(f"Epoch: {epoch + 1} | train_loss: {train_loss:.4f} | test_loss: {test_loss:.4f}")
        results["train_loss"].append(train_loss)
        results["train_acc"].append(train_acc)
        results["test_loss"].append(test_loss)
        results["test_acc"].append(test_acc)
    return results


if __name__ == "__main__":
    data = TensorDataset(torch.randn(64, 12), torch.randint(0, 3, (64,)))
    model_0 = nn.Sequential(nn.Linear(12, 10), nn.ReLU(), nn.Linear(10, 3))
    optimizer = torch.optim.Adam(model_0.parameters(), lr=0.001)
    print(train(model_0, DataLoader(data, 16, shuffle=True), DataLoader(data, 16), optimizer, epochs=2))
