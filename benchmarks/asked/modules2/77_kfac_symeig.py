import torch
import torch.optim as optim


class KFACOptimizer(optim.Optimizer):
    def __init__(self, model, lr=0.25, damping=1e-2):
        super(KFACOptimizer, self).__init__(model.parameters(), dict())
        self.modules = [m for m in model.modules() if isinstance(m, torch.nn.Linear)]
        self.lr, self.damping = lr, damping
        self.m_aa, self.m_gg, self.Q_a, self.Q_g, self.d_a, self.d_g = {}, {}, {}, {}, {}, {}
        for module in self.modules:
            module.register_forward_pre_hook(self._save_input)
            module.register_full_backward_hook(self._save_grad_output)

    def _save_input(self, module, input):
        a = input[0].detach()
        self.m_aa[module] = a.t() @ a / a.size(0)

    def _save_grad_output(self, module, grad_input, grad_output):
        g = grad_output[0].detach()
        self.m_gg[module] = g.t() @ g * g.size(0)

    def step(self):
        for m in self.modules:
            self.d_a[m], self.Q_a[m] = torch.symeig(self.m_aa[m], eigenvectors=True)  # asked: TL901
            self.d_g[m], self.Q_g[m] = torch.symeig(self.m_gg[m], eigenvectors=True)  # asked: TL901
            v1 = self.Q_g[m].t() @ m.weight.grad @ self.Q_a[m]
            v2 = v1 / (self.d_g[m].unsqueeze(1) * self.d_a[m].unsqueeze(0) + self.damping)
            m.weight.data.sub_(self.lr * (self.Q_g[m] @ v2 @ self.Q_a[m].t()))


if __name__ == "__main__":
    net = torch.nn.Sequential(torch.nn.Linear(4, 8), torch.nn.Tanh(), torch.nn.Linear(8, 1))
    optimizer = KFACOptimizer(net)
    for _ in range(3):
        net.zero_grad()
        net(torch.randn(16, 4)).pow(2).mean().backward()
        optimizer.step()
