import contextlib

import torch
import torch.nn.functional as F
from torch import nn
from torch.amp import GradScaler, autocast


def consistency_loss(logits_w, logits_s, p_cutoff=0.95):
    pseudo = torch.softmax(logits_w.detach(), dim=-1)
    max_probs, max_idx = torch.max(pseudo, dim=-1)
    mask = max_probs.ge(p_cutoff).float()
    return (F.cross_entropy(logits_s, max_idx, reduction="none") * mask).mean()


class FixMatch:
    def __init__(self, net, lambda_u=1.0):
        self.model = net
        self.lambda_u = lambda_u
        self.optimizer = None

    def set_optimizer(self, optimizer, scheduler=None):
        self.optimizer = optimizer
        self.scheduler = scheduler

    def train(self, args, loaders):
        self.model.train()
        scaler = GradScaler("cuda", enabled=args["amp"])
        amp_cm = autocast if args["amp"] else contextlib.nullcontext
        for (x_lb, y_lb), (x_w, x_s) in zip(*loaders):
            num_lb = x_lb.shape[0]
            inputs = torch.cat((x_lb, x_w, x_s))
            with autocast("cuda", enabled=args["amp"]):
                logits = self.model(inputs)
                logits_lb = logits[:num_lb]
                logits_w, logits_s = logits[num_lb:].chunk(2)
                sup_loss = F.cross_entropy(logits_lb, y_lb)
                total_loss = sup_loss + self.lambda_u * consistency_loss(logits_w, logits_s)
            if args["amp"]:
                scaler.scale(total_loss).backward()
                if args["clip"] > 0:
                    scaler.unscale_(self.optimizer)
                    torch.nn.utils.clip_grad_norm_(self.model.parameters(), args["clip"])
                scaler.step(self.optimizer)
                scaler.update()
            else:
                total_loss.backward()
                if args["clip"] > 0:
                    torch.nn.utils.clip_grad_norm_(self.model.parameters(), args["clip"])
                self.optimizer.step()
            self.scheduler.step()
            self.model.zero_grad()
            print(total_loss.item())


net = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 3))
algorithm = FixMatch(net)
opt = torch.optim.SGD(net.parameters(), 0.03, momentum=0.9)
algorithm.set_optimizer(opt, torch.optim.lr_scheduler.LambdaLR(opt, lambda s: 0.99**s))
labelled = [(torch.randn(4, 8), torch.randint(0, 3, (4,))) for _ in range(3)]
unlabelled = [(torch.randn(8, 8), torch.randn(8, 8)) for _ in range(3)]
algorithm.train({"amp": torch.cuda.is_available(), "clip": 1.0}, (labelled, unlabelled))
