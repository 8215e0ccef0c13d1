import torch
import torch.nn as nn
import torch.nn.functional as F

LSTM_MEMORY = 128


class LSTMDQN(nn.Module):
    def __init__(self, n_action):
        super(LSTMDQN, self).__init__()
        self.n_action = n_action
        self.conv1 = nn.Conv2d(4, 32, kernel_size=5, stride=1, padding=1)
        self.conv2 = nn.Conv2d(32, 32, kernel_size=5, stride=1, padding=1)
        self.conv3 = nn.Conv2d(32, 64, kernel_size=4, stride=1, padding=1)
        self.conv4 = nn.Conv2d(64, 64, kernel_size=3, stride=1, padding=1)
        self.lstm = nn.LSTM(16, LSTM_MEMORY, 1)  # (Input, Hidden, Num Layers)
        self.affine1 = nn.Linear(LSTM_MEMORY * 64, 512)
        self.affine2 = nn.Linear(512, self.n_action)

    def forward(self, x, hidden_state, cell_state):
        h = F.relu(F.max_pool2d(self.conv1(x), kernel_size=2, stride=2))
        h = F.relu(F.max_pool2d(self.conv2(h), kernel_size=2, stride=2))
        h = F.relu(F.max_pool2d(self.conv3(h), kernel_size=2, stride=2))
        h = F.relu(F.max_pool2d(self.conv4(h), kernel_size=2, stride=2))
        h = h.view(h.size(0), h.size(1), 16)  # (32, 64, 4, 4) -> (32, 64, 16)
        h, (next_hidden_state, next_cell_state) = self.lstm(h, (hidden_state, cell_state))  # asked: TL708
        h = h.reshape(h.size(0), -1)
        h = F.relu(self.affine1(h))
        h = self.affine2(h)
        return h, next_hidden_state, next_cell_state

    def init_states(self):
        hidden_state = torch.zeros(1, 64, LSTM_MEMORY)
        cell_state = torch.zeros(1, 64, LSTM_MEMORY)
        return hidden_state, cell_state


net = LSTMDQN(6)
hidden, cell = net.init_states()
q, _, _ = net(torch.rand(32, 4, 84, 84), hidden, cell)
print(q.shape)
