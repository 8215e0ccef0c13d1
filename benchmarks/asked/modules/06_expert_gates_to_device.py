import torch
import torch.nn as nn


class Expert(nn.Module):
    def __init__(self, n_in, n_out, hidden):
        super().__init__()
        self.fc1 = nn.Linear(n_in, hidden)
        self.fc2 = nn.Linear(hidden, n_out)

    def forward(self, x):
        return self.fc2(torch.relu(self.fc1(x)))


class Mixture(nn.Module):
    def __init__(self, n_in, n_out, n_experts, hidden, device, k=2):
        super(Mixture, self).__init__()
        self.device = device
        self.k = k
        self.experts = nn.ModuleList([Expert(n_in, n_out, hidden) for _ in range(n_experts)])
        self.w_gate = nn.Parameter(torch.zeros(n_in, n_experts), requires_grad=True).to(self.device)  # asked: TL409
        self.w_noise = nn.Parameter(torch.zeros(n_in, n_experts), requires_grad=True).to(self.device)  # asked: TL409
        self.softplus = nn.Softplus()
        self.softmax = nn.Softmax(1)

    def forward(self, x):
        clean = x @ self.w_gate
        noise = self.softplus(x @ self.w_noise) + 1e-2
        logits = clean + torch.randn_like(clean) * noise
        top, index = logits.topk(self.k, dim=1)
        gates = torch.zeros_like(logits).scatter(1, index, self.softmax(top))
        outputs = torch.stack([expert(x) for expert in self.experts], dim=1)
        return (gates.unsqueeze(-1) * outputs).sum(1)


device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
net = Mixture(20, 5, 4, 16, device).to(device)
optim = torch.optim.Adam(net.parameters())
y = net(torch.randn(8, 20).to(device))
loss = y.pow(2).mean()
optim.zero_grad()
loss.backward()
optim.step()
