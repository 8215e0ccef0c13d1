import torch


class ThreeLayerNet(torch.nn.Module):
    def __init__(self, D_in, H, D_out):
        super().__init__()
        self.D_in, self.H, self.D_out = D_in, H, D_out

    def forward(self, x):
        h_relu = torch.nn.Linear(self.D_in, self.H)(x).clamp(min=0)  # asked: TL408
        h_relu = torch.nn.Linear(self.H, self.H)(h_relu).clamp(min=0)  # asked: TL408
        return torch.nn.Linear(self.H, self.D_out)(h_relu)  # asked: TL408


if __name__ == "__main__":
    N, D_in, H, D_out = 64, 1000, 100, 10
    x, y = torch.randn(N, D_in), torch.randn(N, D_out)
    model = ThreeLayerNet(D_in, H, D_out)
    print(list(parameter.shape for parameter in model.parameters()))
    print(torch.nn.functional.mse_loss(model(x), y).item())
