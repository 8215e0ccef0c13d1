import torch
import torch.nn.functional as F
from torch import nn


def main(config, batches):
    device = "cuda" if torch.cuda.is_available() else "cpu"
    model = nn.Sequential(nn.Linear(12, 64), nn.GELU(), nn.Linear(64, 12)).to(device)
    optimizer = torch.optim.AdamW(model.parameters(), lr=config["lr"])
    scaler = torch.amp.GradScaler(device, enabled=config["use_amp"])
    accumulate = config["grad_accum"]
    for cur_step, data in enumerate(batches):
        data = data.to(device)
        with torch.autocast(device_type=device, dtype=torch.bfloat16, enabled=config["use_amp"]):
            loss = F.mse_loss(model(data), data)
        scaler.scale(loss / accumulate).backward()
        if (cur_step + 1) % accumulate != 0:
            continue
        scaler.unscale_(optimizer)
        skip = False
        norm = nn.utils.clip_grad_norm_(model.parameters(), config["clip"]).item()
        if norm > config["allowed"]:
            skip = True
            print("step", cur_step, "gradient too large, skipped")
        if not skip:
            scaler.step(optimizer)
        scaler.update()
        optimizer.zero_grad(set_to_none=True)


if __name__ == "__main__":
    main({"lr": 1e-3, "use_amp": True, "grad_accum": 1, "clip": 1.0, "allowed": 0.01}, [torch.randn(4, 12) for _ in range(3)])
