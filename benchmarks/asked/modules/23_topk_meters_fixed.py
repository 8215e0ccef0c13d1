import torch


def topks_correct(preds, labels, ks):
    """Number of predictions that are among the k best, for each k."""
    assert preds.size(0) == labels.size(0), "Batch dim of predictions and labels must match"
    _top_max_k_vals, top_max_k_inds = torch.topk(preds, max(ks), dim=1, largest=True, sorted=True)
    top_max_k_inds = top_max_k_inds.t()
    rep_max_k_labels = labels.view(1, -1).expand_as(top_max_k_inds)
    top_max_k_correct = top_max_k_inds.eq(rep_max_k_labels)
    topks = [top_max_k_correct[:k, :].contiguous().view(-1).float().sum() for k in ks]
    return topks


def topk_errors(preds, labels, ks):
    num_topks = topks_correct(preds, labels, ks)
    return [(1.0 - x / preds.size(0)) * 100.0 for x in num_topks]


if __name__ == "__main__":
    print(topk_errors(torch.randn(16, 20), torch.randint(0, 20, (16,)), [1, 5]))
