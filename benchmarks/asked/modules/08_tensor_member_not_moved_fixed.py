import torch


class Shifted(torch.nn.Module):
    def __init__(self) -> None:
        super(Shifted, self).__init__()
        self.layer = torch.nn.Linear(3, 3)
        self.register_buffer("expected", torch.tensor([0.0, 2.0, 3.0]))

    def forward(self, input: torch.Tensor) -> torch.Tensor:
        return self.layer(input) + self.expected


toy = Shifted()
if torch.cuda.is_available():
    toy.cuda()
print(next(toy.layer.parameters()).device)
print(toy.expected.device)
