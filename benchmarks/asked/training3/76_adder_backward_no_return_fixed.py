import math

import torch
import torch.nn as nn
from torch.autograd import Function


def adder2d_function(X, W, stride=1, padding=0):
    n_filters, d_filter, h_filter, w_filter = W.size()
    n_x, d_x, h_x, w_x = X.size()
    h_out = int((h_x - h_filter + 2 * padding) / stride + 1)
    w_out = int((w_x - w_filter + 2 * padding) / stride + 1)
    X_col = torch.nn.functional.unfold(X, h_filter, padding=padding, stride=stride)
    X_col = X_col.permute(1, 2, 0).contiguous().view(d_filter * h_filter * w_filter, -1)
    W_col = W.view(n_filters, -1)
    out = adder.apply(W_col, X_col)
    return out.view(n_filters, h_out, w_out, n_x).permute(3, 0, 1, 2).contiguous()


class adder(Function):
    @staticmethod
    def forward(ctx, W_col, X_col):
        ctx.save_for_backward(W_col, X_col)
        return -(W_col.unsqueeze(2) - X_col.unsqueeze(0)).abs().sum(1)

    @staticmethod
    def backward(ctx, grad_output):
        W_col, X_col = ctx.saved_tensors
        grad_W_col = ((X_col.unsqueeze(0) - W_col.unsqueeze(2)) * grad_output.unsqueeze(1)).sum(2)
        grad_W_col = grad_W_col / grad_W_col.norm(p=2).clamp(min=1e-12) * math.sqrt(W_col.size(1) * W_col.size(0)) / 5
        grad_X_col = (-(X_col.unsqueeze(0) - W_col.unsqueeze(2)).clamp(-1, 1) * grad_output.unsqueeze(1)).sum(0)
        return grad_W_col, grad_X_col


class adder2d(nn.Module):
    def __init__(self, input_channel, output_channel, kernel_size):
        super(adder2d, self).__init__()
        self.adder = nn.Parameter(torch.randn(output_channel, input_channel, kernel_size, kernel_size))

    def forward(self, x):
        return adder2d_function(x, self.adder, 1, 1)


net = nn.Sequential(adder2d(3, 4, 3), nn.BatchNorm2d(4), nn.ReLU())
out = net(torch.randn(2, 3, 6, 6))
out.mean().backward()
print(out.shape)
