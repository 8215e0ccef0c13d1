import torch
import torch.nn as nn
import torch.nn.functional as F


class Decoder(nn.Module):
    def __init__(self, vocab, size):
        super().__init__()
        self.embedding = nn.Embedding(vocab, size)
        self.decode_step = nn.LSTMCell(size * 2, size)
        self.fc = nn.Linear(size, vocab)


def beam_search(encoder_out, decoder, vocab_size, start, end, beam_size=3):
    k = beam_size
    encoder_out = encoder_out.expand(k, encoder_out.size(-1))
    prev_words = torch.full((k, 1), start, dtype=torch.long)
    seqs = prev_words
    top_scores = torch.zeros(k, 1)
    complete, complete_scores = [], []
    h = torch.zeros(k, encoder_out.size(-1))
    c = torch.zeros(k, encoder_out.size(-1))
    step = 1
    while True:
        embeddings = decoder.embedding(prev_words).squeeze(1)
        h, c = decoder.decode_step(torch.cat([embeddings, encoder_out], dim=1), (h, c))
        scores = F.log_softmax(decoder.fc(h), dim=1)
        scores = top_scores.expand_as(scores) + scores
        if step == 1:
            top_scores, top_words = scores[0].topk(k, 0, True, True)
        else:
            top_scores, top_words = scores.view(-1).topk(k, 0, True, True)

        prev_word_inds = top_words / vocab_size
        next_word_inds = top_words % vocab_size
        seqs = torch.cat([seqs[prev_word_inds], next_word_inds.unsqueeze(1)], dim=1)  # asked: TL507

        incomplete = [i for i, w in enumerate(next_word_inds) if w != end]
        done = list(set(range(len(next_word_inds))) - set(incomplete))
        if len(done) > 0:
            complete.extend(seqs[done].tolist())
            complete_scores.extend(top_scores[done])
        k -= len(done)
        if k == 0 or step > 20:
            break
        seqs = seqs[incomplete]
        h = h[prev_word_inds[incomplete]]
        c = c[prev_word_inds[incomplete]]
        encoder_out = encoder_out[prev_word_inds[incomplete]]
        top_scores = top_scores[incomplete].unsqueeze(1)
        prev_words = next_word_inds[incomplete].unsqueeze(1)
        step += 1
    return complete


if __name__ == "__main__":
    with torch.no_grad():
        print(beam_search(torch.randn(1, 16), Decoder(30, 16), 30, 1, 2))
