import torch
import torch.nn.functional as F
from torch import nn


class DistillTrainer:
    def __init__(self, student, teacher, config):
        self.student, self.teacher, self.config = student, teacher, config
        self.optimizer = torch.optim.AdamW(student.parameters(), lr=config["lr"])

    def compute_loss(self, ids):
        student_logits = self.student(ids)
        with torch.no_grad():
            teacher_logits = self.teacher(ids)
        t = self.config["temperature"]
        kd = F.kl_div(F.log_softmax(student_logits / t, -1), F.softmax(teacher_logits / t, -1), reduction="batchmean") * t * t
        ce = F.cross_entropy(student_logits[:, :-1].flatten(0, 1), ids[:, 1:].flatten())
        return self.config["alpha"] * kd + (1 - self.config["alpha"]) * ce

    def train(self, batches):
        accumulate = self.config["gradient_accumulation_steps"]
        self.optimizer.zero_grad()
        for step, ids in enumerate(batches):
            loss = self.compute_loss(ids)
            loss.backward()  # asked: TL212
            if (step + 1) % accumulate == 0 or step + 1 == len(batches):
                nn.utils.clip_grad_norm_(self.student.parameters(), 1.0)
                self.optimizer.step()
                self.optimizer.zero_grad()


if __name__ == "__main__":
    def lm():
        return nn.Sequential(nn.Embedding(40, 16), nn.Linear(16, 40))
    cfg = {"lr": 1e-4, "temperature": 2.0, "alpha": 0.5, "gradient_accumulation_steps": 2}
    DistillTrainer(lm(), lm(), cfg).train([torch.randint(0, 40, (2, 8)) for _ in range(4)])
