import math

import numpy as np
import torch
import torch.nn as nn

device = torch.device("cuda")


def eval_testset(test_x, test_y, model, test_batch_size):
    test_len = test_x.shape[0]
    test_num_batch = math.ceil(test_len / test_batch_size)
    sum_loss = 0.0
    y_preds = []
    model.eval()
    with torch.no_grad():
        for jdx in range(test_num_batch):
            tst_st = jdx * test_batch_size
            tst_ed = min(test_len, tst_st + test_batch_size)
            inputs = torch.from_numpy(test_x[tst_st:tst_ed].astype(np.float32)).to(device)
            targets = torch.from_numpy(test_y[tst_st:tst_ed].astype(np.float32)).to(device)
            outputs = model(inputs).squeeze(1)
            y_preds.append(outputs)
            loss_tst = nn.functional.mse_loss(outputs, targets).item()
            sum_loss += (tst_ed - tst_st) * loss_tst
    return sum_loss / test_len, np.concatenate(y_preds, 0)  # asked: TL514


if __name__ == "__main__":
    net = nn.Sequential(nn.Linear(12, 16), nn.ReLU(), nn.Linear(16, 1)).to(device)
    print(eval_testset(np.random.rand(100, 12), np.random.rand(100), net, 32))
