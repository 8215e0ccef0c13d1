import torch
import torch.nn as nn


class Attention(nn.Module):
    def __init__(self, dimensions, attention_type="general"):
        super(Attention, self).__init__()
        if attention_type not in ["dot", "general"]:
            raise ValueError("Invalid attention type selected.")
        self.attention_type = attention_type
        if self.attention_type == "general":
            self.linear_in = nn.Linear(dimensions, dimensions, bias=False)
        self.linear_out = nn.Linear(dimensions * 2, dimensions, bias=False)
        self.softmax = nn.Softmax(dim=-1)
        self.tanh = nn.Tanh()

    def forward(self, query, context):
        batch_size, output_len, dimensions = query.size()
        query_len = context.size(1)
        if self.attention_type == "general":
            query = query.view(batch_size * output_len, dimensions)
            query = self.linear_in(query)
            query = query.view(batch_size, output_len, dimensions)
        scores = torch.bmm(query, context.transpose(1, 2).contiguous())
        scores = scores.view(batch_size * output_len, query_len)
        weights = self.softmax(scores)
        weights = weights.view(batch_size, output_len, query_len)
        mix = torch.bmm(weights, context)
        combined = torch.cat((mix, query), dim=2)
        combined = combined.view(batch_size * output_len, 2 * dimensions)
        output = self.linear_out(combined).view(batch_size, output_len, dimensions)
        return self.tanh(output), weights


attention = Attention(16)
output, weights = attention(torch.randn(5, 1, 16), torch.randn(5, 7, 16))
print(output.size(), weights.sum(-1).view(-1))
