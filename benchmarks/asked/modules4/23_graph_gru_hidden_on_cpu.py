import torch


class DiffusionConv(torch.nn.Module):
    def __init__(self, in_channels, out_channels, K=2):
        super().__init__()
        self.weight = torch.nn.Parameter(torch.randn(K, in_channels, out_channels) * 0.1)
        self.bias = torch.nn.Parameter(torch.zeros(out_channels))

    def forward(self, X, A):
        T = X
        H = torch.matmul(T, self.weight[0])
        for k in range(1, self.weight.size(0)):
            T = torch.matmul(A, T)
            H = H + torch.matmul(T, self.weight[k])
        return H + self.bias


class DCRNN(torch.nn.Module):
    def __init__(self, in_channels, out_channels, K):
        super().__init__()
        self.out_channels = out_channels
        self.conv_x_z = DiffusionConv(in_channels + out_channels, out_channels, K)
        self.conv_x_r = DiffusionConv(in_channels + out_channels, out_channels, K)
        self.conv_x_h = DiffusionConv(in_channels + out_channels, out_channels, K)

    def _set_hidden_state(self, X, H):
        if H is None:
            H = torch.zeros(X.shape[0], self.out_channels)  # asked: TL501
        return H

    def _calculate_gate(self, conv, X, A, H):
        return torch.sigmoid(conv(torch.cat([X, H], dim=1), A))

    def forward(self, X, A, H=None):
        H = self._set_hidden_state(X, H)
        Z = self._calculate_gate(self.conv_x_z, X, A, H)
        R = self._calculate_gate(self.conv_x_r, X, A, H)
        H_tilde = torch.tanh(self.conv_x_h(torch.cat([X, H * R], dim=1), A))
        return Z * H + (1 - Z) * H_tilde


if __name__ == "__main__":
    device = "cuda" if torch.cuda.is_available() else "cpu"
    model = DCRNN(4, 16, 2).to(device)
    X, A = torch.randn(20, 4).to(device), torch.rand(20, 20).to(device)
    H = None
    for _ in range(3):
        H = model(X, A, H)
    print(H.shape)
