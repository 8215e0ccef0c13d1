import torch


class ThreeLayerNet(torch.nn.Module):
    def __init__(self, D_in, H, D_out):
        super().__init__()
        self.D_in, self.H, self.D_out = D_in, H, D_out
        self.linear1 = torch.nn.Linear(D_in, H)
        self.linear2 = torch.nn.Linear(H, H)
        self.linear3 = torch.nn.Linear(H, D_out)

    def forward(self, x):
        h_relu = self.linear1(x).clamp(min=0)
        h_relu = self.linear2(h_relu).clamp(min=0)
        return self.linear3(h_relu)


if __name__ == "__main__":
    N, D_in, H, D_out = 64, 1000, 100, 10
    x, y = torch.randn(N, D_in), torch.randn(N, D_out)
    model = ThreeLayerNet(D_in, H, D_out)
    print(list(parameter.shape for parameter in model.parameters()))
    print(torch.nn.functional.mse_loss(model(x), y).item())
