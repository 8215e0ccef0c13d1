import torch
import torch.nn as nn
import torch.nn.functional as F
import torch.optim as optim

embedding_dim, n_hidden, num_classes = 2, 5, 2


class BiLSTM_Attention(nn.Module):
    def __init__(self, vocab_size):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, embedding_dim)
        self.lstm = nn.LSTM(embedding_dim, n_hidden, bidirectional=True)
        self.out = nn.Linear(n_hidden * 2, num_classes)

    def attention_net(self, lstm_output, final_state):
        batch_size = len(lstm_output)
        hidden = final_state.view(batch_size, -1, 1)  # asked: TL703
        attn_weights = torch.bmm(lstm_output, hidden).squeeze(2)
        soft_attn_weights = F.softmax(attn_weights, 1)
        context = torch.bmm(lstm_output.transpose(1, 2), soft_attn_weights.unsqueeze(2)).squeeze(2)
        return context, soft_attn_weights

    def forward(self, X):
        input = self.embedding(X).permute(1, 0, 2)
        output, (final_hidden_state, _) = self.lstm(input)
        attn_output, attention = self.attention_net(output.permute(1, 0, 2), final_hidden_state)
        return self.out(attn_output), attention


if __name__ == "__main__":
    sentences = ["i love you", "he loves me", "she likes baseball", "i hate you", "sorry for that", "this is awful"]
    labels = [1, 1, 1, 0, 0, 0]
    words = sorted(set(" ".join(sentences).split()))
    index = {word: i for i, word in enumerate(words)}
    inputs = torch.LongTensor([[index[word] for word in sentence.split()] for sentence in sentences])
    targets = torch.LongTensor(labels)
    model = BiLSTM_Attention(len(words))
    criterion, optimizer = nn.CrossEntropyLoss(), optim.Adam(model.parameters(), lr=0.001)
    for epoch in range(3):
        optimizer.zero_grad()
        output, attention = model(inputs)
        loss = criterion(output, targets)
        loss.backward()
        optimizer.step()
    model.eval()
    print(torch.allclose(model(inputs)[0][:1], model(inputs[:1])[0], atol=1e-6))
